// The tiles of the outputs of a launch.
#include <algorithm>
#include <string>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/judge/error_map.hpp"
#include "campaign/judge/output_extents.hpp"

namespace warpcheck::campaign::judge {
namespace {

using contract::Contract;
using contract::LaunchStep;

constexpr std::int64_t kLargestTile = 1024;

/// Blocks of a launch; 0 where the grid has no value.
std::int64_t blocks(const Contract& contract, const LaunchStep& step, const Case& problem) {
  std::int64_t product = 1;
  for (const contract::Expression& axis : step.grid) {
    product *= axis.evaluate(bindings(contract, problem)).value_or(0);
  }
  return product;
}

/// Returns the step by which an extent grows each time before the grid grows; 0 if the grid never
/// grows, or not by such steps.
std::int64_t step_of_growth(const Contract& contract, const LaunchStep& step, const Case& problem,
                            const std::optional<CaseField>& extent) {
  if (!extent) return 0;
  const auto blocks_at = [&](std::int64_t size) {
    Case resized = problem;
    extent->set(resized, size);
    return blocks(contract, step, resized);
  };
  const std::int64_t one = blocks_at(1);
  std::int64_t size = 1;
  while (size <= kLargestTile && blocks_at(size + 1) <= one) ++size;
  if (size > kLargestTile) return 0;
  for (const std::int64_t times : {2, 3, 5, 8, 13}) {
    if (blocks_at(times * size) != times * one) return 0;
    if (blocks_at(times * size + 1) <= times * one) return 0;
  }
  return size;
}

/// Threads of a block along an axis; 0 where there is but one.
std::int64_t threads(const Contract& contract, const LaunchStep& step, const Case& problem,
                     std::size_t axis) {
  const std::int64_t count = step.block[axis].evaluate(bindings(contract, problem)).value_or(0);
  return count > 1 && count <= kLargestTile ? count : 0;
}

/// The output of this name, or the only one; null if there is neither.
const OperandShape* find_output(const CaseSchema& schema, std::string_view name) {
  std::vector<const OperandShape*> outputs;
  for (const OperandShape& operand : schema.operands) {
    if (operand.is_output) outputs.push_back(&operand);
  }
  if (outputs.size() == 1) return outputs.front();
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&](const auto* output) { return output->name == name; });
  return found == outputs.end() ? nullptr : *found;
}

}  // namespace

OutputExtents output_extents(const CaseSchema& schema, std::string_view output) {
  const OperandShape* const found = find_output(schema, output);
  if (found == nullptr || found->shape.empty()) return {};
  const auto field_of = [&](const std::string& size) {
    const auto number = schema.find(size);  // a size of a shape may also be a number or a sum
    return number ? std::optional(schema.fields[*number]) : std::nullopt;
  };
  OutputExtents extents;
  extents.columns = field_of(found->shape.back());
  const auto matrices = field_of(found->shape.front());
  const std::size_t rows = matrices && matrices->kind == CaseField::Kind::batch ? 1 : 0;
  if (found->shape.size() == rows + 2) extents.rows = field_of(found->shape[rows]);
  return extents;
}

Tile output_tile(const Contract& contract, const Case& problem, std::string_view output) {
  const CaseSchema schema = case_schema(contract);
  const OutputExtents extents = output_extents(schema, output);
  for (const LaunchStep& step : contract.launches) {
    if (!applies(contract, step, problem)) continue;
    Tile tile{step_of_growth(contract, step, problem, extents.rows),
              step_of_growth(contract, step, problem, extents.columns)};
    if (tile == Tile{}) continue;
    if (!schema.has_thread_axes) return tile;
    if (tile.rows == 0) tile.rows = threads(contract, step, problem, 1);
    if (tile.columns == 0) tile.columns = threads(contract, step, problem, 0);
    return tile;
  }
  return {};
}

}  // namespace warpcheck::campaign::judge
