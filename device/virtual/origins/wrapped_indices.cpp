#include "device/virtual/origins/wrapped_indices.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::origins {
namespace {

using machine::kLanes;
using machine::Op;
using machine::Slot;
using machine::Warp;
using Words = std::vector<std::string>;

constexpr std::size_t kMostAccesses = std::size_t{1} << 16;
// Larger values are not followed, because products must fit.
constexpr Wide kLargest = Wide{1} << 62;

bool has_word(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The bits of an integer type; 0: another type.
unsigned integer_bits(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 4> kWidths = {
      {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}}};
  if (type.empty() || (type[0] != 'u' && type[0] != 's' && type[0] != 'b')) return 0;
  for (const auto& [digits, bits] : kWidths) {
    if (type.substr(1) == digits) return bits;
  }
  return 0;
}

/// The low bits of a value as a signed or unsigned integer.
Wide reduced(Wide value, unsigned bits, bool is_signed) {
  const Wide modulus = Wide{1} << bits;
  Wide low = value % modulus;
  if (low < 0) low += modulus;
  return is_signed && low >= modulus / 2 ? low - modulus : low;
}

/// Values of 64 bits are computed modulo 2^64, so that both readings have the same result.
constexpr bool reads_signed(unsigned bits) { return bits == 64; }

std::uint64_t bits_at(const Warp& warp, Slot slot, unsigned bits, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, warp.lanes<std::byte>(slot) + std::size_t{lane} * (bits / 8), bits / 8);
  return value;
}

/// Bytes of an element of an access to memory; 0: no such access.
std::size_t element_bytes_of(const Words& words) {
  const std::string& name = words.front();
  const bool accesses =
      name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
  const std::string& type = words.back();
  const std::size_t digits = type.find_last_not_of("0123456789") + 1;
  if (!accesses || digits == type.size() || has_word(words, "bulk")) return 0;
  return std::stoul(type.substr(digits)) / 8;
}

/// A mask of `end` - `begin` adjacent bits.
struct AdjacentBits {
  unsigned begin = 0;
  unsigned end = 0;  // 0: another kind of mask
};
AdjacentBits adjacent_bits(std::uint64_t mask) {
  const auto begin = static_cast<unsigned>(std::countr_zero(mask));
  const auto end = static_cast<unsigned>(std::bit_width(mask));
  const bool is_one_run = mask != 0 && std::popcount(mask) == static_cast<int>(end - begin);
  return is_one_run ? AdjacentBits{begin, end} : AdjacentBits{};
}

}  // namespace

void WrappedAccesses::add(std::uint32_t op, Overflow overflow) {
  if (accesses_.size() >= kMostAccesses) return;
  accesses_.try_emplace({op, overflow.memory.name, overflow.memory.offset}, std::move(overflow));
}

namespace {

IndexOverflow overflow_of(const machine::Program& program, std::uint32_t op,
                          const WrappedAccesses::Overflow& overflow) {
  return {program.place(overflow.op), overflow.bits,   overflow.is_signed,
          program.place(op),          overflow.memory, overflow.offset};
}

}  // namespace

std::optional<IndexOverflow> WrappedAccesses::of(const machine::Program& program,
                                                 const SourcePlace& instruction,
                                                 const MemoryPlace& place) const {
  for (const auto& [access, overflow] : accesses_) {
    const auto& [op, name, offset] = access;
    if (name != place.name || offset != place.offset) continue;
    if (program.place(op).ptx_line != instruction.ptx_line) continue;
    return overflow_of(program, op, overflow);
  }
  return std::nullopt;
}

std::vector<IndexOverflow> WrappedAccesses::all(const machine::Program& program) const {
  std::vector<IndexOverflow> overflows;
  std::uint32_t last = ~std::uint32_t{0};
  for (const auto& [access, overflow] : accesses_) {
    const std::uint32_t op = std::get<0>(access);
    if (std::exchange(last, op) != op) overflows.push_back(overflow_of(program, op, overflow));
  }
  return overflows;
}

/// The rule of cvt, or of `and` with a mask of the low bits: compilers reduce a value to a narrower
/// type with them.
WrappedIndices::Rule WrappedIndices::narrowing_rule(const Op& op, const Words& words) {
  if (words.front() == "and") return {Act::narrow, true, false, 0};
  const std::string& from = words.back();
  const std::string& to = words[words.size() - 2];
  const unsigned from_bits = integer_bits(from);
  const unsigned to_bits = integer_bits(to);
  if (from_bits == 0 || to_bits == 0 || has_word(words, "sat")) return {};
  Rule rule{Act::narrow};
  rule.bits = std::min(from_bits, to_bits);
  rule.decides = rule.bits < op.bits[0];
  rule.is_signed = (to_bits < op.bits[0] && to_bits <= from_bits ? to : from).front() == 's';
  return rule;
}

WrappedIndices::Rule WrappedIndices::rule_of(const Op& op, const Words& words) {
  if (words.empty()) return {};
  const std::string& name = words.front();
  Rule rule;
  rule.element = element_bytes_of(words);
  const bool is_vector = has_word(words, "v2") || has_word(words, "v4") || has_word(words, "v8");
  rule.access = rule.element * (is_vector ? op.detail->elements.size() : 1);
  rule.writes = name != "ld" && name != "ldu";
  if (op.bits[0] < 16 || op.bits[1] < 16 || op.sources == 0) return rule;
  const bool moves_window = has_word(words, "shared") || has_word(words, "shared::cta") ||
                            has_word(words, "local") || has_word(words, "param");
  if (name == "mov" || (name == "cvta" && !moves_window)) rule.act = Act::copy;
  if (name == "cvt" || name == "and") return narrowing_rule(op, words);
  if (name == "selp") rule.act = Act::select;
  if (name == "shl") rule.act = Act::shift;
  if (name == "or") rule.act = Act::join;
  const bool is_integer = integer_bits(words.back()) != 0 && words.back().front() != 'b';
  if (!is_integer || has_word(words, "cc") || has_word(words, "sat") || has_word(words, "hi")) {
    return rule;
  }
  if (name == "add") rule.act = Act::add;
  if (name == "sub") rule.act = Act::subtract;
  if (name == "neg") rule.act = Act::negate;
  if (name == "mul") rule.act = Act::multiply;
  if (name == "mad") rule.act = Act::multiply_add;
  rule.decides = has_word(words, "wide");
  rule.is_signed = words.back().front() == 's';
  return rule;
}

WrappedIndices::Exact WrappedIndices::value_of(const Warp& warp, const Op& op, unsigned operand,
                                               unsigned lane) const {
  const Slot slot = op.operand[operand];
  const auto known = registers_.find(key_of(warp, slot));
  const bool is_register = (op.read_registers >> operand & 1) != 0;
  if (is_register && known != registers_.end()) {
    const Exact& exact = known->second[lane];
    if (exact.as_signed.op != kFits || exact.as_unsigned.op != kFits) return exact;
  }
  const unsigned bits = op.bits[operand];
  const std::uint64_t value = bits_at(warp, slot, bits, lane);
  return {{reduced(value, bits, true)}, {reduced(value, bits, reads_signed(bits))}};
}

/// The exact result of the op for a lane; empty if the op is not followed.
std::optional<WrappedIndices::Exact> WrappedIndices::result(const Warp& warp, const Op& op,
                                                            unsigned lane) const {
  const Exact a = value_of(warp, op, 1, lane);
  const auto combine = [](const Exact& x, const Exact& y, auto function) {
    const auto each = [&](const Reading& one, const Reading& other) {
      const Reading& first = one.op != kFits ? one : other;
      return Reading{function(one.value, other.value), first.op, first.bits, first.is_signed};
    };
    return Exact{each(x.as_signed, y.as_signed), each(x.as_unsigned, y.as_unsigned)};
  };
  const auto product = [](Wide x, Wide y) { return x * y; };
  const auto sum = [](Wide x, Wide y) { return x + y; };
  switch (rule_.act) {
    case Act::none:
      return std::nullopt;
    case Act::copy:
      return a;
    case Act::narrow: {
      const bool is_mask = op.sources == 2;
      const std::uint64_t mask = is_mask ? bits_at(warp, op.operand[2], op.bits[2], lane) : 1;
      // The low bits that a mask removes are zero if an index is multiplied by its size.
      if (a.as_unsigned.value % (Wide{1} << adjacent_bits(mask).begin) != 0) return std::nullopt;
      return a;
    }
    case Act::add:
      return combine(a, value_of(warp, op, 2, lane), sum);
    case Act::subtract:
      return combine(a, value_of(warp, op, 2, lane), [](Wide x, Wide y) { return x - y; });
    case Act::negate:
      return combine(a, {}, [](Wide x, Wide) { return -x; });
    case Act::multiply:
      return combine(a, value_of(warp, op, 2, lane), product);
    case Act::multiply_add:
      return combine(combine(a, value_of(warp, op, 2, lane), product), value_of(warp, op, 3, lane),
                     sum);
    case Act::shift: {
      const std::uint64_t by = bits_at(warp, op.operand[2], 32, lane);
      if (by >= op.bits[0]) return std::nullopt;
      return combine(a, {}, [by](Wide x, Wide) { return x * (Wide{1} << by); });
    }
    case Act::join: {
      const std::uint64_t one = bits_at(warp, op.operand[1], op.bits[1], lane);
      const std::uint64_t other = bits_at(warp, op.operand[2], op.bits[2], lane);
      if ((one & other) != 0) return std::nullopt;
      return combine(a, value_of(warp, op, 2, lane), sum);
    }
    case Act::select: {
      const bool first = ((warp.predicate(op.operand[3]) >> lane & 1) != 0) !=
                         ((op.negated_sources >> 3 & 1) != 0);
      return first ? a : value_of(warp, op, 2, lane);
    }
  }
  return std::nullopt;
}

/// Compares an exact result with the result of the op. Returns false if it fits, or is not
/// followed.
bool WrappedIndices::keep(const Warp& warp, const Op& op, unsigned lane, Exact& exact) const {
  const unsigned bits = op.bits[0];
  const std::uint64_t value = bits_at(warp, op.operand[0], bits, lane);
  if (rule_.decides) {
    (rule_.is_signed ? exact.as_unsigned : exact.as_signed) =
        rule_.is_signed ? exact.as_signed : exact.as_unsigned;
  }
  for (Reading* const reading : {&exact.as_signed, &exact.as_unsigned}) {
    const bool is_signed =
        reads_signed(bits) || (rule_.decides ? rule_.is_signed : reading == &exact.as_signed);
    if (bits == 64) reading->value = reduced(reading->value, bits, is_signed);
    if (reading->value > kLargest || reading->value < -kLargest) return false;
    if (reading->value == reduced(value, bits, is_signed)) {
      reading->op = kFits;
    } else if (reading->op == kFits) {
      reading->op = op.number;
      reading->bits = static_cast<std::uint8_t>(rule_.bits != 0 ? rule_.bits : bits);
      reading->is_signed = rule_.decides ? rule_.is_signed : reading == &exact.as_signed;
    }
  }
  return exact.as_signed.op != kFits || exact.as_unsigned.op != kFits;
}

void WrappedIndices::before(Warp& warp, const Op& op, const Words& words) {
  results_ = {};
  rule_ = {};
  if (warp.frame().depth != 0) return;
  const auto known = rules_.find(op.number);
  rule_ = known != rules_.end() ? known->second : (rules_[op.number] = rule_of(op, words));
  if (rule_.act == Act::narrow && rule_.bits == 0) {
    // The mask of this `and`, whose value is known when the op runs, must be constant.
    const bool is_constant = (op.read_registers >> 2 & 1) == 0;
    rule_.bits = adjacent_bits(bits_at(warp, op.operand[2], op.bits[2], 0)).end;
    if (!is_constant || rule_.bits == 0) rule_ = {};
  }
  if (rule_.access != 0 && !registers_.empty()) note_accesses(warp, op);
  if (rule_.act == Act::none) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((warp.active() >> lane & 1) != 0) results_[lane] = result(warp, op, lane);
  }
}

void WrappedIndices::after(const Warp& warp, const Op& op) {
  if (warp.frame().depth != 0) return;
  for (unsigned operand = 0; operand < op.operand.size(); ++operand) {
    if ((op.written_registers >> operand & 1) == 0 || op.operand[operand] == machine::kNoSlot) {
      continue;
    }
    const std::uint64_t key = key_of(warp, op.operand[operand]);
    auto known = registers_.find(key);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((warp.active() >> lane & 1) == 0) continue;
      std::optional<Exact>& exact = results_[lane];
      const bool kept = operand == 0 && exact && keep(warp, op, lane, *exact);
      if (kept && known == registers_.end()) known = registers_.try_emplace(key).first;
      if (known != registers_.end()) known->second[lane] = kept ? *exact : Exact{};
    }
  }
}

/// The width of an index's type. A mask for the index times the element size is wider by the bits
/// of that size. 0: no type has that width.
unsigned WrappedIndices::index_bits(unsigned bits) const {
  const auto is_width = [](unsigned width) { return width == 8 || width == 16 || width == 32; };
  const auto scale = static_cast<unsigned>(std::countr_zero(rule_.element));
  if (is_width(bits)) return bits;
  return bits > scale && is_width(bits - scale) ? bits - scale : 0;
}

/// Records the accesses that would be inside the same buffer without the overflow.
void WrappedIndices::note_accesses(Warp& warp, const Op& op) {
  const auto known = registers_.find(key_of(warp, op.operand[0]));
  if (known == registers_.end() || (op.read_registers & 1) == 0) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Exact& exact = known->second[lane];
    if ((warp.active() >> lane & 1) == 0 || exact.as_unsigned.op == kFits) continue;
    const unsigned bits = index_bits(exact.as_unsigned.bits);
    const auto displacement = machine::displacement_of(warp, op);
    const auto address = static_cast<std::uint64_t>(exact.as_unsigned.value) + displacement;
    const std::uint64_t actual = machine::address_of(warp, op, lane);
    const machine::Container inside = machine::locate(warp, op, address);
    const machine::Container container = machine::locate(warp, op, actual);
    const std::uint64_t offset = address - inside.base;
    const bool is_inside = inside.name != nullptr && inside.bytes.size >= rule_.access &&
                           offset <= inside.bytes.size - rule_.access;
    const bool is_same = container.base == inside.base && container.name == inside.name;
    if (bits == 0 || !is_inside || !is_same) continue;
    const auto place = static_cast<std::ptrdiff_t>(actual - container.base);
    accesses_.add(op.number, {exact.as_unsigned.op,
                              bits,
                              exact.as_unsigned.is_signed,
                              {machine::name_of(container), place, rule_.access, rule_.writes},
                              static_cast<std::ptrdiff_t>(offset)});
    if (accesses_.correct && op.wide_address) {
      warp.lanes<std::uint64_t>(op.operand[0])[lane] = address - displacement;
    }
  }
}

}  // namespace warpcheck::origins
