// Converts bytes to a case of a built-in variant and checks it. Built-in variants are correct, so
// any finding is a defect of warpcheck. The coverage of the kernels guides libFuzzer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/programs.hpp"
#include "contract/compile/variant.hpp"
#include "device/virtual/virtual_device.hpp"
#include "fuzz/bytes.hpp"
#include "fuzz/covering_device.hpp"
#include "fuzz/target.hpp"
#include "properties/law.hpp"

namespace {

using namespace warpcheck;
using campaign::Case;

constexpr std::int64_t kMostWork = 1 << 17;  // multiplications of a case

/// Returns an extent below 48, or next to a power of two that may be the extent of a tile.
std::int64_t size(fuzz::Bytes& bytes) {
  const std::size_t byte = bytes.byte();
  if (byte < 192) return static_cast<std::int64_t>(byte % 48);
  return (std::int64_t{16} << (byte % 4)) + static_cast<std::int64_t>(byte / 4 % 3) - 1;
}

campaign::Recipe recipe(const contract::Contract& contract, fuzz::Bytes& bytes) {
  using R = campaign::Recipe;
  constexpr std::array kExact{R::lattice, R::cancellation, R::spikes, R::onehot};
  constexpr std::array kAll{R::lattice, R::cancellation, R::spikes, R::onehot,
                            R::normal,  R::wide,         R::special};
  const bool rounds = unit_roundoff(contract.type_a) != 0.0;
  return rounds ? kAll[bytes.below(kAll.size())] : kExact[bytes.below(kExact.size())];
}

/// Integers come first: integer types take no other factors. The others have few bits, so that sums
/// of exact data stay exact.
double factor(const contract::Contract& contract, campaign::Recipe data, fuzz::Bytes& bytes) {
  constexpr std::array kFactors{0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 1.5, 0.7, -1.3, 3.0};
  const bool whole = contract.accumulate == ScalarType::s32;
  const bool rounds = data == campaign::Recipe::normal || data == campaign::Recipe::wide;
  return kFactors[bytes.below(whole ? 5 : rounds ? kFactors.size() : 7)];
}

Case sampled_case(const contract::Contract& contract, fuzz::Bytes& bytes) {
  Case sampled;
  sampled.variant = contract.name;
  sampled.m = size(bytes);
  sampled.n = size(bytes);
  sampled.k = size(bytes);
  const std::uint8_t flags = bytes.byte();
  sampled.ta = (flags & 1) != 0;
  sampled.tb = (flags & 2) != 0;
  sampled.batch = 1 + (flags >> 2) % 3;
  sampled.data = recipe(contract, bytes);
  sampled.alpha = factor(contract, sampled.data, bytes);
  sampled.beta = factor(contract, sampled.data, bytes);
  sampled.seed = bytes.bits(2);
  for (std::int64_t Case::*offset : {&Case::off_a, &Case::off_b, &Case::off_c, &Case::off_bias}) {
    sampled.*offset = static_cast<std::int64_t>(bytes.below(4));
  }
  sampled = normalized(contract, sampled);
  const auto widened = [&](std::int64_t tight) {
    const auto by = static_cast<std::int64_t>(bytes.below(20));
    return by == 0 ? 0 : std::max<std::int64_t>(1, tight) + by;
  };
  for (const campaign::StrideField& stride : campaign::stride_fields(contract)) {
    sampled.*stride.field = widened(stride.tight(contract, sampled));
  }
  return normalized(contract, sampled);
}

struct Target {
  explicit Target(const contract::Variant& given) : variant(given), solver(given.contract) {}

  const contract::Variant& variant;
  campaign::generate::Solver solver;
};

/// Returns a small case inside the domain; empty if the input leads to none.
std::optional<Case> case_of(const Target& target, fuzz::Bytes& bytes) {
  std::optional<Case> problem = target.solver.project(sampled_case(target.variant.contract, bytes));
  if (!problem) return problem;
  const std::int64_t work = problem->batch * std::max<std::int64_t>(1, problem->m) *
                            std::max<std::int64_t>(1, problem->n) *
                            std::max<std::int64_t>(1, problem->k);
  return work <= kMostWork ? problem : std::nullopt;
}

void check(const Target& target, const properties::Law& property, const Case& problem) {
  static fuzz::CoveringDevice device(device::make_virtual_device());
  static campaign::Programs programs(device);
  const campaign::RunContext context{target.variant, device, programs.of(target.variant), {}};
  campaign::checks::CheckResult answer;
  try {
    answer = campaign::check_property(context, property, problem, false);
  } catch (const InputError& error) {
    fuzz::fail(fmt::format("{}\nis rejected: {}", to_line(problem), error.what()));
  }
  if (answer.evidence.empty()) return;
  const Finding& finding = answer.evidence.front().finding;
  fuzz::fail(fmt::format("{}\n{}: {}", to_line(problem), name(finding.kind), finding.message));
}

/// Returns the built-in matrix products, or those of the .cu or folder in WARPCHECK_FUZZ_VARIANTS.
std::vector<contract::Variant> variants_to_check() {
  const char* path = std::getenv("WARPCHECK_FUZZ_VARIANTS");
  auto variants = path == nullptr ? contract::builtin_variants() : contract::variants_at(path);
  std::erase_if(variants, [](const auto& one) { return one.contract.tensors != nullptr; });
  return variants;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<contract::Variant> variants = variants_to_check();
  static const std::vector<Target> targets(variants.begin(), variants.end());
  fuzz::Bytes bytes(data, size);
  const Target& target = targets[bytes.below(targets.size())];
  const auto all = properties::laws();
  const properties::Law& property = all[bytes.below(all.size())];
  const auto generated = case_of(target, bytes);
  if (!generated) return 0;
  const auto problem = adapted_to_domain(property, target.variant.contract, *generated);
  if (problem) check(target, property, *problem);
  return 0;
}
