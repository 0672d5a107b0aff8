// Logic and shifts (PTX ISA 9.7.8), bit fields (9.7.1.14 to 9.7.1.22), prmt (9.7.9.7).
#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/lanes/definedness.hpp"
#include "device/virtual/semantics/bitfield.hpp"
#include "device/virtual/semantics/bits.hpp"

namespace warpcheck::isa {
namespace {

namespace rule = machine::definedness;
using W = std::uint32_t;

// Families: <T>.
constexpr auto kAnd = []<class T>() { return semantics::bit_and<T>; };
constexpr auto kOr = []<class T>() { return semantics::bit_or<T>; };
constexpr auto kXor = []<class T>() { return semantics::bit_xor<T>; };
constexpr auto kNot = []<class T>() { return semantics::bit_not<T>; };
constexpr auto kCnot = []<class T>() { return semantics::cnot<T>; };
constexpr auto kShl = []<class T>() { return semantics::shl<T>; };
constexpr auto kShr = []<class T>() { return semantics::shr<T>; };
constexpr auto kPopc = []<class T>() { return semantics::popc<T>; };
constexpr auto kClz = []<class T>() { return semantics::clz<T>; };
constexpr auto kBfind = []<class T>() { return semantics::bfind<false, T>; };
constexpr auto kBfindShift = []<class T>() { return semantics::bfind<true, T>; };
constexpr auto kBrev = []<class T>() { return semantics::brev<T>; };
constexpr auto kBfe = []<class T>() { return semantics::bfe<T>; };
constexpr auto kBfi = []<class T>() { return semantics::bfi<T>; };
constexpr auto kSzextClamp = []<class T>() { return semantics::szext<true, T>; };
constexpr auto kSzextWrap = []<class T>() { return semantics::szext<false, T>; };
constexpr W (*kPrmt)(W, W, W) = semantics::prmt;  // prmt that has no mode

/// lop3.BoolOp d|p, a, b, c, table, q: p = (d != 0) BoolOp q. The table is the immediate.
template <bool conjunction>
machine::Flow lop3_test(machine::Warp& warp, const machine::Op& op) {
  using machine::Mask;
  Mask defined = machine::kAllLanes;
  for (unsigned i = 1; i <= op.sources; ++i) defined &= warp.defined(op.operand[i]);
  const Mask unknown = warp.active() & ~defined;
  const Mask known =
      unknown == 0 ? machine::kAllLanes : machine::propagate_undefined(warp, op, unknown);
  const machine::Source<W> a(warp, op, 1);
  const machine::Source<W> b(warp, op, 2);
  const machine::Source<W> c(warp, op, 3);
  const machine::Source<Predicate> q(warp, op, 4);
  const auto table = static_cast<W>(op.immediate);
  W results[machine::kLanes];
  Mask nonzero = 0;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    results[lane] = semantics::lop3(a[lane], b[lane], c[lane], table);
    nonzero |= Mask{results[lane] != 0} << lane;
  }
  if (op.operand[0] != machine::kNoSlot) {
    machine::write_lanes<W>(warp, op.operand[0], [&](unsigned lane) { return results[lane]; });
    warp.set_defined(op.operand[0], warp.active(), known);
  }
  if (const machine::Slot p = op.operand[machine::kSecondResult]; p != machine::kNoSlot) {
    const Mask truth = conjunction ? nonzero & q.values : nonzero | q.values;
    warp.predicate(p) = (warp.predicate(p) & ~warp.active()) | (truth & warp.active());
    warp.set_defined(p, warp.active(), known);
  }
  return machine::Flow::next;
}

template <auto family>
Handler bitwise(const Selection& s) {
  return by_type<family, Type::pred, Type::b16, Type::b32, Type::b64>(s);
}
template <auto family>
Handler bits(const Selection& s) {
  return by_type<family, Type::b16, Type::b32, Type::b64>(s);
}
template <auto family>
Handler words(const Selection& s) {
  return by_type<family, Type::b32, Type::b64>(s);
}
template <auto family>
Handler integers(const Selection& s) {
  return by_type<family, Type::u32, Type::u64, Type::s32, Type::s64>(s);
}
Handler bind_shr(const Selection& s) {
  return by_type<kShr, Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16,
                 Type::s32, Type::s64>(s);
}
template <bool clamp>
Handler bind_shf(const Selection& s) {
  return s.has("l") ? handler_of<semantics::shf_l<clamp>>() : handler_of<semantics::shf_r<clamp>>();
}
template <auto family>
Handler bind_szext(const Selection& s) {
  return by_type<family, Type::u32, Type::s32>(s);
}

/// Lowers `d|p`, of which both results are optional: `_|p`, `d|_`.
void lower_lop3_test(Lowering& lowering) {
  const auto& operands = lowering.instruction.operands;
  const auto* results = lowering.operand<ptx::Pair>(0);
  const auto* q = lowering.operand<ptx::Register>(5);
  if (results == nullptr || q == nullptr || operands.size() != 6) {
    throw DecodeError("d|p, three values, a table and a predicate are expected");
  }
  machine::Op& op = lowering.result;
  const auto half = [&](const std::optional<ptx::Register>& reg, Type type) {
    return reg ? lowering.destination(ptx::Operand(*reg), type) : machine::kNoSlot;
  };
  op.operand[0] = half(results->first, Type::b32);
  op.operand[machine::kSecondResult] = half(results->second, Type::pred);
  op.bits[0] = 32;
  op.bits[machine::kSecondResult] = 1;
  for (unsigned i = 1; i <= 3; ++i) {
    op.operand[i] = lowering.source(operands[i], Type::b32);
    op.bits[i] = 32;
  }
  op.operand[4] = lowering.source(ptx::Operand(ptx::Register{q->index, false}), Type::pred);
  op.bits[4] = 1;
  op.negated_sources = q->negated ? 1U << 4 : 0;
  op.sources = 4;
  // The table is a constant, stored in the immediate.
  const auto* table = lowering.operand<ptx::Integer>(4);
  if (table == nullptr) throw DecodeError("the table of lop3 is a constant");
  op.immediate = static_cast<std::int64_t>(table->bits & 0xff);
  op.run = lowering.selection.has("and") ? lop3_test<true> : lop3_test<false>;
}
using Mode = semantics::PermuteMode;

constexpr std::string_view kBits = "pred b16 b32 b64";

constexpr std::array kForms = {
    Form{"and", "", kBits, "=t t t", "9.7.8.1", bitwise<kAnd>, rule::conjunction},
    Form{"or", "", kBits, "=t t t", "9.7.8.2", bitwise<kOr>, rule::disjunction},
    Form{"xor", "", kBits, "=t t t", "9.7.8.3", bitwise<kXor>, rule::bitwise},
    Form{"not", "", kBits, "=t t", "9.7.8.4", bitwise<kNot>, rule::bitwise},
    Form{"cnot", "", "b16 b32 b64", "=t t", "9.7.8.5", bits<kCnot>},
    Form{"lop3", "", "b32", "=t t t t b32", "9.7.8.6", fixed<semantics::lop3>, rule::bitwise},
    Form{"lop3", "and|or", "b32", "", "9.7.8.6", nullptr, nullptr, lower_lop3_test},
    Form{"shf", "l|r clamp", "b32", "=t t t u32", "9.7.8.7", bind_shf<true>},
    Form{"shf", "l|r wrap", "b32", "=t t t u32", "9.7.8.7", bind_shf<false>},
    Form{"shl", "", "b16 b32 b64", "=t t u32", "9.7.8.8", bits<kShl>, rule::shift_left},
    Form{"shr", "", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "=t t u32", "9.7.8.9", bind_shr,
         rule::shift_right},
    Form{"prmt", "", "b32", "=t t t t", "9.7.9.7", fixed<kPrmt>, rule::permutation},
    Form{"prmt", "f4e", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::f4e>>},
    Form{"prmt", "b4e", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::b4e>>},
    Form{"prmt", "rc8", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::rc8>>},
    Form{"prmt", "ecl", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::ecl>>},
    Form{"prmt", "ecr", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::ecr>>},
    Form{"prmt", "rc16", "b32", "=t t t t", "9.7.9.7", fixed<semantics::prmt<Mode::rc16>>},
    Form{"popc", "", "b32 b64", "=u32 t", "9.7.1.14", words<kPopc>},
    Form{"clz", "", "b32 b64", "=u32 t", "9.7.1.15", words<kClz>},
    Form{"bfind", "", "u32 u64 s32 s64", "=u32 t", "9.7.1.16", integers<kBfind>},
    Form{"bfind", "shiftamt", "u32 u64 s32 s64", "=u32 t", "9.7.1.16", integers<kBfindShift>},
    Form{"fns", "", "b32", "=b32 b32 b32 s32", "9.7.1.17", fixed<semantics::fns>},
    Form{"brev", "", "b32 b64", "=t t", "9.7.1.18", words<kBrev>},
    Form{"bfe", "", "u32 u64 s32 s64", "=t t u32 u32", "9.7.1.19", integers<kBfe>, rule::bit_field},
    Form{"bfi", "", "b32 b64", "=t t t u32 u32", "9.7.1.20", words<kBfi>},
    Form{"szext", "clamp", "u32 s32", "=t t u32", "9.7.1.21", bind_szext<kSzextClamp>},
    Form{"szext", "wrap", "u32 s32", "=t t u32", "9.7.1.21", bind_szext<kSzextWrap>},
    Form{"bmsk", "clamp", "b32", "=t b32 b32", "9.7.1.22", fixed<semantics::bmsk<true>>},
    Form{"bmsk", "wrap", "b32", "=t b32 b32", "9.7.1.22", fixed<semantics::bmsk<false>>},
};

}  // namespace

std::span<const Form> logic_forms() { return kForms; }

}  // namespace warpcheck::isa
