// Each law on each built-in variant, on the device of the program: a property of RapidCheck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "properties/law.hpp"
#include "tests/base/time_factor.hpp"
#include "tests/kernels/checked_law.hpp"
#include "tests/kernels/tested_device.hpp"

namespace warpcheck::campaign {
namespace {

using contract::Variant;
using properties::Law;

constexpr int kCases = kTimeFactor == 1 ? 10 : 3;  // sanitizers take minutes for a shard
constexpr int kCasesOfClusters = 3;  // whose tiles of 256 x 256 take a fifth of a second

struct LawOnVariant {
  const Law* law;
  const Variant* variant;
};

std::ostream& operator<<(std::ostream& out, const LawOnVariant& pair) {
  return out << pair.law->name << " on " << pair.variant->contract.name;
}

/// A tensor map has no extent of 0: its contract excludes k = 0.
bool has_cases(const Law& law, const contract::Contract& contract) {
  return law.name != "k-zero-scales-c" || contract.tensor_maps.empty();
}

std::vector<LawOnVariant> all_pairs() {
  static const std::vector<Variant> kVariants = contract::builtin_variants();
  std::vector<LawOnVariant> all;
  for (const Variant& variant : kVariants) {
    for (const Law& law : properties::laws()) {
      const bool applies = law.applies(variant.contract) && has_cases(law, variant.contract);
      if (applies) all.push_back({&law, &variant});
    }
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<LawOnVariant>& test) {
  std::string name = fmt::format("{}", test.param.law->name);
  std::ranges::replace(name, '-', '_');
  return name + "_on_" + test.param.variant->contract.name;
}

/// The checker of a variant, kept because its generator of cases is slow to make.
const LawChecker& checker(const Variant& variant, device::Device& device) {
  static std::map<const Variant*, LawChecker> checkers;
  const bool is_sparse = device.is_sparse();
  return checkers
      .try_emplace(&variant, variant, device,
                   generate::CaseOptions{.int32_overflow_strides = is_sparse})
      .first->second;
}

class EachLaw : public testing::TestWithParam<LawOnVariant> {};

TEST_P(EachLaw, HoldsOnEachVariant) {
  device::Device* const device = tested_device();
  if (device == nullptr) GTEST_SKIP() << "no GPU";
  const auto [law, variant] = GetParam();
  const bool has_clusters = variant->contract.launches.front().cluster.has_value();
  const CheckedLaw checked =
      checker(*variant, *device).check(*law, has_clusters ? kCasesOfClusters : kCases);
  EXPECT_FALSE(checked.failed) << checked.text;
  EXPECT_GT(checked.launched, 0) << "no case reached the device: " << checked.text;
}

INSTANTIATE_TEST_SUITE_P(Builtin, EachLaw, testing::ValuesIn(all_pairs()), test_name);

}  // namespace
}  // namespace warpcheck::campaign
