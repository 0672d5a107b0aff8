// Laws of batches: what else is computed at the same time does not matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/errors.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"
#include "reference/evaluate/evaluate.hpp"

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
};

/// A part of a problem, with the data of the whole.
struct Part {
  Case problem;
  run::Operands operands;
};

std::int64_t extent_of(const Contract& contract, const Case& problem, const std::string& name) {
  if (!has<Trait::is_product>(contract)) return campaign::tensor::extent(problem, name);
  return name == "m" ? problem.m : problem.batch;
}

Case with_extent(const Contract& contract, Case problem, const Window& window) {
  if (!has<Trait::is_product>(contract)) {
    problem.set_value(window.extent, static_cast<double>(window.count));
    campaign::tensor::reset_short_strides(contract, problem);
  } else {
    (window.extent == "m" ? problem.m : problem.batch) = window.count;
  }
  return normalized(contract, problem);
}

/// Data of which the order of a sum shows in its bits.
Case with_rounded_sums(const Contract&, const Case& problem) {
  Case changed = problem;
  if (changed.data != Recipe::wide) changed.data = Recipe::normal;
  return changed;
}

/// Windows of a case that the contract admits as cases of their own, in an order that the seed
/// chooses: single slices first.
std::optional<Window> window_of(const Contract& contract, const Case& problem) {
  const std::vector<std::string>& extents = contract.batch_invariant;
  constexpr std::array<std::int64_t, 8> kCounts = {1, 2, 3, 4, 8, 16, 32, 64};
  const auto random = [&](std::uint64_t number, std::int64_t below) {
    return static_cast<std::int64_t>(mixed(problem.seed, number) %
                                     static_cast<std::uint64_t>(below));
  };
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t number = (i + problem.seed) % extents.size();
    const std::int64_t all = extent_of(contract, problem, extents[number]);
    for (const std::int64_t count : kCounts) {
      if (count >= all) break;
      const Window window{extents[number], random(1, all - count + 1), count, all};
      const Case part = with_extent(contract, problem, window);
      const bool is_case =
          !violated(contract, part) && can_be_laid_out(contract, part, run::kBufferLimitBytes);
      if (is_case) return window;
    }
  }
  return std::nullopt;
}

/// Rows first, first + 1 ... of each of `groups` groups of `of` rows.
reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t groups,
                          const Window& window) {
  reference::Matrix part = matrix;
  part.rows = groups * window.count;
  part.values.clear();
  for (std::int64_t group = 0; group < groups; ++group) {
    const reference::Matrix rows =
        run::rows_of(matrix, group * window.of + window.first, window.count);
    part.values.insert(part.values.end(), rows.values.begin(), rows.values.end());
  }
  return part;
}

/// A window of the rows of A and C of each product, or of the products.
run::Operands part_of_product(const Case& problem, const run::Operands& all, const Window& window) {
  run::Operands part = all;
  if (window.extent == "m") {
    part.a = rows_of(all.a, problem.batch, window);
    if (all.c.rows != 0) part.c = rows_of(all.c, problem.batch, window);
    return part;
  }
  for (reference::Matrix run::Operands::*const operand :
       {&run::Operands::a, &run::Operands::b, &run::Operands::c}) {
    const std::int64_t lines = (all.*operand).rows / problem.batch;
    const Window rows{"", window.first * lines, window.count * lines, 0};
    if (lines != 0) part.*operand = rows_of(all.*operand, 1, rows);
  }
  return part;
}

/// The position of an element of a dense tensor, when the dimension `name` begins at `first`.
std::int64_t position_in_whole(std::int64_t position, const std::vector<std::string>& names,
                               const std::vector<std::int64_t>& shape, const Window& window) {
  std::int64_t whole = 0;
  std::int64_t step = 1;  // elements of the whole tensor from one index to the next
  for (std::size_t d = shape.size(); d-- > 0;) {
    const bool is_cut = names[d] == window.extent;
    const std::int64_t index = position % shape[d] + (is_cut ? window.first : 0);
    position /= shape[d];
    whole += index * step;
    step *= is_cut ? window.of : shape[d];
  }
  return whole;
}

/// The window of a tensor whose dimensions have these names.
reference::TensorData part_of(const reference::TensorData& all,
                              const std::vector<std::string>& names, const Window& window) {
  reference::TensorData part;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < all.extents.size(); ++d) {
    part.extents.push_back(names[d] == window.extent ? window.count : all.extents[d]);
    count *= part.extents.back();
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = position_in_whole(i, names, part.extents, window);
    part.values.push_back(all.values[static_cast<std::size_t>(from)]);
  }
  return part;
}

/// Throws InputError if the window of the outputs is not what the operation defines for the window
/// of the inputs: a slice then depends on others, or on its number.
void require_independence(const run::Problem& whole, const run::Problem& part,
                          const Window& window) {
  const Contract& contract = whole.variant->contract;
  const auto all = reference::evaluate(run::tensor_problem(whole));
  const auto some = reference::evaluate(run::tensor_problem(part));
  for (const operation::Tensor& output : contract.tensors->operation.outputs) {
    const auto expected = part_of(all.at(output.name).value, output.shape, window);
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    if (std::ranges::equal(expected.values, some.at(output.name).value.values, same)) continue;
    throw campaign::case_error(
        whole.line, "",
        fmt::format("`batch_invariant` names {}, but a slice of {} depends on other slices, or on "
                    "its number",
                    window.extent, output.name));
  }
}

Part part_of(const Contract& contract, const Case& problem, const run::Operands& all,
             const Window& window) {
  Part part{with_extent(contract, problem, window), all};
  if (has<Trait::is_product>(contract)) {
    part.operands = part_of_product(problem, all, window);
    return part;
  }
  for (const operation::Tensor& input : contract.tensors->operation.inputs) {
    reference::TensorData& values = part.operands.tensors.at(input.name);
    values = part_of(values, input.shape, window);
  }
  return part;
}

/// The element of the whole output that is this element of the part.
Place element_of_whole(const Contract& contract, const Placement& output, Place element,
                       const Window& window) {
  if (!has<Trait::is_product>(contract)) {
    const auto& tensors = contract.tensors->operation.outputs;
    const auto tensor = std::ranges::find(tensors, output.name, &operation::Tensor::name);
    const std::int64_t position = element.row * output.columns + element.column;
    const std::int64_t whole = position_in_whole(position, tensor->shape, output.shape, window);
    const bool is_last = !tensor->shape.empty() && tensor->shape.back() == window.extent;
    const std::int64_t columns = is_last ? window.of : output.columns;
    return {whole / columns, whole % columns};
  }
  if (window.extent == "batch") return {window.first * output.rows + element.row, element.column};
  const std::int64_t product = element.row / window.count;
  return {product * window.of + window.first + element.row % window.count, element.column};
}

CheckResult has_same_bits_alone(run::Runner& runner, const Case& problem) {
  const Inputs inputs(runner, problem);
  const Contract& contract = inputs.contract();
  const auto window = window_of(contract, problem);
  if (!window) return {};
  Part part = part_of(contract, problem, inputs.operands(), *window);
  const run::Problem whole = inputs.usual();
  const run::Problem alone = run::make_problem(
      runner.variant(), part.problem, std::move(part.operands), run::usual_poison(part.problem));
  if (!has<Trait::is_product>(contract)) require_independence(whole, alone, *window);
  return same_bits(runner, {fmt::format("all of {} = {}", window->extent, window->of), whole},
                   {window->text(), alone}, {.origin = [&](const Placement& output, Place element) {
                     return element_of_whole(contract, output, element, *window);
                   }});
}

}  // namespace

const Law kBatchInvariance = {
    .name = "batch-invariance",
    .sentence = "the bits of a row depend neither on m, nor on the batch, nor on other rows",
    .sentence_for_operations =
        "the bits of a slice depend neither on the number of slices nor on the others",
    .applies = [](const Contract& contract) { return !contract.batch_invariant.empty(); },
    .adapted = with_rounded_sums,
    .check = has_same_bits_alone,
    .broken_by = "d78_sums_by_the_number_of_rows",
};

}  // namespace warpcheck::properties
