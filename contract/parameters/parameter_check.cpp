#include "contract/parameters/parameter_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "contract/expression/expression_node.hpp"
#include "contract/parameters/parameter_format.hpp"
#include "contract/parameters/parameter_types.hpp"

namespace warpcheck::contract {
namespace {

struct Fit {
  std::vector<std::size_t> bytes;
  bool floating_allowed = false;
  bool integer_allowed = true;
  std::string_view what;
};

/// The parameters that fit this argument. A 16-bit float is passed as an aligned array of bytes, so
/// only its size can be checked.
Fit fit_of(const Argument& argument, const Contract& contract) {
  if (is_buffer(argument.word)) return {{8}, false, true, "an address"};
  switch (argument.word) {
    case ArgumentWord::alpha:
    case ArgumentWord::beta: {
      if (is_integer(contract.accumulate)) return {{4, 8}, true, true, "a number"};
      const bool halves = size_of(contract.accumulate) == 2 || size_of(contract.type_c) == 2;
      if (halves) return {{2, 4, 8}, true, true, "a floating-point number"};
      return {{4, 8}, true, false, "a floating-point number"};
    }
    case ArgumentWord::literal:
      return {{1, 2, 4, 8}, true, true, "a number"};
    case ArgumentWord::scalar:
      return {{2, 4, 8}, true, false, "a floating-point number"};
    case ArgumentWord::tensor_map:
      return {{128}, false, true, "a tensor map"};
    case ArgumentWord::expression:
      return {{1, 2, 4, 8}, true, true, "an integer"};
    case ArgumentWord::ta:
    case ArgumentWord::tb:
      return {{1, 4, 8}, false, true, "an integer"};
    default:
      return {{4, 8}, true, true, "an integer"};
  }
}

/// The elements of an operand or a tensor: the key of `types`, and the type.
struct Elements {
  std::string_view key;
  ScalarType type;
};

std::optional<Elements> elements_of(const Argument& argument, const Contract& contract) {
  switch (argument.word) {
    case ArgumentWord::tensor:
      return Elements{argument.text, contract.tensors->types.find(argument.text)->second};
    case ArgumentWord::a:
      return Elements{"a", contract.type_a};
    case ArgumentWord::b:
      return Elements{"b", contract.type_b};
    case ArgumentWord::c:
    case ArgumentWord::d:
    case ArgumentWord::bias:
      return Elements{"c", contract.type_c};
    default:
      return std::nullopt;
  }
}

/// A kernel may read elements of up to two bytes as parts of an int. The operands of a tf32 kernel
/// are floats.
bool can_hold(ScalarType parameter, ScalarType elements) {
  if (parameter == ScalarType::s32 && size_of(elements) < 4) return true;
  if (parameter == ScalarType::s8 && size_of(elements) == 1) return true;
  return parameter == (elements == ScalarType::tf32 ? ScalarType::f32 : elements);
}

/// The errors of operands whose elements have another type than the kernel's parameter addresses.
std::vector<Diagnostic> check_element_types(const Contract& contract, const LaunchStep& step,
                                            const ptx::EntryPoint& entry) {
  const std::vector<std::string> types =
      parameter_types(entry.signature.empty() ? entry.name : entry.signature);
  if (types.size() != step.arguments.size()) return {};
  std::vector<Diagnostic> errors;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Argument& argument = step.arguments[i];
    const auto elements = elements_of(argument, contract);
    const auto found = element_type(types[i]);
    if (!elements || !found || can_hold(*found, elements->type)) continue;
    errors.push_back(
        {argument.where,
         fmt::format("argument '{}' has elements of type {}, but parameter {} of kernel '{}' is "
                     "{}: expected types.{} = \"{}\"",
                     argument.text, name(elements->type), i + 1, step.kernel, types[i],
                     elements->key, name(*found)),
         {}});
  }
  return errors;
}

using Node = Expression::Node;

bool any_node(const Node& node, bool (*matches)(const Node&)) {
  return matches(node) || std::any_of(node.operands.begin(), node.operands.end(),
                                      [&](const auto& one) { return any_node(*one, matches); });
}

bool can_be_negative(const Node& node) {
  return node.op == Operator::subtract || node.op == Operator::negate;
}

/// True for a division whose divisor can be 0.
bool can_lack_value(const Node& node) {
  return (node.op == Operator::divide || node.op == Operator::remainder ||
          node.op == Operator::ceil_div) &&
         node.operands.back()->op != Operator::constant;
}

/// The text as an operand of a comparison.
std::string as_operand(const Expression& expression) {
  const bool is_condition = any_node(*expression.root(), [](const Node& node) {
    return node.op >= Operator::equal || node.op == Operator::logical_not;
  });
  return is_condition ? fmt::format("({})", expression.text()) : expression.text();
}

/// The reason that an argument does not fit its parameter in size or kind; empty if it fits.
std::string error_of(const Contract& contract, const LaunchStep& step, const ptx::EntryPoint& entry,
                     std::size_t number) {
  const Argument& argument = step.arguments[number];
  const ptx::EntryParameter& parameter = entry.parameters[number];
  const Fit fit = fit_of(argument, contract);
  const bool size_fits = std::ranges::find(fit.bytes, parameter.bytes) != fit.bytes.end();
  const bool kind_fits = parameter.floating
                             ? fit.floating_allowed
                             : fit.integer_allowed || (parameter.bytes == 2 && size_fits);
  if (!size_fits || !kind_fits) {
    return fmt::format(
        "argument '{}' is {} of {} bytes, but parameter {} of kernel '{}' {} {} bytes",
        argument.text, fit.what, fmt::join(fit.bytes, " or "), number + 1, step.kernel,
        parameter.floating ? "is a floating-point number of"
        : size_fits        ? "is an integer of"
                           : "has",
        parameter.bytes);
  }
  if (argument.word != ArgumentWord::literal) return {};
  const ParameterFormat format = parameter_formats(entry)[number];
  const std::string reason = misfit(argument.text, format);
  if (reason.empty()) return {};
  return fmt::format("argument '{}' does not fit parameter {} of kernel '{}', which is {}: {}",
                     argument.text, number + 1, step.kernel, format.name, reason);
}

}  // namespace

std::vector<Expression> parameter_conditions(const LaunchStep& step, const ptx::EntryPoint& entry) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  const std::vector<ParameterFormat> formats = parameter_formats(entry);
  std::vector<Expression> conditions;
  for (std::size_t i = 0; i < step.arguments.size() && i < entry.parameters.size(); ++i) {
    const Argument& argument = step.arguments[i];
    if (argument.word != ArgumentWord::expression) continue;
    // Memory bounds the sizes themselves.
    if (argument.value.root()->op == Operator::name) continue;
    const std::string operand = as_operand(argument.value);
    const auto add = [&](std::string_view relation, std::int64_t limit) {
      const std::string text = fmt::format("{} {} {}", operand, relation, limit);
      conditions.push_back(Expression::parse(text, argument.where));
    };
    const auto& root = *argument.value.root();
    const ParameterFormat& format = formats[i];
    const bool is_integer = format.kind == ParameterFormat::Kind::integer;
    if (is_integer && format.highest < static_cast<long double>(kHighest)) {
      add("<=", static_cast<std::int64_t>(format.highest));
    } else if (any_node(root, can_lack_value)) {
      add("<=", kHighest);
    }
    if (is_integer && format.lowest > -0x1p63L && any_node(root, can_be_negative)) {
      add(">=", static_cast<std::int64_t>(format.lowest));
    }
  }
  return conditions;
}

std::vector<Diagnostic> check_parameters(const Contract& contract, const LaunchStep& step,
                                         const ptx::EntryPoint& entry) {
  const std::size_t found = step.arguments.size();
  const std::size_t expected = entry.parameters.size();
  std::vector<Diagnostic> errors;
  if (found != expected) {
    errors.push_back({step.arguments_where,
                      fmt::format("{} argument{} for kernel '{}', which takes {}", found,
                                  found == 1 ? "" : "s", step.kernel, expected),
                      {}});
    return errors;
  }
  for (std::size_t i = 0; i < found; ++i) {
    const std::string message = error_of(contract, step, entry, i);
    if (!message.empty()) errors.push_back({step.arguments[i].where, message, {}});
  }
  for (Diagnostic& error : check_element_types(contract, step, entry)) {
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace warpcheck::contract
