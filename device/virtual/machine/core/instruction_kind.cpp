#include "device/virtual/machine/core/instruction_kind.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace warpcheck::machine {
namespace {

using device::Completion;
using device::InstructionKind;

/// The kind of a mnemonic that is not in this table follows from the types of its operands.
constexpr std::array<std::pair<std::string_view, InstructionKind>, 56> kByMnemonic = {{
    {"rcp", InstructionKind::special},
    {"sqrt", InstructionKind::special},
    {"rsqrt", InstructionKind::special},
    {"sin", InstructionKind::special},
    {"cos", InstructionKind::special},
    {"lg2", InstructionKind::special},
    {"ex2", InstructionKind::special},
    {"tanh", InstructionKind::special},
    {"cvt", InstructionKind::conversion},
    {"set", InstructionKind::comparison},
    {"setp", InstructionKind::comparison},
    {"selp", InstructionKind::comparison},
    {"slct", InstructionKind::comparison},
    {"testp", InstructionKind::comparison},
    {"isspacep", InstructionKind::comparison},
    {"mov", InstructionKind::move},
    {"cvta", InstructionKind::move},
    {"mapa", InstructionKind::move},
    {"getctarank", InstructionKind::move},
    {"ld", InstructionKind::load},
    {"ldu", InstructionKind::load},
    {"ldmatrix", InstructionKind::load},
    {"stmatrix", InstructionKind::store},
    {"movmatrix", InstructionKind::move},
    {"mma", InstructionKind::tensor},
    {"cp", InstructionKind::copy},
    {"st", InstructionKind::store},
    {"tensormap", InstructionKind::store},
    {"atom", InstructionKind::atomic},
    {"red", InstructionKind::atomic},
    {"shfl", InstructionKind::exchange},
    {"vote", InstructionKind::exchange},
    {"match", InstructionKind::exchange},
    {"redux", InstructionKind::exchange},
    {"elect", InstructionKind::exchange},
    {"activemask", InstructionKind::exchange},
    {"bar", InstructionKind::barrier},
    {"barrier", InstructionKind::barrier},
    {"mbarrier", InstructionKind::barrier},
    {"membar", InstructionKind::barrier},
    {"fence", InstructionKind::barrier},
    {"bra", InstructionKind::control},
    {"brx", InstructionKind::control},
    {"call", InstructionKind::control},
    {"ret", InstructionKind::control},
    {"exit", InstructionKind::control},
    {"trap", InstructionKind::control},
    {"brkpt", InstructionKind::control},
    {"pmevent", InstructionKind::control},
    {"nanosleep", InstructionKind::control},
    {"griddepcontrol", InstructionKind::control},
    {"setmaxnreg", InstructionKind::control},
    {"prefetch", InstructionKind::other},
    {"prefetchu", InstructionKind::other},
    {"applypriority", InstructionKind::other},
    {"discard", InstructionKind::other},
}};

struct Arithmetic {
  InstructionKind kind = InstructionKind::integer;
  unsigned numbers = 1;  // numbers in one register
};

Arithmetic arithmetic_on(const ptx::Instruction& instruction) {
  for (std::size_t i = 1; i < instruction.parts.size(); ++i) {
    switch (ptx::type(instruction.parts[i]).value_or(ptx::Type::none)) {
      case ptx::Type::f32:
        return {InstructionKind::fp32, 1};
      case ptx::Type::f64:
        return {InstructionKind::fp64, 1};
      case ptx::Type::f16:
      case ptx::Type::bf16:
        return {InstructionKind::fp16, 1};
      case ptx::Type::f16x2:
      case ptx::Type::bf16x2:
        return {InstructionKind::fp16, 2};
      default:
        break;
    }
  }
  return {};
}

bool has(const ptx::Instruction& instruction, std::string_view part) {
  return std::find(instruction.parts.begin(), instruction.parts.end(), part) !=
         instruction.parts.end();
}

/// 2 * m * n * k for a shape "m64n8k16"; 0 for other parts.
unsigned operations_of_shape(std::string_view part) {
  unsigned operations = 2;
  for (const char letter : {'m', 'n', 'k'}) {
    if (part.empty() || part.front() != letter) return 0;
    unsigned extent = 0;
    const auto [end, error] = std::from_chars(part.data() + 1, part.data() + part.size(), extent);
    if (error != std::errc()) return 0;
    part.remove_prefix(static_cast<std::size_t>(end - part.data()));
    operations *= extent;
  }
  return part.empty() ? operations : 0;
}

/// The floating-point operations per thread of a product that a warp or, for wgmma, four warps
/// compute.
unsigned tensor_operations_of(const ptx::Instruction& instruction) {
  constexpr unsigned kThreadsOfWarp = 32;
  unsigned operations = 0;
  for (const std::string& part : instruction.parts) operations += operations_of_shape(part);
  const bool is_warpgroup = instruction.parts.front() == "wgmma";
  // Each group of 8 threads multiplies matrices of its own (PTX ISA 9.7.14.5.1).
  const bool four_products = has(instruction, "m8n8k4") && has(instruction, "f16");
  return operations * (four_products ? 4 : 1) / (kThreadsOfWarp * (is_warpgroup ? 4 : 1));
}

/// The width of a vector modifier, 4 for "v4"; 1 for other parts.
unsigned width_of(std::string_view part) {
  return part == "v2" ? 2 : part == "v4" ? 4 : part == "v8" ? 8 : 1;
}

Completion completion_of(const ptx::Instruction& instruction) {
  const std::string_view mnemonic = instruction.parts.front();
  const auto has_beginning = [&](std::string_view beginning) {
    return std::ranges::any_of(
        instruction.parts, [&](const std::string& part) { return part.starts_with(beginning); });
  };
  if (has_beginning("mbarrier::complete_tx")) return Completion::mbarrier;
  if (mnemonic == "wgmma" && has(instruction, "mma_async")) return Completion::warpgroup_group;
  if (has(instruction, "bulk_group")) return Completion::bulk_group;
  const bool is_copy = mnemonic == "cp" && (has(instruction, "ca") || has(instruction, "cg"));
  return is_copy ? Completion::copy_group : Completion::none;
}

/// The function that a direct call names; empty for other instructions.
std::string callee_of(const ptx::Module& module, const ptx::Instruction& instruction) {
  if (instruction.parts.front() != "call") return "";
  for (const ptx::Operand& operand : instruction.operands) {
    const auto* const symbol = std::get_if<ptx::Symbol>(&operand);
    if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::function) {
      return module.functions[symbol->index].name;
    }
  }
  return "";
}

}  // namespace

InstructionKind kind_of(const ptx::Instruction& instruction) {
  const std::string_view mnemonic = instruction.parts.front();
  if (mnemonic == "wgmma" && instruction.parts.size() > 1) {
    return instruction.parts[1] == "mma_async" ? InstructionKind::tensor : InstructionKind::barrier;
  }
  if (mnemonic == "wmma" && instruction.parts.size() > 1) {
    const std::string_view action = instruction.parts[1];
    return action == "load"    ? InstructionKind::load
           : action == "store" ? InstructionKind::store
                               : InstructionKind::tensor;
  }
  const auto* const row = std::find_if(kByMnemonic.begin(), kByMnemonic.end(),
                                       [&](const auto& entry) { return entry.first == mnemonic; });
  if (row != kByMnemonic.end()) return row->second;
  const InstructionKind kind = arithmetic_on(instruction).kind;
  return mnemonic == "div" && kind != InstructionKind::integer ? InstructionKind::special : kind;
}

unsigned operations_of(const ptx::Instruction& instruction) {
  if (kind_of(instruction) == InstructionKind::tensor) return tensor_operations_of(instruction);
  const Arithmetic arithmetic = arithmetic_on(instruction);
  if (arithmetic.kind == InstructionKind::integer) return 0;
  const std::string_view mnemonic = instruction.parts.front();
  if (mnemonic == "fma" || mnemonic == "mad") return 2 * arithmetic.numbers;
  if (mnemonic == "add" || mnemonic == "sub" || mnemonic == "mul") return arithmetic.numbers;
  return 0;
}

device::InstructionFacts facts_of(const ptx::Module& module, const ptx::Instruction& instruction) {
  device::InstructionFacts facts;
  facts.kind = kind_of(instruction);
  facts.completion = completion_of(instruction);
  for (const std::string& part : instruction.parts) {
    facts.vector = std::max(facts.vector, width_of(part));
  }
  facts.read_only = instruction.parts.front() == "ldu" ||
                    (facts.kind == InstructionKind::load && has(instruction, "nc"));
  facts.has_table = instruction.parts.front() == "brx";
  facts.callee = callee_of(module, instruction);
  return facts;
}

}  // namespace warpcheck::machine
