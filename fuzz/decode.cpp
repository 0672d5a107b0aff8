// The decoder, with printing and parsing as inverse: what parse() accepts, to_text() writes so that
// parse() makes the same module of it, in the same words again, and decodes to the same program.
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

/// What the decoder made of each instruction; addresses of handlers stay as they are in a process.
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
    if (ops.size() != others.size()) fuzz::fail("printed, it decodes to other instructions");
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (same_op(ops[i], others[i])) continue;
      const ptx::Function& function = *one.functions[f].source;
      fuzz::fail(fmt::format("printed, it decodes to something else: {}",
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
    fuzz::fail(fmt::format("printed, it is no PTX: {}\n{}", error.what(), printed));
  }
  if (again != module) fuzz::fail("printed, it is another module:\n" + printed);
  if (const std::string twice = ptx::to_text(again); twice != printed) {
    fuzz::fail(fmt::format("printed twice:\n{}\nand\n{}", printed, twice));
  }
  std::shared_ptr<const machine::Program> program;
  try {
    program = isa::decode(std::move(module));
  } catch (const InputError&) {
  }
  try {
    const auto other = isa::decode(std::move(again));
    if (!program) fuzz::fail("printed, it decodes; as it was, it does not");
    compare(*program, *other);
  } catch (const InputError&) {
    if (program) fuzz::fail("printed, it does not decode; as it was, it does");
  }
  return 0;
}
