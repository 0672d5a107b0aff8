// Random kernels: a property that is proved holds in each run for small sizes.
// WARPCHECK_RANDOM_KERNELS=10000 runs more of them, WARPCHECK_SEED=N those of the seeds from N.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>
#include <string>

#include "device/virtual/virtual_device.hpp"
#include "proof/proof.hpp"
#include "tests/proof/environment.hpp"
#include "tests/proof/random_kernel.hpp"
#include "tests/proof/random_runs.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::proof {
namespace {

/// Notes on alignment are about declarations, not about addresses.
void add_classes(const Finding& finding, std::set<FindingClass>& classes) {
  if (finding.grade == Grade::declared_alignment) return;
  classes.insert(finding.kind);
  for (const Finding& other : finding.same_cause) add_classes(other, classes);
}

/// Results of many kernels.
struct Tally {
  std::map<Property, std::size_t> proved;
  std::map<Property, std::size_t> violated;  // kernels that are not proved, and rightly so
  std::map<std::string, std::size_t> reasons;
  std::size_t kernels = 0;
  std::size_t runs = 0;
  std::size_t wrong = 0;
};

class Attack {
 public:
  explicit Attack(Tally& tally) : tally_(tally), device_(device::make_virtual_device()) {}

  void attack(std::uint64_t seed, const test::RandomKernel& kernel) {
    const contract::Variant variant = test::variant_of(kernel);
    const Proof proof = prove(variant, {.search_witnesses = false});
    ++tally_.kernels;
    std::set<Property> proved;
    for (const PropertyProof& one : proof.properties) {
      if (one.is_proved) proved.insert(one.property);
      if (one.is_proved) ++tally_.proved[one.property];
      if (!one.is_proved) ++tally_.reasons[fmt::format("{}: {}", name(one.property), one.reason)];
    }
    if (const std::string violation = find_violation(kernel, variant, proved); !violation.empty()) {
      ++tally_.wrong;
      ADD_FAILURE() << "seed " << seed << ": " << violation << '\n'
                    << kernel.contract << kernel.ptx;
    }
  }

 private:
  /// The first run that violates a property that is proved.
  std::string find_violation(const test::RandomKernel& kernel, const contract::Variant& variant,
                             const std::set<Property>& proved) {
    if (proved.empty()) return {};
    const auto program = device_->load(kernel.ptx, "probe.ptx");
    const auto counting = device_->load(kernel.counting_ptx, "probe.ptx");
    std::string violation;
    std::set<FindingClass> seen;
    test::for_each_case(variant, kernel, [&](const test::Sizes& sizes) {
      ++tally_.runs;
      std::set<FindingClass> classes;
      const device::Outcome outcome = test::run(*device_, *program, variant, sizes);
      if (outcome.unsupported) {
        violation = "the device does not execute the kernel";
        return false;
      }
      for (const Finding& finding : outcome.findings) add_classes(finding, classes);
      if (classes.contains(FindingClass::timeout) && proved.contains(Property::ends)) {
        const device::Outcome longer =
            test::run(*device_, *program, variant, sizes, test::kManyInstructions);
        classes.clear();
        for (const Finding& finding : longer.findings) add_classes(finding, classes);
      }
      for (const Property property : proved) {
        if (property == Property::overflow) continue;
        for (const FindingClass kind : classes) {
          if (!workflows::prove::violates(property, kind)) continue;
          violation = fmt::format("{} is proved, but {} has {}: {}", name(property), sizes.text(),
                                  warpcheck::name(kind), outcome.findings.front().message);
          return false;
        }
      }
      seen.insert(classes.begin(), classes.end());
      if (!proved.contains(Property::written_once)) return true;
      const device::Outcome counted = test::run(*device_, *counting, variant, sizes);
      if (test::largest_output(counted) <= 1) return true;
      violation = fmt::format("written-once is proved, but {} writes an element {} times",
                              sizes.text(), test::largest_output(counted));
      return false;
    });
    for (const Property property : all_properties()) {
      if (proved.contains(property)) continue;
      for (const FindingClass kind : seen) {
        if (!workflows::prove::violates(property, kind)) continue;
        ++tally_.violated[property];
        break;
      }
    }
    return violation;
  }

  Tally& tally_;
  std::unique_ptr<device::Device> device_;
};

/// Attacks many kernels, and prints what was proved and what was violated.
Tally attack_many(test::RandomKernel (*make)(std::uint64_t seed)) {
  const std::uint64_t first = test::number_from_environment("WARPCHECK_SEED", 1);
  const std::uint64_t count = test::number_from_environment("WARPCHECK_RANDOM_KERNELS", 300);
  Tally tally;
  Attack attack(tally);
  constexpr std::size_t kMostWrong = 3;
  for (std::uint64_t seed = first; seed < first + count && tally.wrong < kMostWrong; ++seed) {
    attack.attack(seed, make(seed));
  }
  std::cout << fmt::format("seeds from {}: {} kernels, {} runs, {} contradictions\n", first,
                           tally.kernels, tally.runs, tally.wrong);
  for (const Property property : all_properties()) {
    std::cout << fmt::format("  {}: {} proved, {} others violated\n", name(property),
                             tally.proved[property], tally.violated[property]);
  }
  if (test::number_from_environment("WARPCHECK_SHOW", 0) == 0) return tally;
  for (const auto& [reason, times] : tally.reasons) std::cout << times << ' ' << reason << '\n';
  return tally;
}

TEST(RandomKernels, PropertiesThatAreProvedHoldInEachRun) {
  if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  Tally tally = attack_many(test::random_kernel);
  for (const Property property : all_properties()) {
    // These kernels write few elements: random_stores_test.cpp attacks `covered`.
    const bool is_attacked = property != Property::covered && property != Property::zero_beta &&
                             property != Property::initialized;
    if (tally.kernels >= 100 && is_attacked) {
      EXPECT_GT(3 * tally.proved[property], tally.kernels) << name(property);
    }
  }
}

TEST(RandomTiles, ElementsThatAreProvedInitializedAreInEachRun) {
  if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  Tally tally = attack_many(test::random_tiles);
  if (tally.kernels < 100) return;
  EXPECT_GT(3 * tally.proved[Property::initialized], tally.kernels);
  EXPECT_GT(10 * tally.violated[Property::initialized], tally.kernels);
}

}  // namespace
}  // namespace warpcheck::proof
