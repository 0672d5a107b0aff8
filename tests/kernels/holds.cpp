#include "tests/kernels/holds.hpp"

#include <algorithm>

#include "properties/checks/property.hpp"
#include "properties/generate/cases.hpp"

namespace warpcheck::properties::checks {
namespace {

constexpr std::uint64_t kSeed = 20261121;
constexpr std::int64_t kCases = 12;
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

/// A tensor map has no extent of 0: its contract excludes k = 0.
bool excludes(const contract::Contract& contract, const Property& property) {
  return property.name == "k-zero-scales-c" && !contract.tensor_maps.empty();
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const contract::Variant& variant : builtin_variants()) {
    for (const Property& property : properties()) {
      if (!property.applies(variant.contract) || excludes(variant.contract, property)) continue;
      all.push_back({variant.contract.name, property.name});
    }
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<Claim>& info) {
  std::string name = info.param.variant + "_" + std::string(info.param.property);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void expect_holds(const Claim& claim, device::Device& device) {
  const contract::Variant& variant = variant_named(claim.variant);
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  const Property& checked = property(claim.property);
  const generate::CaseGenerator generator(variant.contract, kSeed, device.is_sparse());
  int launched = 0;
  const std::int64_t cases = variant.contract.launches.front().cluster ? kCasesOfClusters : kCases;
  for (std::int64_t i = 0; i < cases; ++i) {
    const auto problem = adapted_to_domain(checked, variant.contract, generator.draw(i).problem);
    if (!problem) continue;
    SCOPED_TRACE(to_line(*problem));
    run::Runner runner(variant, device, *program);
    const PropertyResult result = run_property(checked, runner, *problem);
    launched += result.launched ? 1 : 0;
    for (const run::Evidence& evidence : result.evidence) {
      ADD_FAILURE() << name(evidence.finding.kind) << ": " << evidence.finding.message;
    }
  }
  EXPECT_GT(launched, 0) << "no case reached the device";
}

}  // namespace warpcheck::properties::checks
