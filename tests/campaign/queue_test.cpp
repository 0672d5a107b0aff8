// Campaigns of several variants on the same threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/campaign.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign {
namespace {

using testing::blas_variant;
using testing::Call;
using ::testing::ElementsAre;
using testing::GemmDevice;
using testing::right;

/// Records the events in their order.
class Events : public Listener {
 public:
  void started(const contract::Variant& variant) override {
    texts.push_back("start " + variant.contract.name);
  }
  void found(const FindingReport& report) override { texts.push_back("found " + report.variant); }
  void finished(const VariantReport& report) override {
    texts.push_back("finish " + report.variant);
  }
  void not_checked(const contract::TargetError& error) override {
    texts.push_back("error " + error.target);
  }

  std::vector<std::string> texts;
};

contract::Variant named(const std::string& name, const std::string& more = "") {
  contract::Variant variant = blas_variant(more);
  variant.contract.name = name;
  return variant;
}

constexpr auto kEmptyDomain = "requires = [\"m > 3\", \"m < 3\"]\n";

/// Waits until `condition` holds; returns false after a minute.
bool wait_for(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return condition();
}

TEST(VariantQueue, OtherVariantsRunWhileTheLastCaseOfOneRuns) {
  const std::vector<contract::Variant> variants{named("one"), named("two")};
  std::atomic<int> launches = 0;
  std::atomic<bool> overlapped = false;
  CampaignOptions options;
  options.jobs = 2;
  options.cases = 20;
  options.properties = {"matches-reference"};
  const testing::Kernel kernel = [&](Call& call) {
    right(call);
    // One thread waits in a case of the first variant; the other one gets beyond its cases.
    if (++launches == 1) overlapped = wait_for([&] { return launches > 20; });
  };
  GemmDevice device(variants[0], kernel);
  Events events;
  EXPECT_EQ(run_campaign(variants, device, options, events).cases, 40);
  EXPECT_TRUE(overlapped);
  EXPECT_THAT(events.texts, ElementsAre("start one", "finish one", "start two", "finish two"));
}

TEST(VariantQueue, ErrorsAndFindingsAreInTheOrderOfTheVariants) {
  const std::vector<contract::Variant> variants{named("one"), named("two", kEmptyDomain),
                                                named("three")};
  for (const unsigned jobs : {1U, 5U}) {
    CampaignOptions options;
    options.jobs = jobs;
    options.cases = 10;
    options.continue_after_errors = true;
    GemmDevice device(variants[0], [](Call& call) { testing::gemm(call, 0); });
    Events events;
    const CampaignReport report = run_campaign(variants, device, options, events);
    EXPECT_EQ(report.failed, 2);
    EXPECT_EQ(report.errors.size(), 1U);
    EXPECT_THAT(events.texts,
                ElementsAre("start one", "found one", "finish one", "start two", "error two",
                            "start three", "found three", "finish three"));
  }
}

TEST(VariantQueue, AnErrorEndsTheCampaignAfterEarlierVariants) {
  const std::vector<contract::Variant> variants{named("one"), named("two", kEmptyDomain),
                                                named("three")};
  CampaignOptions options;
  options.jobs = 4;
  options.cases = 10;
  GemmDevice device(variants[0], right);
  Events events;
  EXPECT_THROW((void)run_campaign(variants, device, options, events), InputError);
  EXPECT_THAT(events.texts, ElementsAre("start one", "finish one", "start two"));
}

TEST(VariantQueue, AnInterruptedCampaignReportsVariantsWithCases) {
  const std::vector<contract::Variant> variants{named("one"), named("two"), named("three")};
  std::atomic<bool> interrupted = false;
  std::atomic<int> launches = 0;
  CampaignOptions options;
  options.jobs = 1;
  options.cases = 10;
  options.properties = {"matches-reference"};
  options.interrupted = &interrupted;
  GemmDevice device(variants[0], [&](Call& call) {
    right(call);
    interrupted = ++launches == 15;
  });
  Events events;
  const CampaignReport report = run_campaign(variants, device, options, events);
  EXPECT_GT(report.cases, 10);
  EXPECT_LT(report.cases, 20);
  EXPECT_THAT(events.texts, ElementsAre("start one", "finish one", "start two", "finish two"));
}

TEST(VariantQueue, VariantsThatRunAtOnceHaveTheTimeOfAll) {
  const std::vector<contract::Variant> variants{named("one"), named("two"), named("three")};
  CampaignOptions options;
  options.jobs = 8;
  options.cases = 1'000'000;
  options.properties = {"matches-reference"};
  options.budget_seconds = 1.0;
  GemmDevice device(variants[0], right);
  Events events;
  const CampaignReport report = run_campaign(variants, device, options, events);
  for (const VariantReport& variant : report.variants) EXPECT_GT(variant.seconds, 0.8);
}

TEST(VariantQueue, RethrowsWhatTheDeviceThrows) {
  const std::vector<contract::Variant> variants{named("one"), named("two")};
  CampaignOptions options;
  options.jobs = 3;
  options.cases = 10;
  GemmDevice device(variants[0], [&](Call&) { throw std::runtime_error("the device is gone"); });
  Events events;
  EXPECT_THROW((void)run_campaign(variants, device, options, events), std::runtime_error);
}

}  // namespace
}  // namespace warpcheck::campaign
