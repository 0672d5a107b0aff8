#include <fmt/format.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using contract::Contract;
using contract::Layout;

std::string operand(ScalarType type, Layout layout) {
  return fmt::format("{} {}", name(type), layout == Layout::row ? "row" : "col");
}

/// The conditions of `requires`, or "any case".
std::string domain(const Contract& contract) {
  std::string text;
  for (const contract::Expression& condition : contract.requires_) {
    text += (text.empty() ? "" : " and ") + condition.text();
  }
  return text.empty() ? "any case" : text;
}

/// "kernel(a, b, c)".
std::string call(const contract::LaunchStep& step) {
  std::string text;
  for (const contract::Argument& argument : step.arguments) {
    text += (text.empty() ? "" : ", ") + argument.text;
  }
  return fmt::format("{}({})", step.kernel, text);
}

/// "gemm: a f32 row, b f32 row, c f32 row" or "softmax: x f32, y f32".
std::string operands(const Contract& contract) {
  if (contract.tensors == nullptr) {
    return fmt::format(
        "{}: a {}, b {}, c {}", contract.operation, operand(contract.type_a, contract.layout_a),
        operand(contract.type_b, contract.layout_b), operand(contract.type_c, contract.layout_c));
  }
  std::string text;
  for (const operation::Tensor& tensor : contract.tensors->tensors) {
    const ScalarType type = contract.tensors->types.find(tensor.name)->second;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", tensor.name, name(type));
  }
  return fmt::format("{}: {}", contract.operation, text);
}

void print(const Contract& contract) {
  std::cout << fmt::format("  {}\n", contract.name);
  for (const contract::LaunchStep& step : contract.launches) {
    std::cout << fmt::format("    {}\n", call(step));
  }
  std::cout << fmt::format("    {}, accumulated in {}{}\n    requires {}\n", operands(contract),
                           name(contract.accumulate),
                           contract.tensor_cores ? " by tensor cores" : "", domain(contract));
}

}  // namespace

int run(const ListCommand& command) {
  (void)interruptible();
  const auto resolved = workflows::targets::resolve_each_target(command.targets);
  print_cache_note(resolved.targets);
  std::cout << "devices\n";
  for (const std::string& line : describe_devices()) std::cout << "  " << line << '\n';
  std::cout << "variants\n";
  for (const auto& [variant, path] : resolved.targets) print(variant.contract);
  print_errors(resolved.errors);
  return resolved.errors.empty() ? kPassed : kInputError;
}

}  // namespace warpcheck::cli
