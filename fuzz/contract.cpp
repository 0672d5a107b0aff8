// Contracts, in a sidecar or in a comment of a .cu: read, or refused by an InputError that has a
// place; what was read has expressions that evaluate or say that they don't.
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

void evaluate(const warpcheck::contract::Expression& expression) {
  static_cast<void>(expression.names());
  static_cast<void>(expression.literals());
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{65},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    warpcheck::contract::Bindings bindings;
    bindings.value = [&](std::string_view) { return number; };
    bindings.address = [&](std::string_view) { return number % 256; };
    const auto value = expression.evaluate(bindings);
    // A conjunction holds exactly where all its parts do.
    bool holds = true;
    for (const warpcheck::contract::Expression& part : expression.conjuncts()) {
      const auto of_part = part.evaluate(bindings);
      if (!of_part) return;
      holds = holds && *of_part != 0;
    }
    if (value && (*value != 0) != holds) {
      fuzz::fail(fmt::format("'{}' is {} at {}, its parts say otherwise", expression.text(), *value,
                             number));
    }
  }
}

void use(const warpcheck::contract::Contract& contract) {
  if (contract.launches.empty()) fuzz::fail("a contract without a launch");
  for (const warpcheck::contract::LaunchStep& step : contract.launches) {
    for (const auto& axes : {step.block, step.grid}) {
      for (const warpcheck::contract::Expression& axis : axes) evaluate(axis);
    }
    evaluate(step.shared);
  }
  for (const warpcheck::contract::Workspace& workspace : contract.workspaces) {
    if (workspace.bytes) evaluate(*workspace.bytes);
  }
  for (const warpcheck::contract::Expression& requirement : contract.requires_)
    evaluate(requirement);
}

template <typename Read>
void read(const Read& read_contracts) {
  try {
    for (const warpcheck::contract::Contract& contract : read_contracts()) use(contract);
  } catch (const InputError& error) {
    if (error.diagnostics().empty()) fuzz::fail("an InputError without an error");
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.message.empty()) fuzz::fail("an error without a message");
      static_cast<void>(render(diagnostic));
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  read([&] { return warpcheck::contract::parse_contracts(text, {"input.toml", 1, 1}); });
  const auto embedded = [](std::string source) {
    return warpcheck::contract::kernel_source("/input.cu", std::move(source), "/input.toml",
                                              std::nullopt)
        .contracts;
  };
  read([&] { return embedded(text); });
  read([&] { return embedded("/* warpcheck\n" + text + "\n*/\n__global__ void f();\n"); });
  return 0;
}
