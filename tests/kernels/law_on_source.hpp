// Laws on kernels that nvcc compiles.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/diagnostic.hpp"
#include "base/text/replaced_all.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/variant.hpp"
#include "device/virtual/virtual_device.hpp"
#include "properties/law.hpp"
#include "tests/kernels/checked_law.hpp"

namespace warpcheck::campaign {

inline bool has_nvcc() {
  try {
    (void)contract::find_nvcc();
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

inline constexpr int kCasesOfSource = 120;

/// Checks the law on cases of the variant on the virtual device.
inline CheckedLaw check_law(const contract::Variant& variant, const properties::Law& law) {
  const auto device = device::make_virtual_device();
  return LawChecker(variant, *device, {.max_size = 96}).check(law, kCasesOfSource);
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

  CheckedLaw check_source(const std::string& source, const std::string& law) const {
    return check_law(variant(source), properties::law(law));
  }

  static void expect_holds(const CheckedLaw& checked) {
    EXPECT_FALSE(checked.failed) << checked.text;
    EXPECT_EQ(checked.launched, kCasesOfSource) << checked.text;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace warpcheck::campaign
