#include "campaign/case/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/case/errors.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/operation_cases.hpp"

namespace warpcheck::campaign {
namespace {

using contract::Contract;

std::string line_text(const Placement& place) {
  return fmt::format("{} elements of a {} of {}", place.line().extent,
                     place.is_by_rows() ? "row" : "column", place.name);
}

/// Describes the elements that one index of an axis steps over.
std::string step_text(const OperandLayout& operand, const OperandLayout::Stride& stride) {
  const Placement& place = operand.place;
  const bool steps_over_lines = place.has_lines() && place.nest.size() > 2 &&
                                stride.axis == place.nest[place.nest.size() - 3];
  if (!steps_over_lines)
    return fmt::format("{} elements of one step in {}", stride.tight, place.name);
  return fmt::format("{} lines of {} elements of {}", place.axes[*place.axis_of_lines()].extent,
                     place.line_distance(), place.name);
}

/// Throws if the digits of an order are none.
void check_order(const Case& problem, const OperandFields& operand) {
  const std::optional<double> digits = problem.value(operand.order);
  const MemoryOrders& orders = operand.orders;
  if (!digits || orders.number_of(*digits)) return;
  throw case_error(
      problem, operand.order,
      fmt::format("{}={}: expected an order of the dimensions such as {:0{}}", operand.order,
                  *digits, static_cast<std::int64_t>(orders.digits(orders.count() - 1)),
                  orders.dimensions));
}

/// Throws if lines, matrices or other parts overlap.
void check_strides(const Case& problem, const OperandLayout& operand) {
  const Placement& place = operand.place;
  for (const OperandLayout::Stride& stride : operand.strides) {
    const Placement::Axis& axis = place.axes[stride.axis];
    const bool is_of_lines = stride.axis == place.axis_of_lines() && place.has_lines();
    // No stride steps over the outermost axis.
    const bool is_unused = axis.extent < 2 && stride.axis == place.nest.front() && !is_of_lines;
    if (axis.stride >= stride.tight || is_unused) continue;
    const std::string& field = stride.field.name;
    throw case_error(problem, field,
                     fmt::format("{}={} is less than the {}", field, axis.stride,
                                 is_of_lines ? line_text(place) : step_text(operand, stride)));
  }
}

/// Throws if the operand is too large.
void check_size(const Case& problem, OperandLayout& operand, std::size_t limit_bytes) {
  Placement& place = operand.place;
  if (pack_if_larger(place, limit_bytes)) return;
  const std::optional<std::int64_t> bytes = span_bytes(place);
  throw case_error(
      problem, operand.size_field,
      fmt::format("{} of {} x {} {} elements with leading dimension {} takes {} bytes: the "
                  "limit is {}",
                  place.name, place.rows, place.columns, name(place.type), place.line_distance(),
                  bytes ? fmt::to_string(*bytes) : "more than 2^63", limit_bytes));
}

}  // namespace

bool Layouts::any_packed() const {
  return std::any_of(operands.begin(), operands.end(),
                     [](const Placement& operand) { return operand.packed; });
}

const Placement* Layouts::find(std::string_view name) const {
  const auto found = std::find_if(operands.begin(), operands.end(),
                                  [&](const Placement& operand) { return operand.name == name; });
  return found == operands.end() ? nullptr : &*found;
}

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  const OperationCases& operation = operation_cases(contract);
  operation.check_values(contract, problem);
  Layouts layouts;
  for (const OperandFields& fields : operation.operands(contract, {})) {
    if (!fields.is_taken) continue;
    check_order(problem, fields);
    OperandLayout operand = operand_layout(fields, problem);
    check_strides(problem, operand);
    check_size(problem, operand, limit_bytes);
    if (operand.is_output) layouts.last_output = layouts.operands.size();
    layouts.operands.push_back(std::move(operand.place));
  }
  return layouts;
}

bool can_be_laid_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    (void)lay_out(contract, problem, limit_bytes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool fits(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  try {
    return !lay_out(contract, problem, limit_bytes).any_packed();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace warpcheck::campaign
