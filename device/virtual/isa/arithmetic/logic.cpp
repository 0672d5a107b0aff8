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

struct And {
  static bool apply(bool a, bool b) { return a && b; }
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_and(a, b);
  }
};
struct Or {
  static bool apply(bool a, bool b) { return a || b; }
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_or(a, b);
  }
};
struct Xor {
  static bool apply(bool a, bool b) { return a != b; }
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_xor(a, b);
  }
};
struct Not {
  static bool apply(bool a) { return !a; }
  template <class T>
  static T apply(T a) {
    return semantics::bit_not(a);
  }
};
struct Cnot {
  template <class T>
  static T apply(T a) {
    return semantics::cnot(a);
  }
};
struct Shl {
  template <class T>
  static T apply(T a, std::uint32_t n) {
    return semantics::shl(a, n);
  }
};
struct Shr {
  template <class T>
  static T apply(T a, std::uint32_t n) {
    return semantics::shr(a, n);
  }
};
template <bool clamp>
struct FunnelLeft {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
    return semantics::shf_l<clamp>(a, b, n);
  }
};
template <bool clamp>
struct FunnelRight {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
    return semantics::shf_r<clamp>(a, b, n);
  }
};
struct Lop3 {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t t) {
    return semantics::lop3(a, b, c, t);
  }
};
struct Prmt {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return semantics::prmt(a, b, c);
  }
};
template <semantics::PermuteMode mode>
struct PrmtMode {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return semantics::prmt<mode>(a, b, c);
  }
};
struct Popc {
  template <class T>
  static std::uint32_t apply(T a) {
    return semantics::popc(a);
  }
};
struct Clz {
  template <class T>
  static std::uint32_t apply(T a) {
    return semantics::clz(a);
  }
};
template <bool shiftamt>
struct Bfind {
  template <class T>
  static std::uint32_t apply(T a) {
    return semantics::bfind<shiftamt>(a);
  }
};
struct Fns {
  static std::uint32_t apply(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
    return semantics::fns(mask, base, n);
  }
};
struct Brev {
  template <class T>
  static T apply(T a) {
    return semantics::brev(a);
  }
};
struct Bfe {
  template <class T>
  static T apply(T a, std::uint32_t b, std::uint32_t c) {
    return semantics::bfe(a, b, c);
  }
};
struct Bfi {
  template <class T>
  static T apply(T a, T b, std::uint32_t c, std::uint32_t d) {
    return semantics::bfi(a, b, c, d);
  }
};
template <bool clamp>
struct Bmsk {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    return semantics::bmsk<clamp>(a, b);
  }
};
template <bool clamp>
struct Szext {
  template <class T>
  static T apply(T a, std::uint32_t b) {
    return semantics::szext<clamp>(a, b);
  }
};

using W = std::uint32_t;

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

template <class F, int operands>
Handler bitwise(const Selection& s) {
  return uniform<F, operands, Type::pred, Type::b16, Type::b32, Type::b64>(s);
}
Handler bind_cnot(const Selection& s) {
  return uniform<Cnot, 1, Type::b16, Type::b32, Type::b64>(s);
}
Handler bind_brev(const Selection& s) { return uniform<Brev, 1, Type::b32, Type::b64>(s); }

template <class F, Type... types>
Handler shift(const Selection& s) {
  Handler found = nullptr;
  ((s.type() == types ? void(found = machine::lanewise<F, cpp<types>, cpp<types>, W>) : void()),
   ...);
  return found;
}
Handler bind_shl(const Selection& s) { return shift<Shl, Type::b16, Type::b32, Type::b64>(s); }
Handler bind_shr(const Selection& s) {
  return shift<Shr, Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16,
               Type::s32, Type::s64>(s);
}
Handler bind_funnel(const Selection& s) {
  const bool clamp = s.has("clamp");
  if (s.has("l")) {
    return clamp ? machine::lanewise<FunnelLeft<true>, W, W, W, W>
                 : machine::lanewise<FunnelLeft<false>, W, W, W, W>;
  }
  return clamp ? machine::lanewise<FunnelRight<true>, W, W, W, W>
               : machine::lanewise<FunnelRight<false>, W, W, W, W>;
}
template <semantics::PermuteMode mode>
Handler permute(const Selection&) {
  return machine::lanewise<PrmtMode<mode>, W, W, W, W>;
}

/// d is always 32 bits wide.
template <class F, Type... types>
Handler count(const Selection& s) {
  Handler found = nullptr;
  ((s.type() == types ? void(found = machine::lanewise<F, W, cpp<types>>) : void()), ...);
  return found;
}
Handler bind_bfe(const Selection& s) {
  switch (s.type()) {
    case Type::u32:
      return machine::lanewise<Bfe, W, W, W, W>;
    case Type::s32:
      return machine::lanewise<Bfe, std::int32_t, std::int32_t, W, W>;
    case Type::u64:
      return machine::lanewise<Bfe, std::uint64_t, std::uint64_t, W, W>;
    default:
      return machine::lanewise<Bfe, std::int64_t, std::int64_t, W, W>;
  }
}
Handler bind_bfi(const Selection& s) {
  return s.type() == Type::b64
             ? machine::lanewise<Bfi, std::uint64_t, std::uint64_t, std::uint64_t, W, W>
             : machine::lanewise<Bfi, W, W, W, W, W>;
}
Handler bind_bmsk(const Selection& s) {
  return s.has("clamp") ? machine::lanewise<Bmsk<true>, W, W, W>
                        : machine::lanewise<Bmsk<false>, W, W, W>;
}
template <bool clamp>
Handler szext_of(const Selection& s) {
  return s.type() == Type::s32 ? machine::lanewise<Szext<clamp>, std::int32_t, std::int32_t, W>
                               : machine::lanewise<Szext<clamp>, W, W, W>;
}
Handler bind_szext(const Selection& s) {
  return s.has("clamp") ? szext_of<true>(s) : szext_of<false>(s);
}
/// Both results of `d|p` are optional: `_|p`, `d|_`.
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
  // The table is a constant: it takes the slot that no source needs.
  const auto* table = lowering.operand<ptx::Integer>(4);
  if (table == nullptr) throw DecodeError("the table of lop3 is a constant");
  op.immediate = static_cast<std::int64_t>(table->bits & 0xff);
  op.run = lowering.selection.has("and") ? lop3_test<true> : lop3_test<false>;
}
using Mode = semantics::PermuteMode;

constexpr std::string_view kBits = "pred b16 b32 b64";

constexpr std::array kForms = {
    Form{"and", "", kBits, "=t t t", "9.7.8.1", bitwise<And, 2>, rule::conjunction},
    Form{"or", "", kBits, "=t t t", "9.7.8.2", bitwise<Or, 2>, rule::disjunction},
    Form{"xor", "", kBits, "=t t t", "9.7.8.3", bitwise<Xor, 2>, rule::bitwise},
    Form{"not", "", kBits, "=t t", "9.7.8.4", bitwise<Not, 1>, rule::bitwise},
    Form{"cnot", "", "b16 b32 b64", "=t t", "9.7.8.5", bind_cnot},
    Form{"lop3", "", "b32", "=t t t t b32", "9.7.8.6", fixed<Lop3, W, W, W, W, W>, rule::bitwise},
    Form{"lop3", "and|or", "b32", "", "9.7.8.6", nullptr, nullptr, lower_lop3_test},
    Form{"shf", "l|r clamp|wrap", "b32", "=t t t u32", "9.7.8.7", bind_funnel},
    Form{"shl", "", "b16 b32 b64", "=t t u32", "9.7.8.8", bind_shl, rule::shift_left},
    Form{"shr", "", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "=t t u32", "9.7.8.9", bind_shr,
         rule::shift_right},
    Form{"prmt", "", "b32", "=t t t t", "9.7.9.7", fixed<Prmt, W, W, W, W>, rule::permutation},
    Form{"prmt", "f4e", "b32", "=t t t t", "9.7.9.7", permute<Mode::f4e>},
    Form{"prmt", "b4e", "b32", "=t t t t", "9.7.9.7", permute<Mode::b4e>},
    Form{"prmt", "rc8", "b32", "=t t t t", "9.7.9.7", permute<Mode::rc8>},
    Form{"prmt", "ecl", "b32", "=t t t t", "9.7.9.7", permute<Mode::ecl>},
    Form{"prmt", "ecr", "b32", "=t t t t", "9.7.9.7", permute<Mode::ecr>},
    Form{"prmt", "rc16", "b32", "=t t t t", "9.7.9.7", permute<Mode::rc16>},
    Form{"popc", "", "b32 b64", "=u32 t", "9.7.1.14", count<Popc, Type::b32, Type::b64>},
    Form{"clz", "", "b32 b64", "=u32 t", "9.7.1.15", count<Clz, Type::b32, Type::b64>},
    Form{"bfind", "", "u32 u64 s32 s64", "=u32 t", "9.7.1.16",
         count<Bfind<false>, Type::u32, Type::u64, Type::s32, Type::s64>},
    Form{"bfind", "shiftamt", "u32 u64 s32 s64", "=u32 t", "9.7.1.16",
         count<Bfind<true>, Type::u32, Type::u64, Type::s32, Type::s64>},
    Form{"fns", "", "b32", "=b32 b32 b32 s32", "9.7.1.17", fixed<Fns, W, W, W, std::int32_t>},
    Form{"brev", "", "b32 b64", "=t t", "9.7.1.18", bind_brev},
    Form{"bfe", "", "u32 u64 s32 s64", "=t t u32 u32", "9.7.1.19", bind_bfe, rule::bit_field},
    Form{"bfi", "", "b32 b64", "=t t t u32 u32", "9.7.1.20", bind_bfi},
    Form{"szext", "clamp|wrap", "u32 s32", "=t t u32", "9.7.1.21", bind_szext},
    Form{"bmsk", "clamp|wrap", "b32", "=t b32 b32", "9.7.1.22", bind_bmsk},
};

}  // namespace

std::span<const Form> logic_forms() { return kForms; }

}  // namespace warpcheck::isa
