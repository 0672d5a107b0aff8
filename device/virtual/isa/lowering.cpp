#include "device/virtual/isa/lowering.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace warpcheck::isa {
namespace {

using machine::Slot;

/// The bits of a floating-point constant as a value of `type`.
std::uint64_t float_bits(const ptx::Float& constant, Type type) {
  const double value = constant.is_single
                           ? std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))
                           : std::bit_cast<double>(constant.bits);
  if (bits_of(type) == 32) {
    return constant.is_single ? constant.bits
                              : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  if (bits_of(type) == 64) {
    return constant.is_single ? std::bit_cast<std::uint64_t>(value) : constant.bits;
  }
  throw DecodeError("a floating-point constant stands where no f32 or f64 is expected");
}

[[noreturn]] void wrong_width(const ptx::RegisterDeclaration& declared, Type type) {
  throw DecodeError(fmt::format("register {} is .{}, where .{} is expected", declared.name,
                                ptx::name(declared.type), ptx::name(type)));
}

void expect_whole(const ptx::Register& reg) {
  if (reg.minus || !reg.part.empty()) {
    throw DecodeError("a part or the negation of a register stands where it is not allowed");
  }
}

Slot fitting_register(Lowering& lowering, unsigned index, Type type, bool wider, bool written) {
  const ptx::RegisterDeclaration& declared = lowering.function.function().registers[index];
  const unsigned have = bits_of(declared.type);
  const unsigned need = bits_of(type);
  const bool fits = have == need || (wider && have > need && need > 1 && have <= 64);
  if (!fits) wrong_width(declared, type);
  const Slot slot = lowering.function.register_slot(index);
  (written ? lowering.written_registers : lowering.read_registers).push_back(slot);
  if (lowering.function.is_of_products(index)) lowering.touched.push_back({slot, index, written});
  return slot;
}

/// The type of an operand token of a row.
Type token_type(std::string_view token, const Selection& selection) {
  if (token == "t") return selection.type(0);
  if (token == "u") return selection.type(1);
  if (token == "w") {
    switch (selection.type(0)) {
      case Type::u16:
        return Type::u32;
      case Type::s16:
        return Type::s32;
      case Type::u32:
        return Type::u64;
      case Type::s32:
        return Type::s64;
      default:
        return Type::none;
    }
  }
  return ptx::type(token).value_or(Type::none);
}

}  // namespace

Slot Lowering::source(const ptx::Operand& operand, Type type, bool wider) {
  if (const auto* reg = std::get_if<ptx::Register>(&operand)) {
    if (reg->negated) throw DecodeError("a negated predicate stands where it is not allowed");
    expect_whole(*reg);
    return fitting_register(*this, reg->index, type, wider, false);
  }
  if (bits_of(type) > 64) throw DecodeError("a constant stands where 128 bits are expected");
  if (const auto* integer = std::get_if<ptx::Integer>(&operand)) {
    if (type == Type::f32 || type == Type::f64) {
      throw DecodeError("an integer constant stands where a floating-point value is expected");
    }
    return function.constant(integer->bits, bits_of(type));
  }
  if (const auto* constant = std::get_if<ptx::Float>(&operand)) {
    return function.constant(float_bits(*constant, type), bits_of(type));
  }
  if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand);
      special != nullptr && special->name == "WARP_SZ") {
    return function.constant(machine::kLanes, bits_of(type));
  }
  throw DecodeError("an operand is neither register nor constant");
}

Slot Lowering::source_element(const ptx::Element& element, Type type, bool wider) {
  return std::visit(
      [&](const auto& member) -> Slot {
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, ptx::Sink>) {
          return machine::kNoSlot;
        } else {
          return source(ptx::Operand(member), type, wider);
        }
      },
      element);
}

Slot Lowering::destination(const ptx::Operand& operand, Type type, bool wider) {
  const auto* reg = std::get_if<ptx::Register>(&operand);
  if (reg == nullptr || reg->negated) throw DecodeError("the destination is not a register");
  expect_whole(*reg);
  return fitting_register(*this, reg->index, type, wider, true);
}

Slot Lowering::destination_element(const ptx::Element& element, Type type, bool wider) {
  if (std::holds_alternative<ptx::Sink>(element)) return machine::kNoSlot;
  const auto* reg = std::get_if<ptx::Register>(&element);
  if (reg == nullptr) throw DecodeError("a member of the destination is not a register");
  return fitting_register(*this, reg->index, type, wider, true);
}

std::array<Slot, 2> Lowering::halves(const ptx::Operand& operand) {
  const auto* reg = std::get_if<ptx::Register>(&operand);
  if (reg == nullptr || reg->negated) throw DecodeError("a register of 128 bits is expected");
  expect_whole(*reg);
  const Type declared = function.register_type(reg->index);
  if (declared != Type::b128) wrong_width(function.function().registers[reg->index], Type::b128);
  return {function.register_slot(reg->index), function.upper_half(reg->index)};
}

unsigned Lowering::register_bits(const ptx::Operand& operand) const {
  const auto* reg = std::get_if<ptx::Register>(&operand);
  return reg == nullptr ? 0 : bits_of(function.register_type(reg->index));
}

void Lowering::plain_operands() {
  std::string_view tokens = row.operands;
  std::size_t index = 0;
  unsigned slot = 0;
  while (!tokens.empty()) {
    const std::size_t end = std::min(tokens.find(' '), tokens.size());
    std::string_view token = tokens.substr(0, end);
    tokens.remove_prefix(std::min(end + 1, tokens.size()));
    if (index >= operand_count()) throw DecodeError("an operand is missing");
    const ptx::Operand& operand = instruction.operands[index++];
    const bool written = token.front() == '=';
    if (written) token.remove_prefix(1);
    const Type type = token_type(token, selection);
    if (const auto* pair = std::get_if<ptx::Pair>(&operand); pair != nullptr && written) {
      const auto half = [&](const std::optional<ptx::Register>& reg) {
        return reg ? destination(ptx::Operand(*reg), type) : machine::kNoSlot;
      };
      result.operand[0] = half(pair->first);
      result.operand[machine::kSecondResult] = half(pair->second);
      result.bits[0] = result.bits[machine::kSecondResult] =
          static_cast<std::uint8_t>(bits_of(type));
      slot = 1;
      continue;
    }
    const auto* reg = std::get_if<ptx::Register>(&operand);
    if (!written && type == Type::pred && reg != nullptr && reg->negated) {
      result.negated_sources |= static_cast<std::uint8_t>(1U << slot);
      result.operand[slot] = fitting_register(*this, reg->index, type, false, false);
    } else {
      result.operand[slot] = written ? destination(operand, type) : source(operand, type);
    }
    result.bits[slot] = static_cast<std::uint8_t>(bits_of(type));
    if (!written) ++result.sources;
    ++slot;
  }
  expect_operands(index);
}

void Lowering::expect_operands(std::size_t count) const {
  if (operand_count() == count) return;
  throw DecodeError(fmt::format("{} operands are given, {} expected", operand_count(), count));
}

void Lowering::address(const ptx::Address& address, machine::Space space) {
  result.space = space;
  result.immediate = address.offset;
  if (const auto* reg = std::get_if<ptx::Register>(&address.base)) {
    result.operand[0] = function.register_slot(reg->index);
    read_registers.push_back(result.operand[0]);
    result.wide_address = bits_of(function.register_type(reg->index)) == 64;
    if (!result.wide_address && bits_of(function.register_type(reg->index)) != 32) {
      throw DecodeError("the address register has neither 32 nor 64 bits");
    }
    return;
  }
  std::uint64_t absolute = 0;
  if (const auto* integer = std::get_if<ptx::Integer>(&address.base)) {
    absolute = integer->bits;
  } else {
    const SymbolPlace place = function.place_of(std::get<ptx::Symbol>(address.base));
    absolute = place.address;
    result.frame_relative = place.frame_relative;
    const bool readable = space == machine::Space::kernel_parameter || space == place.space ||
                          space == machine::Space::constant || space == machine::Space::generic;
    if (!readable) throw DecodeError("the variable lies in another state space than the access");
    result.space = place.space;
  }
  result.operand[0] = function.constant(absolute, 64);
}

machine::OpDetail& Lowering::detail() {
  auto& details = function.code().details;
  if (result.detail == &machine::kNoDetail) {
    details.push_back(std::make_unique<machine::OpDetail>());
    result.detail = details.back().get();
  }
  return *details.back();
}

void Lowering::branch_to(ptx::Label label) {
  result.target = static_cast<std::uint32_t>(function.function().labels[label.index].target);
}

void Lowering::branch_to(const std::vector<unsigned>& labels) {
  for (const unsigned label : labels) {
    detail().targets.push_back(
        static_cast<std::uint32_t>(function.function().labels[label].target));
  }
}

}  // namespace warpcheck::isa
