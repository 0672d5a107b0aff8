#include "device/virtual/isa/memory/object_in_word.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

namespace warpcheck::isa {
namespace {

using Index = std::size_t;  // number of an instruction in the body

const ptx::Register* register_at(const ptx::Instruction& instruction, std::size_t operand) {
  if (operand >= instruction.operands.size()) return nullptr;
  return std::get_if<ptx::Register>(&instruction.operands[operand]);
}

const ptx::Integer* integer_at(const ptx::Instruction& instruction, std::size_t operand) {
  if (operand >= instruction.operands.size()) return nullptr;
  return std::get_if<ptx::Integer>(&instruction.operands[operand]);
}

/// True if the instruction writes the register as a member of a vector or list.
bool writes_member(const ptx::Operand& operand, unsigned reg) {
  const auto is_member = [&](const ptx::Element& element) {
    const auto* const member = std::get_if<ptx::Register>(&element);
    return member != nullptr && member->index == reg;
  };
  const auto any_of = [&](const std::vector<ptx::Element>& elements) {
    return std::any_of(elements.begin(), elements.end(), is_member);
  };
  if (const auto* const vector = std::get_if<ptx::Vector>(&operand))
    return any_of(vector->elements);
  const auto* const list = std::get_if<ptx::ParameterList>(&operand);
  return list != nullptr && any_of(list->elements);
}

/// The values of registers that one instruction writes, without a guard.
class Definitions {
 public:
  explicit Definitions(const ptx::Function& function) : body_(function.body) {}

  /// The instruction that writes the register; empty if there are several.
  [[nodiscard]] std::optional<Index> of(unsigned reg) const {
    std::optional<Index> only;
    for (Index at = 0; at < body_.size(); ++at) {
      if (body_[at].operands.empty()) continue;
      const ptx::Register* const target = register_at(body_[at], 0);
      const bool writes =
          target != nullptr ? target->index == reg : writes_member(body_[at].operands.front(), reg);
      if (!writes) continue;
      if (only || body_[at].guard || target == nullptr) return std::nullopt;
      only = at;
    }
    return only;
  }

  /// The register of which this one is a copy, through `mov`, `cvta` and conversions between 32
  /// and 64 bits: they keep the lowest bits.
  [[nodiscard]] unsigned original(unsigned reg) const {
    while (const auto at = of(reg)) {
      const std::string_view name = body_[*at].parts.front();
      const ptx::Register* const source = register_at(body_[*at], 1);
      const bool copies = name == "mov" || name == "cvta" || name == "cvt";
      if (!copies || source == nullptr) break;
      reg = source->index;
    }
    return reg;
  }

 private:
  const std::vector<ptx::Instruction>& body_;
};

/// True if the function computes the position of the pointer's object in bits.
bool computes_position(const ptx::Function& function, const Definitions& definitions,
                       unsigned pointer) {
  return std::any_of(function.body.begin(), function.body.end(), [&](const auto& instruction) {
    const ptx::Integer* const by = integer_at(instruction, 2);
    const ptx::Register* const source = register_at(instruction, 1);
    return instruction.parts.front() == "shl" && by != nullptr && by->bits == 3 &&
           source != nullptr && definitions.original(source->index) == pointer;
  });
}

/// The bytes of the object in a word of 4 bytes: 1 or 2, by the first mask of this width after the
/// computation of the word's address.
std::uint8_t bytes_of_object(const ptx::Function& function, Index from) {
  constexpr Index kNear = 64;
  const Index end = std::min(function.body.size(), from + kNear);
  for (Index at = from; at < end; ++at) {
    for (std::size_t operand = 1; operand < function.body[at].operands.size(); ++operand) {
      const ptx::Integer* const mask = integer_at(function.body[at], operand);
      if (mask != nullptr && mask->bits == 0xff) return 1;
      if (mask != nullptr && mask->bits == 0xffff) return 2;
    }
  }
  return 1;
}

}  // namespace

void recognize_object_in_word(Lowering& lowering, const ptx::Address& address) {
  const std::size_t word = ptx::bytes(lowering.selection.type());
  const auto* const base = std::get_if<ptx::Register>(&address.base);
  if (base == nullptr || address.offset != 0 || (word != 2 && word != 4)) return;
  const ptx::Function& function = lowering.function.function();
  const Definitions definitions(function);
  const auto aligned = definitions.of(definitions.original(base->index));
  if (!aligned || function.body[*aligned].parts.front() != "and") return;
  const ptx::Register* const source = register_at(function.body[*aligned], 1);
  const ptx::Integer* const mask = integer_at(function.body[*aligned], 2);
  if (source == nullptr || mask == nullptr || mask->bits != ~std::uint64_t{word - 1}) return;
  const unsigned pointer = definitions.original(source->index);
  if (!definitions.of(pointer) || !computes_position(function, definitions, pointer)) return;
  machine::ObjectInWord& object = lowering.detail().object;
  object.pointer = lowering.function.register_slot(pointer);
  object.is_wide = bits_of(lowering.function.register_type(pointer)) == 64;
  object.word = static_cast<std::uint8_t>(word);
  object.bytes = word == 2 ? std::uint8_t{1} : bytes_of_object(function, *aligned);
  lowering.result.scalar_bytes = object.bytes;
  if (lowering.result.space != machine::Space::global) {
    std::size_t& unit = lowering.function.code().shared_unit;
    unit = std::min<std::size_t>(unit, object.bytes);
  }
}

ObjectAccess::ObjectAccess(const machine::Warp& warp, const machine::Op& op,
                           const machine::ResolvedAccess& word)
    : word_(word) {
  const machine::ObjectInWord& object = op.detail->object;
  const std::uint64_t first = (std::uint64_t{1} << 8 * object.bytes) - 1;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    const std::uint64_t pointer = object.is_wide ? warp.lanes<std::uint64_t>(object.pointer)[lane]
                                                 : warp.lanes<std::uint32_t>(object.pointer)[lane];
    const std::uint64_t place = pointer & (object.word - 1) & ~std::uint64_t{object.bytes - 1U};
    offsets_[lane] = word.offset[lane] + static_cast<std::uint32_t>(place);
    bits_[lane] = first << 8 * place;
  }
}

machine::ResolvedAccess ObjectAccess::resolved() const {
  return {word_.data, word_.shadow, offsets_.data(), word_.container, machine::Pattern::scattered,
          word_.begin};
}

}  // namespace warpcheck::isa
