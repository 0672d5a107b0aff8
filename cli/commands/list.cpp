#include <fmt/format.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/process/interruption.hpp"
#include "campaign/case/schema.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using contract::Contract;

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

/// "a f32 row, b f32 row, c f32 row", "x f32, y f32".
std::string operands(const Contract& contract) {
  std::string text;
  for (const campaign::OperandShape& operand : campaign::case_schema(contract).operands) {
    if (!operand.is_taken) continue;
    text += fmt::format("{}{} {}{}{}", text.empty() ? "" : ", ", operand.argument,
                        name(operand.type), operand.layout.empty() ? "" : " ", operand.layout);
  }
  return text;
}

void print(const Contract& contract) {
  std::cout << fmt::format("  {}\n", contract.name);
  for (const contract::LaunchStep& step : contract.launches) {
    std::cout << fmt::format("    {}\n", call(step));
  }
  std::cout << fmt::format("    {}: {}, accumulated in {}{}\n    requires {}\n", contract.operation,
                           operands(contract), name(contract.accumulate),
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
