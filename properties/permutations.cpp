// Laws of permutations: a slice has the same result at another position.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/tensor_case.hpp"
#include "operation/slices.hpp"
#include "properties/laws.hpp"
#include "properties/slices.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;
using operation::IndependentExtent;

/// The extents along which a permutation of the operands permutes the outputs.
std::vector<IndependentExtent> permutable(const Contract& contract) {
  if (campaign::has_definition(contract)) {
    return operation::independent_extents(contract.tensors->operation);
  }
  // permuting-rows-permutes-rows has the rows, unless their bits are demanded of sums that round.
  std::vector<IndependentExtent> all = {{"n", {}}, {"batch", {}}};
  if (is_batch_invariant(contract, "m")) all.push_back({"m", {}});
  return all;
}

/// An extent of at least two slices, which the seed of the case chooses.
std::optional<IndependentExtent> chosen(const Contract& contract, const Case& problem) {
  std::vector<IndependentExtent> all = permutable(contract);
  std::erase_if(all, [&](const IndependentExtent& extent) {
    return campaign::tensor::extent(problem, extent.name) < 2;
  });
  if (all.empty()) return std::nullopt;
  return all[static_cast<std::size_t>(
      random_below(problem, 2, static_cast<std::int64_t>(all.size())))];
}

/// The slices of an extent, moved by a random distance: the first ones follow the last one.
Slices rotated(const Case& problem, const std::string& extent) {
  Slices slices{extent, campaign::tensor::extent(problem, extent), {}};
  const std::int64_t distance = 1 + random_below(problem, 3, slices.of - 1);
  for (std::int64_t i = 0; i < slices.of; ++i) slices.from.push_back((i + distance) % slices.of);
  return slices;
}

/// Gives the slices that integers name the numbers that they have after the permutation.
void renumber(reference::TensorData& numbers, const Slices& slices) {
  for (double& number : numbers.values) {
    if (number < 0.0 || number >= static_cast<double>(slices.of)) continue;
    const auto at = std::ranges::find(slices.from, static_cast<std::int64_t>(number));
    number = static_cast<double>(at - slices.from.begin());
  }
}

/// Sums that round, if the contract promises that their bits do not depend on the position;
/// otherwise sums that are exact in every order, if data have such.
Case for_permutation(const Contract& contract, const Case& problem) {
  const auto extent = chosen(contract, problem);
  if (extent && is_batch_invariant(contract, extent->name)) {
    return with_rounded_sums(contract, problem);
  }
  return has<Trait::sums_exactly>(contract) ? with_exact_sums(contract, problem) : problem;
}

CheckResult permutes_slices(run::Runner& runner, const Case& problem) {
  const Inputs inputs(runner, problem);
  const Contract& contract = inputs.contract();
  const auto extent = chosen(contract, problem);
  if (!extent) return {};
  const Slices slices = rotated(problem, extent->name);
  run::Operands permuted = slices_of(contract, problem, inputs.operands(), slices);
  for (const std::string& input : extent->numbers) renumber(permuted.tensors.at(input), slices);
  const run::Problem whole = inputs.usual();
  Relation relation{.origin = [&](const Placement& output, Place element) {
    return element_of_whole(contract, output, element, slices);
  }};
  std::shared_ptr<const reference::ExpectedTensors> expected;
  if (campaign::has_definition(contract) && !is_batch_invariant(contract, extent->name)) {
    expected = expected_outputs(runner, whole);
    relation.allows = [&](const Placement& output, Place element, double got, double before) {
      const Place from = element_of_whole(contract, output, element, slices);
      const auto at = static_cast<std::size_t>(from.row * output.columns + from.column);
      const reference::ExpectedTensor& values = expected->find(output.name)->second;
      return values.accepts(at, got) && values.accepts(at, before);
    };
  }
  return same_bits(runner, {fmt::format("the slices of {} in order", slices.extent), whole},
                   {fmt::format("slice {} of {} first", slices.from.front(), slices.extent),
                    inputs.with(std::move(permuted))},
                   std::move(relation));
}

}  // namespace

const Law kPermutingSlicesPermutesSlices = {
    .name = "permuting-slices-permutes-slices",
    .sentence = "permuting columns or products of a batch permutes those of D",
    .sentence_for_operations =
        "permuting slices that the operation computes alike permutes those of the outputs",
    .applies = [](const Contract& contract) { return !permutable(contract).empty(); },
    .adapted = for_permutation,
    .check = permutes_slices,
    .broken_by = "d79_sums_by_the_number_of_the_expert",
};

}  // namespace warpcheck::properties
