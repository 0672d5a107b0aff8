// A law on the cases of a kernel, which nvcc compiles.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/text/replaced_all.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/variant.hpp"
#include "device/virtual/virtual_device.hpp"
#include "properties/law.hpp"

namespace warpcheck::campaign {

inline bool has_nvcc() {
  try {
    (void)contract::find_nvcc();
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

/// The first finding of a law on the cases of a variant.
struct Checked {
  std::optional<Finding> finding;
  Case problem;
  int launched = 0;  // cases

  [[nodiscard]] std::string text() const {
    return finding ? finding->message + "\n" + to_line(problem) : "no finding";
  }
};

inline Checked check_law(const contract::Variant& variant, const properties::Law& law) {
  constexpr std::int64_t kCases = 300;
  const auto device = device::make_virtual_device();
  const auto program = device->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const RunContext context{variant, *device, *program, {}};
  const generate::CaseGenerator cases(variant, {.seed = 1, .max_size = 96});
  Checked checked;
  for (std::int64_t i = 0; i < kCases && !checked.finding; ++i) {
    const auto problem =
        properties::adapted_to_domain(law, variant.contract, cases.draw(i).problem);
    if (!problem) continue;
    const checks::CheckResult result = check_property(context, law, *problem, true);
    checked.launched += result.launched ? 1 : 0;
    if (result.evidence.empty()) continue;
    checked.finding = result.evidence.front().finding;
    checked.problem = *problem;
  }
  return checked;
}

/// Tests that write a `.cu` with its contract and check a law on it.
class LawOnSource : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvcc()) GTEST_SKIP() << "this machine has no nvcc";
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }

  /// The first variant of the source.
  contract::Variant variant(const std::string& source) const {
    const std::filesystem::path file = folder_ / "kernel.cu";
    std::ofstream(file) << source;
    return contract::variants_at(file.string()).at(0);
  }

  Checked check_source(const std::string& source, const std::string& law) const {
    return check_law(variant(source), properties::law(law));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace warpcheck::campaign
