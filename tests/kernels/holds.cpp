#include "tests/kernels/holds.hpp"

#include <map>
#include <stdexcept>
#include <string_view>

#include "campaign/generate/cases.hpp"
#include "campaign/run/devices/memoizing_device.hpp"
#include "contract/compile/variant.hpp"
#include "properties/law.hpp"
#include "tests/base/time_factor.hpp"

namespace warpcheck::campaign::checks {
namespace {

constexpr std::uint64_t kSeed = 20261121;
constexpr std::int64_t kCases = kTimeFactor == 1 ? 12 : 3;  // sanitizers take minutes for a shard
constexpr std::int64_t kCasesOfClusters = 3;  // whose tiles of 256 x 256 take a fifth of a second

const std::vector<contract::Variant>& builtin_variants() {
  static const std::vector<contract::Variant> variants = contract::builtin_variants();
  return variants;
}

const contract::Variant& variant_named(const std::string& name) {
  for (const contract::Variant& variant : builtin_variants()) {
    if (variant.contract.name == name) return variant;
  }
  throw std::invalid_argument(name);
}

/// The kernels of operations are checked by tests/tool/specimens/operations_test.cpp.
bool is_product(const contract::Variant& variant) { return variant.contract.tensors == nullptr; }

/// A tensor map has no extent of 0: its contract excludes k = 0.
bool excludes(const contract::Contract& contract, const properties::Law& property) {
  return property.name == "k-zero-scales-c" && !contract.tensor_maps.empty();
}

/// Returns whether the device ran a launch.
bool expect_holds(const properties::Law& checked, run::Runner& runner, const Case& problem) {
  SCOPED_TRACE(std::string(checked.name) + ": " + to_line(problem));
  const CheckResult result = properties::check_law(checked, runner, problem);
  for (const run::Evidence& evidence : result.evidence) {
    ADD_FAILURE() << name(evidence.finding.kind) << ": " << evidence.finding.message;
  }
  return result.launched;
}

}  // namespace

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const contract::Variant& variant : builtin_variants()) {
    if (is_product(variant)) names.push_back(variant.contract.name);
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

void expect_properties_hold(const std::string& name, device::Device& device) {
  const contract::Variant& variant = variant_named(name);
  const contract::Contract& contract = variant.contract;
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  const generate::CaseGenerator source(
      variant, {.seed = kSeed, .int32_overflow_strides = device.is_sparse()});
  std::map<std::string_view, int> launched;
  const std::int64_t cases = contract.launches.front().cluster ? kCasesOfClusters : kCases;
  for (std::int64_t i = 0; i < cases; ++i) {
    const Case generated = source.draw(i).problem;
    run::MemoizingDevice once(device);
    run::Runner runner(variant, once, *program);
    for (const properties::Law& checked : properties::laws()) {
      if (!checked.applies(contract) || excludes(contract, checked)) continue;
      const auto problem = properties::adapted_to_domain(checked, contract, generated);
      launched[checked.name] += problem && expect_holds(checked, runner, *problem) ? 1 : 0;
    }
  }
  for (const auto& [property, launches] : launched) {
    EXPECT_GT(launches, 0) << property << ": no case reached the device";
  }
}

}  // namespace warpcheck::campaign::checks
