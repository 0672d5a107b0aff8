// Laws of batches: what else is computed at the same time does not matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/errors.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/tensor_case.hpp"
#include "operation/slices.hpp"
#include "properties/laws.hpp"
#include "properties/slices.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;

/// Slices first, first + 1 ... of an extent that has `of` slices.
struct Window {
  std::string extent;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t of = 0;

  /// "only index 2 of m = 4", "only indices 2 to 5 of m = 9".
  [[nodiscard]] std::string text() const {
    const std::string indices = count == 1
                                    ? fmt::format("index {}", first)
                                    : fmt::format("indices {} to {}", first, first + count - 1);
    return fmt::format("only {} of {} = {}", indices, extent, of);
  }

  [[nodiscard]] Slices slices() const {
    Slices all{extent, of, {}};
    for (std::int64_t i = 0; i < count; ++i) all.from.push_back(first + i);
    return all;
  }
};

/// Extents whose slices are groups, such as experts, have no windows: other operands name the
/// groups by their numbers.
std::vector<std::string> extents_with_windows(const Contract& contract) {
  std::vector<std::string> extents = contract.batch_invariant;
  if (!campaign::has_definition(contract)) return extents;
  const operation::Operation& operation = contract.tensors->operation;
  const auto independent = operation::independent_extents(operation);
  for (const operation::GroupedExtent& grouped : operation::grouped_extents(operation)) {
    const bool has_windows =
        grouped.numbers.empty() &&
        std::ranges::find(independent, grouped.name, &operation::IndependentExtent::name) !=
            independent.end();
    if (!has_windows) std::erase(extents, grouped.name);
  }
  return extents;
}

/// Windows of a case that the contract admits as cases of their own, in an order that the seed
/// chooses: single slices first.
std::optional<Window> window_of(const Contract& contract, const Case& problem) {
  const std::vector<std::string> extents = extents_with_windows(contract);
  constexpr std::array<std::int64_t, 8> kCounts = {1, 2, 3, 4, 8, 16, 32, 64};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t number = (i + problem.seed) % extents.size();
    const std::int64_t all = campaign::tensor::extent(problem, extents[number]);
    for (const std::int64_t count : kCounts) {
      if (count >= all) break;
      const std::int64_t first = random_below(problem, 1, all - count + 1);
      const Window window{extents[number], first, count, all};
      const Case part = with_extent(contract, problem, window.extent, count);
      const bool is_case =
          !violated(contract, part) && can_be_laid_out(contract, part, run::kBufferLimitBytes);
      if (is_case) return window;
    }
  }
  return std::nullopt;
}

/// Throws InputError if the window of the outputs is not what the operation defines for the window
/// of the inputs: a slice then depends on others, or on its number.
void require_independence(const run::Runner& runner, const run::Problem& whole,
                          const run::Problem& part, const Window& window) {
  const Contract& contract = whole.variant->contract;
  const auto all = expected_outputs(runner, whole);
  const auto some = expected_outputs(runner, part);
  for (const operation::Tensor& output : contract.tensors->operation.outputs) {
    const auto expected = slices_of(all->at(output.name).value, output.shape, window.slices());
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    if (std::ranges::equal(expected.values, some->at(output.name).value.values, same)) continue;
    throw campaign::case_error(
        whole.line, "",
        fmt::format("`batch_invariant` names {}, but a slice of {} depends on other slices, or on "
                    "its number",
                    window.extent, output.name));
  }
}

CheckResult has_same_bits_alone(run::Runner& runner, const Case& problem) {
  const Inputs inputs(runner, problem);
  const Contract& contract = inputs.contract();
  const auto window = window_of(contract, problem);
  if (!window) return {};
  const Slices slices = window->slices();
  const Case part = with_extent(contract, problem, window->extent, window->count);
  const run::Problem whole = inputs.usual();
  const run::Problem alone = run::make_problem(
      runner.variant(), part, slices_of(contract, problem, inputs.operands(), slices),
      run::usual_poison(part));
  if (campaign::has_definition(contract)) {
    require_independence(runner, whole, alone, *window);
  }
  return same_bits(runner, {fmt::format("all of {} = {}", window->extent, window->of), whole},
                   {window->text(), alone}, {.origin = [&](const Placement& output, Place element) {
                     return element_of_whole(contract, output, element, slices);
                   }});
}

}  // namespace

const Law kBatchInvariance = {
    .name = "batch-invariance",
    .sentence = "the bits of a row depend neither on m, nor on the batch, nor on other rows",
    .sentence_for_operations =
        "the bits of a slice depend neither on the number of slices nor on the others",
    .applies = [](const Contract& contract) { return !extents_with_windows(contract).empty(); },
    .adapted = with_rounded_sums,
    .check = has_same_bits_alone,
    .broken_by = "d78_sums_by_the_number_of_rows",
};

}  // namespace warpcheck::properties
