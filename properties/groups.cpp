// Laws of groups: those without a member do not matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "operation/slices.hpp"
#include "properties/laws.hpp"
#include "properties/slices.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;
using operation::GroupedExtent;
using reference::ExpectedTensors;
using reference::TensorData;

/// Empty groups before group number `first` of `of` groups.
struct EmptyGroups {
  GroupedExtent extent;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t of = 0;

  /// "2 empty groups before number 3 of experts = 5", "1 empty group after experts = 5".
  [[nodiscard]] std::string text() const {
    const std::string groups =
        count == 1 ? "an empty group" : fmt::format("{} empty groups", count);
    return first == of
               ? fmt::format("{} after {} = {}", groups, extent.name, of)
               : fmt::format("{} before number {} of {} = {}", groups, first, extent.name, of);
  }

  [[nodiscard]] bool is_new(std::int64_t number) const {
    return number >= first && number < first + count;
  }
  /// The number that a group has among the others and the new ones.
  [[nodiscard]] std::int64_t moved(std::int64_t number) const {
    return number < first ? number : number + count;
  }
  /// The slices of the result that are those of the case.
  [[nodiscard]] Slices kept() const {
    Slices slices{extent.name, of + count, {}};
    for (std::int64_t i = 0; i < of; ++i) slices.from.push_back(moved(i));
    return slices;
  }
};

std::vector<GroupedExtent> grouped(const Contract& contract) {
  if (!campaign::has_definition(contract)) return {};
  return operation::grouped_extents(contract.tensors->operation);
}

bool is_case(const Contract& contract, const Case& problem) {
  return !violated(contract, problem) && can_be_laid_out(contract, problem, run::kBufferLimitBytes);
}

/// A number of groups that the contract admits besides those of the case.
std::optional<std::int64_t> added_groups(const Contract& contract, const Case& problem,
                                         const std::string& extent, std::int64_t groups) {
  std::array<std::int64_t, 8> counts = {1, 2, 3, 4, 8, 16, 32, 64};
  constexpr std::int64_t kFew = 5;
  std::ranges::rotate(counts, counts.begin() + random_below(problem, 5, kFew));
  const auto found = std::ranges::find_if(counts, [&](std::int64_t more) {
    return is_case(contract, with_extent(contract, problem, extent, groups + more));
  });
  return found == counts.end() ? std::nullopt : std::optional(*found);
}

/// Groups to add, at a place that the seed chooses, and after the last one.
std::vector<EmptyGroups> candidates(const Contract& contract, const Case& problem) {
  std::vector<EmptyGroups> all;
  for (const GroupedExtent& extent : grouped(contract)) {
    const std::int64_t groups = campaign::tensor::extent(problem, extent.name);
    const auto count = added_groups(contract, problem, extent.name, groups);
    if (groups == 0 || !count) continue;
    for (const std::int64_t first : {random_below(problem, 4, groups + 1), groups}) {
      all.push_back({extent, first, *count, groups});
    }
  }
  const std::size_t turn = all.empty() ? 0 : problem.seed % all.size();
  std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(turn));
  return all;
}

/// The values of an input with an integer for each group. A new group of an ascending input ends
/// where the previous one ends; of another one, its size is 0.
void make_empty(TensorData& values, const TensorData& before, const operation::Tensor& input,
                const EmptyGroups& groups) {
  std::size_t inner = 1;  // elements of a slice
  std::size_t d = input.shape.size();
  const std::string limits = operation::limits_of(groups.extent.name);
  while (input.shape[--d] != groups.extent.name && input.shape[d] != limits) {
    inner *= static_cast<std::size_t>(values.extents[d]);
  }
  const auto count = static_cast<std::size_t>(values.extents[d]);
  const auto count_before = static_cast<std::size_t>(before.extents[d]);
  const auto added = static_cast<std::size_t>(groups.count);
  // The limits of an empty group are equal.
  const bool has_limits = input.shape[d] == limits;
  const auto first = static_cast<std::size_t>(groups.first) + (has_limits ? 1 : 0);
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    const std::size_t number = i / inner % count;
    const std::size_t row = i / inner / count * count_before * inner + i % inner;
    const auto old = [&](std::size_t at) { return before.values[row + at * inner]; };
    if (number < first) {
      values.values[i] = old(number);
    } else if (number >= first + added) {
      values.values[i] = old(number - added);
    } else {
      values.values[i] = input.sorted && first > 0 ? old(first - 1) : 0.0;
    }
  }
}

/// The elements of the case among those of a case with more groups.
void keep_elements(TensorData& values, const TensorData& before, const operation::Tensor& input,
                   const Slices& kept) {
  const TensorData positions{values.extents, {}};
  TensorData numbers = positions;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    numbers.values.push_back(static_cast<double>(i));
  }
  const TensorData to = slices_of(numbers, input.shape, kept);
  for (std::size_t i = 0; i < to.values.size(); ++i) {
    values.values[static_cast<std::size_t>(to.values[i])] = before.values[i];
  }
}

/// The operands of the case, with those of the larger one in the new groups. Empty if an integer
/// would be out of its range, or might not be distinct.
std::optional<run::Operands> with_empty_groups(const Contract& contract, const Case& larger,
                                               const run::Operands& before,
                                               const EmptyGroups& groups) {
  run::Operands all = run::operands(contract, larger);
  for (const operation::Tensor& input : contract.tensors->operation.inputs) {
    TensorData& values = all.tensors.at(input.name);
    const TensorData& old = before.tensors.at(input.name);
    const bool has_extent = values.values.size() != old.values.size();
    // The integers of new groups might be those of others.
    if (has_extent && input.distinct != operation::Distinct::none) return std::nullopt;
    if (groups.extent.counts.contains(input.name)) {
      make_empty(values, old, input, groups);
    } else {
      keep_elements(values, old, input, groups.kept());
    }
    if (!input.integer) continue;
    const auto [low, high] = campaign::generate::integer_limits(*contract.tensors, larger, input);
    for (double& value : values.values) {
      const bool is_number = groups.extent.numbers.contains(input.name) && value >= 0.0;
      if (is_number) value = static_cast<double>(groups.moved(static_cast<std::int64_t>(value)));
      if (value < low || value > high) return std::nullopt;
    }
  }
  return all;
}

/// True if the operation defines the same outputs, apart from those of the new groups.
bool are_same(const Contract& contract, const ExpectedTensors& before, const ExpectedTensors& after,
              const EmptyGroups& groups) {
  const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
  return std::ranges::all_of(
      contract.tensors->operation.outputs, [&](const operation::Tensor& output) {
        const TensorData kept = slices_of(after.at(output.name).value, output.shape, groups.kept());
        return std::ranges::equal(kept.values, before.at(output.name).value.values, same);
      });
}

/// The element of the case that is this one of an output with more groups; nullopt for one of a new
/// group.
std::optional<Place> element_of_case(const Contract& contract, const Placement& output,
                                     Place element, const EmptyGroups& groups) {
  const std::vector<std::string>& names = tensor(contract, output.name).shape;
  std::int64_t position = element.row * output.columns + element.column;
  std::int64_t whole = 0;
  std::int64_t step = 1;
  std::int64_t columns = output.columns;
  for (std::size_t d = names.size(); d-- > 0;) {
    std::int64_t index = position % output.shape[d];
    std::int64_t size = output.shape[d];
    position /= size;
    if (names[d] == groups.extent.name) {
      if (groups.is_new(index)) return std::nullopt;
      if (index >= groups.first) index -= groups.count;
      size = groups.of;
      if (d + 1 == names.size()) columns = size;
    }
    whole += step * index;
    step *= size;
  }
  return Place{whole / columns, whole % columns};
}

Case for_groups(const Contract& contract, const Case& problem) {
  const bool demands_bits = std::ranges::any_of(grouped(contract), [&](const GroupedExtent& one) {
    return is_batch_invariant(contract, one.name);
  });
  return demands_bits ? with_rounded_sums(contract, problem) : problem;
}

/// Compares the outputs of two problems; the second one has empty groups besides.
CheckResult compare_outputs(run::Runner& runner, run::Problem before, run::Problem after,
                            const EmptyGroups& groups, const ExpectedTensors& expected,
                            const ExpectedTensors& expected_after) {
  const Contract& contract = runner.variant().contract;
  Relation relation{.origin = [&](const Placement& output, Place element) {
    return element_of_case(contract, output, element, groups);
  }};
  const auto accepts = [](const ExpectedTensors& all, const Placement& output, Place element,
                          std::int64_t columns, double value) {
    const auto at = static_cast<std::size_t>(element.row * columns + element.column);
    return all.find(output.name)->second.accepts(at, value);
  };
  if (!is_batch_invariant(contract, groups.extent.name)) {
    relation.allows = [&, accepts](const Placement& output, Place element, double got, double old) {
      const auto from = element_of_case(contract, output, element, groups);
      const bool is_last = tensor(contract, output.name).shape.back() == groups.extent.name;
      return accepts(expected_after, output, element, output.columns, got) &&
             accepts(expected, output, *from, is_last ? groups.of : output.columns, old);
    };
  }
  return same_bits(runner, {"the groups as generated", std::move(before)},
                   {groups.text(), std::move(after)}, std::move(relation));
}

CheckResult ignores_empty_groups(run::Runner& runner, const Case& problem) {
  const Inputs inputs(runner, problem);
  const Contract& contract = inputs.contract();
  const std::vector<EmptyGroups> all = candidates(contract, problem);
  if (all.empty()) return {};
  const run::Problem before = inputs.usual();
  const auto expected = expected_outputs(runner, before);
  for (const EmptyGroups& groups : all) {
    const Case larger =
        with_extent(contract, problem, groups.extent.name, groups.of + groups.count);
    auto operands = with_empty_groups(contract, larger, inputs.operands(), groups);
    if (!operands) continue;
    run::Problem after = run::make_problem(runner.variant(), larger, std::move(*operands),
                                           run::usual_poison(larger));
    const auto expected_after = expected_outputs(runner, after);
    // In a definition where the last group has all that remains, a group after it is not empty.
    if (!are_same(contract, *expected, *expected_after, groups)) continue;
    return compare_outputs(runner, before, std::move(after), groups, *expected, *expected_after);
  }
  return {};
}

}  // namespace

const Law kEmptyGroupsChangeNothing = {
    .name = "empty-groups-change-nothing",
    .sentence = "groups without members change no output of the others",
    .applies = [](const Contract& contract) { return !grouped(contract).empty(); },
    .adapted = for_groups,
    .check = ignores_empty_groups,
    .broken_by = "d80_halves_of_many_groups",
};

}  // namespace warpcheck::properties
