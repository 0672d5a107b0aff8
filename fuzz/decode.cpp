// Checks the decoder, and that printing and parsing are inverse: to_text() of a module parses to
// the same module, prints as the same text again, and decodes to the same program.
#include "device/virtual/isa/decode.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/diagnostic.hpp"
#include "fuzz/target.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"

namespace {

using namespace warpcheck;

/// Decoded form of each instruction; addresses of handlers do not change within a process.
bool same_op(const machine::Op& one, const machine::Op& other) {
  const std::string no_message;
  const auto message = [&](const machine::Op& op) -> const std::string& {
    return op.detail != nullptr ? op.detail->message : no_message;
  };
  return one.run == other.run && one.operand == other.operand && one.immediate == other.immediate &&
         one.rule == other.rule && one.instruction == other.instruction &&
         one.target == other.target && one.bits == other.bits && one.space == other.space &&
         one.guarded == other.guarded && message(one) == message(other);
}

void compare(const machine::Program& one, const machine::Program& other) {
  for (std::size_t f = 0; f < one.functions.size(); ++f) {
    const auto& ops = one.functions[f].ops;
    const auto& others = other.functions.at(f).ops;
    if (ops.size() != others.size()) fuzz::fail("after printing, it decodes to other instructions");
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (same_op(ops[i], others[i])) continue;
      const ptx::Function& function = *one.functions[f].source;
      fuzz::fail(fmt::format("after printing, this decodes differently: {}",
                             ops[i].instruction < function.body.size()
                                 ? to_text(one.module, function, function.body[ops[i].instruction])
                                 : "the end of " + function.name));
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ptx::Module module;
  try {
    module = ptx::parse(fuzz::text_of(data, size), "input.ptx");
  } catch (const InputError&) {
    return 0;
  }
  const std::string printed = ptx::to_text(module);
  ptx::Module again;
  try {
    again = ptx::parse(printed, "printed.ptx");
  } catch (const InputError& error) {
    fuzz::fail(fmt::format("after printing, it is not PTX: {}\n{}", error.what(), printed));
  }
  if (again != module) fuzz::fail("after printing, it is another module:\n" + printed);
  if (const std::string twice = ptx::to_text(again); twice != printed) {
    fuzz::fail(fmt::format("the second print differs:\n{}\nand\n{}", printed, twice));
  }
  std::shared_ptr<const machine::Program> program;
  try {
    program = isa::decode(std::move(module));
  } catch (const InputError&) {
  }
  try {
    const auto other = isa::decode(std::move(again));
    if (!program) fuzz::fail("it decodes only after printing");
    compare(*program, *other);
  } catch (const InputError&) {
    if (program) fuzz::fail("it decodes only before printing");
  }
  return 0;
}
