// mov, the special registers, and addresses of variables (PTX ISA 9.7.9.5 to 9.7.9.7, 10).
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "device/virtual/isa/arithmetic/special_register.hpp"
#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/block/cluster.hpp"
#include "device/virtual/machine/lanes/definedness.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::Mask;
using machine::Op;
using machine::Slot;
using machine::Warp;

struct Copy {
  template <class T>
  static T apply(T value) {
    return value;
  }
};

Handler copy_of(unsigned bits) {
  switch (bits) {
    case 1:
      return machine::lanewise<Copy, Predicate, Predicate>;
    case 8:
      return machine::lanewise<Copy, std::uint8_t, std::uint8_t>;
    case 16:
      return machine::lanewise<Copy, std::uint16_t, std::uint16_t>;
    case 32:
      return machine::lanewise<Copy, std::uint32_t, std::uint32_t>;
    case 64:
      return machine::lanewise<Copy, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

/// `mov.b64 {lo, hi}, w`: the whole is operand 0, the parts are the detail's elements.
template <class Whole, class Part>
Flow unpack(Warp& warp, const Op& op) {
  const Slot whole = op.operand[0];
  const Mask active = warp.active();
  const Mask unknown = active & ~warp.defined(whole);
  for (std::size_t i = 0; i < op.detail->elements.size(); ++i) {
    const Slot part = op.detail->elements[i];
    if (part == machine::kNoSlot) continue;
    const unsigned shift = static_cast<unsigned>(8 * sizeof(Part) * i);
    const auto* values = warp.lanes<Whole>(whole);
    machine::write_lanes<Part>(
        warp, part, [&](unsigned lane) { return static_cast<Part>(values[lane] >> shift); });
    Mask known = machine::kAllLanes;
    for (unsigned lane = 0; unknown != 0 && lane < kLanes; ++lane) {
      if ((unknown >> lane & 1) == 0) continue;
      const auto* bits = reinterpret_cast<const Whole*>(warp.undefined_bits(whole));
      const auto undefined = static_cast<Part>(bits[lane] >> shift);
      reinterpret_cast<Part*>(warp.undefined_bits(part))[lane] = undefined;
      if (undefined != 0) known &= ~(Mask{1} << lane);
    }
    warp.set_defined(part, active, known);
  }
  return Flow::next;
}

/// `mov.b64 w, {lo, hi}`.
template <class Whole, class Part>
Flow pack(Warp& warp, const Op& op) {
  const auto& parts = op.detail->elements;
  const Mask active = warp.active();
  Mask known = machine::kAllLanes;
  for (const Slot part : parts) known &= warp.defined(part);
  machine::write_lanes<Whole>(warp, op.operand[0], [&](unsigned lane) {
    Whole whole = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      whole |= static_cast<Whole>(static_cast<Whole>(warp.lanes<Part>(parts[i])[lane])
                                  << (8 * sizeof(Part) * i));
    }
    return whole;
  });
  warp.set_defined(op.operand[0], active, known);
  for (unsigned lane = 0; (active & ~known) != 0 && lane < kLanes; ++lane) {
    if (((active & ~known) >> lane & 1) == 0) continue;
    Whole undefined = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((warp.defined(parts[i]) >> lane & 1) != 0) continue;
      const auto* bits = reinterpret_cast<const Part*>(warp.undefined_bits(parts[i]));
      undefined |= static_cast<Whole>(static_cast<Whole>(bits[lane]) << (8 * sizeof(Part) * i));
    }
    reinterpret_cast<Whole*>(warp.undefined_bits(op.operand[0]))[lane] = undefined;
  }
  return Flow::next;
}

/// The values and undefined bits of one register.
template <class T>
struct Lanes {
  std::array<T, kLanes> values;
  std::array<T, kLanes> undefined{};
  Mask known = 0;

  Lanes(const Warp& warp, Slot slot) : known(warp.defined(slot)) {
    std::memcpy(values.data(), warp.lanes<T>(slot), sizeof values);
    if (known != machine::kAllLanes) {
      std::memcpy(undefined.data(), warp.undefined_bits(slot), sizeof undefined);
    }
  }
  void write(const Warp& warp, Slot slot) const {
    const Mask active = warp.active();
    machine::write_lanes<T>(warp, slot, [&](unsigned lane) { return values[lane]; });
    for (unsigned lane = 0; (active & ~known) != 0 && lane < kLanes; ++lane) {
      if (((active & ~known) >> lane & 1) == 0) continue;
      reinterpret_cast<T*>(warp.undefined_bits(slot))[lane] = undefined[lane];
    }
    warp.set_defined(slot, active, known);
  }
};

/// Copies registers at once. The elements of the detail are the destinations, then the sources.
template <class T>
Flow copy_members(Warp& warp, const Op& op) {
  const auto& slots = op.detail->elements;
  const std::size_t count = slots.size() / 2;
  std::vector<Lanes<T>> members;
  for (std::size_t i = 0; i < count; ++i) members.emplace_back(warp, slots[count + i]);
  for (std::size_t i = 0; i < count; ++i) {
    if (slots[i] != machine::kNoSlot) members[i].write(warp, slots[i]);
  }
  return Flow::next;
}

Handler copy_of_members(unsigned bits) {
  switch (bits) {
    case 8:
      return copy_members<std::uint8_t>;
    case 16:
      return copy_members<std::uint16_t>;
    case 32:
      return copy_members<std::uint32_t>;
    default:
      return copy_members<std::uint64_t>;
  }
}

/// `mov.v4.u16 {a, b, c, d}, {e, f, g, h}`.
void lower_vector_mov(Lowering& lowering) {
  const Type type = lowering.selection.type();
  const auto* to = lowering.operand<ptx::Vector>(0);
  const auto* from = lowering.operand<ptx::Vector>(1);
  const std::size_t count = lowering.selection.has("v2") ? 2 : 4;
  if (lowering.operand_count() != 2 || to == nullptr || from == nullptr || bits_of(type) == 1 ||
      to->elements.size() != count || from->elements.size() != count) {
    throw DecodeError("two vectors of registers are expected");
  }
  auto& slots = lowering.detail().elements;
  for (const ptx::Element& element : to->elements) {
    slots.push_back(lowering.destination_element(element, type));
  }
  for (const ptx::Element& element : from->elements) {
    if (std::holds_alternative<ptx::Sink>(element)) throw DecodeError("a source is missing");
    slots.push_back(lowering.source_element(element, type));
  }
  lowering.result.run = copy_of_members(bits_of(type));
}

/// `mov.b128`: of one register, or of two registers of 64 bits.
void lower_wide_mov(Lowering& lowering) {
  if (lowering.operand_count() != 2) throw DecodeError("a destination and a source are expected");
  auto& slots = lowering.detail().elements;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto* parts = lowering.operand<ptx::Vector>(i);
    if (parts == nullptr) {
      for (const Slot half : lowering.halves(lowering.instruction.operands[i]))
        slots.push_back(half);
      continue;
    }
    if (parts->elements.size() != 2) throw DecodeError("the parts do not make up the whole");
    for (const ptx::Element& element : parts->elements) {
      slots.push_back(i == 0 ? lowering.destination_element(element, Type::b64)
                             : lowering.source_element(element, Type::b64));
      if (i == 1 && slots.back() == machine::kNoSlot) {
        throw DecodeError("a part of the value is missing");
      }
    }
  }
  lowering.result.run = copy_of_members(64);
}

struct Packing {
  Handler pack;
  Handler unpack;
};

Packing packing(unsigned whole_bits, std::size_t parts) {
  if (whole_bits == 64 && parts == 2)
    return {pack<std::uint64_t, std::uint32_t>, unpack<std::uint64_t, std::uint32_t>};
  if (whole_bits == 64 && parts == 4)
    return {pack<std::uint64_t, std::uint16_t>, unpack<std::uint64_t, std::uint16_t>};
  if (whole_bits == 32 && parts == 2)
    return {pack<std::uint32_t, std::uint16_t>, unpack<std::uint32_t, std::uint16_t>};
  if (whole_bits == 32 && parts == 4)
    return {pack<std::uint32_t, std::uint8_t>, unpack<std::uint32_t, std::uint8_t>};
  if (whole_bits == 16 && parts == 2)
    return {pack<std::uint16_t, std::uint8_t>, unpack<std::uint16_t, std::uint8_t>};
  throw DecodeError("the parts do not make up the whole");
}

Type part_type(unsigned bits) {
  return bits == 8 ? Type::b8 : bits == 16 ? Type::b16 : bits == 32 ? Type::b32 : Type::b64;
}

void lower_packing(Lowering& lowering, const ptx::Vector& vector, const ptx::Operand& whole,
                   bool packs) {
  const Type type = lowering.selection.type();
  const std::size_t count = vector.elements.size();
  const Packing handlers = packing(bits_of(type), count);
  const Type part = part_type(static_cast<unsigned>(bits_of(type) / count));
  for (const ptx::Element& element : vector.elements) {
    const Slot slot = packs ? lowering.source_element(element, part)
                            : lowering.destination_element(element, part);
    if (packs && slot == machine::kNoSlot) throw DecodeError("a part of the value is missing");
    lowering.detail().elements.push_back(slot);
  }
  lowering.result.operand[0] =
      packs ? lowering.destination(whole, type) : lowering.source(whole, type);
  lowering.result.run = packs ? handlers.pack : handlers.unpack;
}

/// The address of a symbol in the stack frame of the call.
template <class T>
Flow frame_address(Warp& warp, const Op& op) {
  const auto address =
      static_cast<T>(static_cast<std::uint64_t>(op.immediate) + warp.frame().local_base);
  machine::write_lanes<T>(warp, op.operand[0], [&](unsigned) { return address; });
  warp.set_defined(op.operand[0], warp.active(), machine::kAllLanes);
  return Flow::next;
}

void lower_symbol(Lowering& lowering, const ptx::Symbol& symbol) {
  const SymbolPlace place = lowering.function.place_of(symbol);
  const Type type = lowering.selection.type();
  lowering.result.operand[0] = lowering.destination(lowering.instruction.operands[0], type);
  if (place.frame_relative) {
    lowering.result.immediate = static_cast<std::int64_t>(place.address);
    lowering.result.run =
        bits_of(type) == 64 ? frame_address<std::uint64_t> : frame_address<std::uint32_t>;
    return;
  }
  lowering.result.operand[1] = lowering.function.constant(place.address, bits_of(type));
  lowering.result.run = copy_of(bits_of(type));
}

void lower_mov(Lowering& lowering) {
  if (lowering.operand_count() != 2) throw DecodeError("a destination and a source are expected");
  const auto& operands = lowering.instruction.operands;
  if (lowering.selection.type() == Type::b128) return lower_wide_mov(lowering);
  if (const auto* parts = lowering.operand<ptx::Vector>(0)) {
    return lower_packing(lowering, *parts, operands[1], false);
  }
  if (const auto* parts = lowering.operand<ptx::Vector>(1)) {
    return lower_packing(lowering, *parts, operands[0], true);
  }
  if (const auto* symbol = lowering.operand<ptx::Symbol>(1)) return lower_symbol(lowering, *symbol);
  if (const auto* reg = lowering.operand<ptx::SpecialRegister>(1);
      reg != nullptr && reg->name != "WARP_SZ") {
    return lower_special(lowering, *reg);
  }
  const Type type = lowering.selection.type();
  lowering.result.operand[0] = lowering.destination(operands[0], type);
  lowering.result.operand[1] = lowering.source(operands[1], type);
  lowering.result.bits = {static_cast<std::uint8_t>(bits_of(type)),
                          static_cast<std::uint8_t>(bits_of(type))};
  lowering.result.sources = 1;
  lowering.result.run = copy_of(bits_of(type));
}

std::uint64_t window_of(const Selection& selection) {
  if (selection.has("shared") || selection.has("shared::cta")) return machine::kSharedWindow;
  if (selection.has("local")) return machine::kLocalWindow;
  if (selection.has("param") || selection.has("param::entry")) return machine::kParameterWindow;
  return 0;  // global and constant addresses are also generic addresses
}

/// Operand 2 is the address of the window.
struct IntoWindow {
  static std::uint64_t apply(std::uint64_t address, std::uint64_t window) {
    return address + window;
  }
  static std::uint32_t apply(std::uint32_t address, std::uint32_t) { return address; }
};
struct OutOfWindow {
  static std::uint64_t apply(std::uint64_t address, std::uint64_t window) {
    return address - window;
  }
  static std::uint32_t apply(std::uint32_t address, std::uint32_t) { return address; }
};

/// cvta; and cvta.to.
void lower_cvta(Lowering& lowering) {
  if (lowering.operand_count() != 2) throw DecodeError("a destination and an address are expected");
  const auto& operands = lowering.instruction.operands;
  const std::uint64_t window = window_of(lowering.selection);
  Op& op = lowering.result;
  op.operand[0] = lowering.destination(operands[0], Type::u64);
  op.operand[2] = lowering.function.constant(window, 64);
  op.bits = {64, 64, 64};
  op.sources = 2;
  op.run = lowering.selection.has("to")
               ? machine::lanewise<OutOfWindow, std::uint64_t, std::uint64_t, std::uint64_t>
               : machine::lanewise<IntoWindow, std::uint64_t, std::uint64_t, std::uint64_t>;
  const auto* symbol = lowering.operand<ptx::Symbol>(1);
  if (symbol == nullptr) {
    op.operand[1] = lowering.source(operands[1], Type::u64);
    return;
  }
  const SymbolPlace place = lowering.function.place_of(*symbol);
  if (place.frame_relative) {
    op.immediate = static_cast<std::int64_t>(place.address + window);
    op.run = frame_address<std::uint64_t>;
    return;
  }
  op.operand[1] = lowering.function.constant(place.address, 64);
}

template <std::uint64_t begin, std::uint64_t end>
struct Within {
  static bool apply(std::uint64_t address) { return address >= begin && address < end; }
};

Handler bind_isspacep(const Selection& selection) {
  constexpr auto kBytes = machine::kWindowBytes;
  constexpr auto kOwnBytes = std::uint64_t{1} << machine::kClusterRankBits;
  if (selection.has("shared") || selection.has("shared::cta")) {
    // The window begins with the block's own shared memory.
    return machine::lanewise<Within<machine::kSharedWindow, machine::kSharedWindow + kOwnBytes>,
                             Predicate, std::uint64_t>;
  }
  if (selection.has("shared::cluster")) {
    return machine::lanewise<Within<machine::kSharedWindow, machine::kSharedWindow + kBytes>,
                             Predicate, std::uint64_t>;
  }
  if (selection.has("local")) {
    return machine::lanewise<Within<machine::kLocalWindow, machine::kLocalWindow + kBytes>,
                             Predicate, std::uint64_t>;
  }
  if (selection.has("param") || selection.has("param::entry")) {
    return machine::lanewise<Within<machine::kParameterWindow, machine::kParameterWindow + kBytes>,
                             Predicate, std::uint64_t>;
  }
  if (selection.has("const")) return machine::lanewise<Within<0, 0>, Predicate, std::uint64_t>;
  return machine::lanewise<Within<machine::kGlobalBase, ~std::uint64_t{0}>, Predicate,
                           std::uint64_t>;
}

/// Checks the sources of createpolicy, which have no effect: `fraction` is optional, and
/// createpolicy.range has [address] and two sizes.
void expect_policy_operands(Lowering& lowering) {
  const auto& operands = lowering.instruction.operands;
  if (lowering.selection.has("range")) {
    if (operands.size() != 4 || lowering.operand<ptx::Address>(1) == nullptr) {
      throw DecodeError("a destination, an [address] and two sizes are expected");
    }
    static_cast<void>(lowering.source(operands[2], Type::u32));
    static_cast<void>(lowering.source(operands[3], Type::u32));
    return;
  }
  const bool converts = lowering.selection.has("cvt");
  if (operands.empty() || operands.size() > 2 || (converts && operands.size() != 2)) {
    throw DecodeError("a destination and a source are expected");
  }
  if (operands.size() == 2) {
    static_cast<void>(lowering.source(operands[1], converts ? Type::b64 : Type::f32));
  }
}

/// Lowers an instruction on a cache policy. PTX does not define the bits of a policy (PTX ISA
/// 9.7.9.20: opaque), and a policy does not change the results of a program. Its value is 0.
void lower_policy(Lowering& lowering) {
  expect_policy_operands(lowering);
  Op& op = lowering.result;
  op.operand[0] = lowering.destination(lowering.instruction.operands[0], Type::b64);
  op.operand[1] = lowering.function.constant(0, 64);
  op.run = copy_of(64);
}

constexpr std::array kForms = {
    Form{"mov", "", "pred b8 b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 b128", "", "9.7.9.5",
         nullptr, machine::definedness::bitwise, lower_mov},
    Form{"mov", "v2|v4", "b8 b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "", "9.7.9.5", nullptr,
         nullptr, lower_vector_mov},
    Form{"cvta", "[to] [const|global|local|shared|shared::cta|shared::cluster|param|param::entry]",
         "u64", "", "9.7.9.20", nullptr, nullptr, lower_cvta},
    Form{"isspacep", "const|global|local|shared|shared::cta|shared::cluster|param|param::entry", "",
         "=pred u64", "9.7.9.19", bind_isspacep},
    Form{"createpolicy",
         "fractional L2::evict_last|L2::evict_normal|L2::evict_unchanged "
         "[L2::evict_first|L2::evict_unchanged]",
         "b64", "", "9.7.9.20", nullptr, nullptr, lower_policy},
    Form{"createpolicy", "fractional L2::evict_first", "b64", "", "9.7.9.20", nullptr, nullptr,
         lower_policy},
    Form{"createpolicy",
         "range [global] L2::evict_last|L2::evict_normal|L2::evict_unchanged "
         "[L2::evict_first|L2::evict_unchanged]",
         "b64", "", "9.7.9.20", nullptr, nullptr, lower_policy},
    Form{"createpolicy", "range [global] L2::evict_first", "b64", "", "9.7.9.20", nullptr, nullptr,
         lower_policy},
    Form{"createpolicy", "cvt L2", "b64", "", "9.7.9.20", nullptr, nullptr, lower_policy},
};

}  // namespace

std::span<const Form> move_forms() { return kForms; }

}  // namespace warpcheck::isa
