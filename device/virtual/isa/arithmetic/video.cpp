// Scalar video instructions (PTX ISA 9.7.18.1). Operands are whole registers or parts of them.
#include "device/virtual/semantics/video.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include "device/virtual/isa/by_lane.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"

namespace warpcheck::isa {
namespace {

namespace video = semantics::video;
using machine::Flow;
using machine::Op;
using machine::Warp;
using video::Part;
using video::Secondary;

enum class Kind : std::uint8_t {
  add,
  sub,
  abs_difference,
  min,
  max,
  shift_left,
  shift_right,
  compare
};
enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge };

/// The modifiers of an instruction, stored in Op::immediate.
struct Modifiers {
  Kind kind = Kind::add;
  Part d = Part::whole;
  Part a = Part::whole;
  Part b = Part::whole;
  Secondary secondary = Secondary::none;
  Comparison comparison = Comparison::eq;
  bool wrap = false;
  std::uint8_t bits = 0;  // bit mask: kSaturates, kSigned...
};
static_assert(sizeof(Modifiers) == sizeof(std::int64_t));
constexpr std::uint8_t kSaturates = 1;
constexpr std::uint8_t kSignedD = 2;
constexpr std::uint8_t kSignedA = 4;
constexpr std::uint8_t kSignedB = 8;

bool compare(std::int64_t a, std::int64_t b, Comparison comparison) {
  switch (comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return a != b;
    case Comparison::lt:
      return a < b;
    case Comparison::le:
      return a <= b;
    case Comparison::gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::int64_t primary(std::int64_t a, std::int64_t b, const Modifiers& m) {
  switch (m.kind) {
    case Kind::add:
      return a + b;
    case Kind::sub:
      return a - b;
    case Kind::abs_difference:
      return a < b ? b - a : a - b;
    case Kind::min:
      return std::min(a, b);
    case Kind::max:
      return std::max(a, b);
    case Kind::shift_left:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a)
                                       << video::shift_amount(b, m.wrap));
    case Kind::shift_right:
      return a >> video::shift_amount(b, m.wrap);
    default:
      return compare(a, b, m.comparison) ? 1 : 0;
  }
}

std::uint32_t computed(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Modifiers& m) {
  const bool is_signed = (m.bits & kSignedD) != 0;
  std::int64_t result = primary(video::select(a, m.a, (m.bits & kSignedA) != 0),
                                video::select(b, m.b, (m.bits & kSignedB) != 0), m);
  if ((m.bits & kSaturates) != 0) result = video::saturate(result, m.d, is_signed);
  result = video::combine(result, m.secondary, video::select(c, Part::whole, is_signed));
  return video::merge(result, m.d, c);
}

Flow run_video(Warp& warp, const Op& op) {
  const auto modifiers = std::bit_cast<Modifiers>(op.immediate);
  return by_lane(warp, op, op.sources, [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return std::uint64_t{computed(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                                  static_cast<std::uint32_t>(c), modifiers)};
  });
}

// Lowering.

Part part_of(std::string_view text) {
  constexpr std::array<std::string_view, 7> kNames = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<Part>(i);
  }
  throw DecodeError("a part of one register is expected");
}

/// Operand `index` without its sign and part, and these two.
struct Selected {
  ptx::Operand whole;
  Part part = Part::whole;
  bool minus = false;
};
Selected selected(const Lowering& lowering, std::size_t index) {
  Selected result{lowering.instruction.operands[index]};
  if (auto* reg = std::get_if<ptx::Register>(&result.whole)) {
    result.part = part_of(reg->part.text());
    result.minus = std::exchange(reg->minus, false);
    reg->part = {};
  }
  return result;
}

Part source_part(Lowering& lowering, std::size_t index) {
  const Selected source = selected(lowering, index);
  if (source.minus) throw DecodeError("a negation stands where it is not allowed");
  lowering.result.operand[index] = lowering.source(source.whole, Type::u32);
  lowering.result.bits[index] = 32;
  return source.part;
}

Part destination_part(Lowering& lowering) {
  const Selected to = selected(lowering, 0);
  if (to.minus) throw DecodeError("the destination is not a register");
  lowering.result.operand[0] = lowering.destination(to.whole, Type::u32);
  lowering.result.bits[0] = 32;
  return to.part;
}

Secondary secondary_of(const Selection& s) {
  return s.has("add")   ? Secondary::add
         : s.has("min") ? Secondary::min
         : s.has("max") ? Secondary::max
                        : Secondary::none;
}

/// Lowers `d{.part}, a{.part}, b{.part}{, c}`. The form has c if it has a secondary operation or a
/// part of d.
Modifiers lower_operands(Lowering& lowering, Kind kind) {
  const std::size_t count = lowering.operand_count();
  if (count != 3 && count != 4) throw DecodeError("three or four operands are expected");
  Modifiers m;
  m.kind = kind;
  m.secondary = secondary_of(lowering.selection);
  m.d = destination_part(lowering);
  m.a = source_part(lowering, 1);
  m.b = source_part(lowering, 2);
  lowering.result.sources = static_cast<std::uint8_t>(count - 1);
  if (count == 4 && source_part(lowering, 3) != Part::whole) {
    throw DecodeError("the third source has no parts");
  }
  const bool needs_c = m.d != Part::whole || m.secondary != Secondary::none;
  if (needs_c != (count == 4) || (m.d != Part::whole && m.secondary != Secondary::none)) {
    throw DecodeError("a third source stands with a secondary operation or a part of the result");
  }
  lowering.result.run = run_video;
  return m;
}

void keep(Lowering& lowering, const Modifiers& m) {
  lowering.result.immediate = std::bit_cast<std::int64_t>(m);
}

std::uint8_t flags_of(const Selection& s, Type d, Type a, Type b) {
  return static_cast<std::uint8_t>(
      (s.has("sat") ? kSaturates : 0) | (ptx::is_signed(d) ? kSignedD : 0) |
      (ptx::is_signed(a) ? kSignedA : 0) | (ptx::is_signed(b) ? kSignedB : 0));
}

template <Kind kind>
void lower_arithmetic(Lowering& lowering) {
  const Selection& s = lowering.selection;
  Modifiers m = lower_operands(lowering, kind);
  m.wrap = s.has("wrap");
  m.bits = flags_of(s, s.type(0), s.type(1), s.type(2));
  keep(lowering, m);
}

void lower_set(Lowering& lowering) {
  const Selection& s = lowering.selection;
  constexpr std::array<std::string_view, 6> kNames = {"eq", "ne", "lt", "le", "gt", "ge"};
  Modifiers m = lower_operands(lowering, Kind::compare);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (s.has(kNames[i])) m.comparison = static_cast<Comparison>(i);
  }
  m.bits = flags_of(s, Type::u32, s.type(0), s.type(1));
  keep(lowering, m);
}

/// The modifiers of vmad, stored in Op::immediate.
struct PackedMultiplyAdd {
  Part a = Part::whole;
  Part b = Part::whole;
  bool plus_one = false;
  bool negates_product = false;
  bool negates_c = false;
  bool saturates = false;
  std::uint8_t signs = 0;  // bit mask: kSignedA, kSignedB
  std::uint8_t shift = 0;
};
static_assert(sizeof(PackedMultiplyAdd) == sizeof(std::int64_t));

Flow run_multiply_add(Warp& warp, const Op& op) {
  const auto p = std::bit_cast<PackedMultiplyAdd>(op.immediate);
  const bool is_signed = p.signs != 0 || p.negates_product || p.negates_c;
  const video::MultiplyAdd m{p.plus_one,  p.negates_product, p.negates_c,
                             p.saturates, is_signed,         p.shift};
  return by_lane(warp, op, 3, [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return std::uint64_t{video::multiply_add(
        video::select(static_cast<std::uint32_t>(a), p.a, (p.signs & kSignedA) != 0),
        video::select(static_cast<std::uint32_t>(b), p.b, (p.signs & kSignedB) != 0),
        static_cast<std::uint32_t>(c), m)};
  });
}

/// `d, {-}a{.part}, {-}b{.part}, {-}c`.
void lower_multiply_add(Lowering& lowering) {
  if (lowering.operand_count() != 4) throw DecodeError("four operands are expected");
  const Selection& s = lowering.selection;
  if (destination_part(lowering) != Part::whole) throw DecodeError("the destination has no parts");
  std::array<Selected, 3> sources;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i] = selected(lowering, i + 1);
    lowering.result.operand[i + 1] = lowering.source(sources[i].whole, Type::u32);
    lowering.result.bits[i + 1] = 32;
  }
  PackedMultiplyAdd m;
  m.a = sources[0].part;
  m.b = sources[1].part;
  m.plus_one = s.has("po");
  m.negates_product = sources[0].minus != sources[1].minus;
  m.negates_c = sources[2].minus;
  if ((m.negates_product && m.negates_c) || (m.plus_one && (m.negates_product || m.negates_c)) ||
      sources[2].part != Part::whole) {
    throw DecodeError("the product or the third source may be negated, without .po");
  }
  m.saturates = s.has("sat");
  m.signs = static_cast<std::uint8_t>((ptx::is_signed(s.type(1)) ? kSignedA : 0) |
                                      (ptx::is_signed(s.type(2)) ? kSignedB : 0));
  m.shift = s.has("shr7") ? 7 : s.has("shr15") ? 15 : 0;
  lowering.result.sources = 3;
  lowering.result.immediate = std::bit_cast<std::int64_t>(m);
  lowering.result.run = run_multiply_add;
}

constexpr std::string_view kTypes =
    "u32.u32.u32 u32.u32.s32 u32.s32.u32 u32.s32.s32 "
    "s32.u32.u32 s32.u32.s32 s32.s32.u32 s32.s32.s32";
constexpr std::string_view kShiftTypes = "u32.u32.u32 u32.s32.u32 s32.u32.u32 s32.s32.u32";

constexpr Form form(std::string_view mnemonic, std::string_view modifiers, std::string_view types,
                    std::string_view section, Lower lower) {
  return {mnemonic, modifiers, types, "", section, nullptr, nullptr, lower};
}

// The manual does not define what .sat, .min and .max of vshl compare, nor .min and .max of vset.
constexpr std::array kForms = {
    form("vadd", "[sat] [add|min|max]", kTypes, "9.7.18.1", lower_arithmetic<Kind::add>),
    form("vsub", "[sat] [add|min|max]", kTypes, "9.7.18.1", lower_arithmetic<Kind::sub>),
    form("vabsdiff", "[sat] [add|min|max]", kTypes, "9.7.18.1",
         lower_arithmetic<Kind::abs_difference>),
    form("vmin", "[sat] [add|min|max]", kTypes, "9.7.18.1", lower_arithmetic<Kind::min>),
    form("vmax", "[sat] [add|min|max]", kTypes, "9.7.18.1", lower_arithmetic<Kind::max>),
    form("vshl", "clamp|wrap [add]", kShiftTypes, "9.7.18.1", lower_arithmetic<Kind::shift_left>),
    form("vshr", "[sat] clamp|wrap [add|min|max]", kShiftTypes, "9.7.18.1",
         lower_arithmetic<Kind::shift_right>),
    form("vmad", "[po] [sat] [shr7|shr15]", kTypes, "9.7.18.1", lower_multiply_add),
    form("vset", "eq|ne|lt|le|gt|ge [add]", "u32.u32 u32.s32 s32.u32 s32.s32", "9.7.18.1",
         lower_set),
};

}  // namespace

std::span<const Form> video_forms() { return kForms; }

}  // namespace warpcheck::isa
