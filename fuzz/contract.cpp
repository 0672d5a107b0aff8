// Checks contracts, in a .toml or in a comment of a .cu: each is read, or rejected with a located
// InputError. The expressions of a contract evaluate, or report that they do not.
#include "contract/contract.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "contract/kernel_source.hpp"
#include "fuzz/target.hpp"

namespace {

using namespace warpcheck;

void evaluate(const contract::Expression& expression) {
  static_cast<void>(expression.names());
  static_cast<void>(expression.literals());
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{65},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    contract::Bindings bindings;
    bindings.value = [&](std::string_view) { return number; };
    bindings.address = [&](std::string_view) { return number % 256; };
    const auto value = expression.evaluate(bindings);
    // A conjunction is true exactly if all its parts are.
    bool holds = true;
    for (const contract::Expression& part : expression.conjuncts()) {
      const auto part_value = part.evaluate(bindings);
      if (!part_value) return;
      holds = holds && *part_value != 0;
    }
    if (value && (*value != 0) != holds) {
      fuzz::fail(fmt::format("'{}' is {} at {}, but its parts disagree", expression.text(), *value,
                             number));
    }
  }
}

void use(const contract::Contract& contract) {
  if (contract.launches.empty()) fuzz::fail("a contract has no launch");
  for (const contract::LaunchStep& step : contract.launches) {
    for (const auto& axes : {step.block, step.grid}) {
      for (const contract::Expression& axis : axes) evaluate(axis);
    }
    evaluate(step.shared);
    if (step.when) evaluate(*step.when);
  }
  for (const contract::Workspace& workspace : contract.workspaces) {
    if (workspace.bytes) evaluate(*workspace.bytes);
  }
  if (contract.is_launched) evaluate(*contract.is_launched);
  for (const contract::Expression& requirement : contract.requires_) evaluate(requirement);
}

template <typename Read>
void read(const Read& read_contracts) {
  try {
    for (const contract::Contract& contract : read_contracts()) use(contract);
  } catch (const InputError& error) {
    if (error.diagnostics().empty()) fuzz::fail("an InputError has no error");
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.message.empty()) fuzz::fail("an error has no message");
      static_cast<void>(render(diagnostic));
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  read([&] { return contract::parse_contracts(text, {"input.toml", 1, 1}); });
  const auto embedded = [](std::string source) {
    return contract::kernel_source("/input.cu", std::move(source), "/input.toml", std::nullopt)
        .contracts;
  };
  read([&] { return embedded(text); });
  read([&] { return embedded("/* warpcheck\n" + text + "\n*/\n__global__ void f();\n"); });
  return 0;
}
