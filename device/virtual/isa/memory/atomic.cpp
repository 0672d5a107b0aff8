// atom and red (PTX ISA 9.7.13.7, 9.7.13.8). CUDA does not define the order of the lanes' updates.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/memory/atomic_operations.hpp"
#include "device/virtual/isa/memory/object_in_word.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::Mask;
using machine::Op;
using machine::ResolvedAccess;
using machine::Slot;
using machine::Space;
using machine::Warp;
using semantics::bf16;
using semantics::f16;

/// Computes the new word. Values are in the low bits of the arguments. `b` is the operand, `c` the
/// second operand (cas).
using Update = std::uint64_t (*)(std::uint64_t old, std::uint64_t b, std::uint64_t c);

/// The operation of an op. An f32 sum flushes subnormals in global memory, but not in shared
/// memory. A generic address therefore selects the update.
struct Operation {
  Update update;
  Update update_shared;
  unsigned bytes;  // bytes of a word
  bool replaces;   // exch: the new value does not depend on the old one
  bool compares;   // cas
};

template <unsigned bytes>
std::uint64_t read_word(const std::byte* from) {
  Bits<bytes> word;
  std::memcpy(&word, from, bytes);
  return word;
}

/// A lane's register and its undefined bits.
struct Word {
  std::uint64_t value = 0;
  std::uint64_t undefined = 0;
};

template <unsigned bytes>
Word read_register(const Warp& warp, Slot slot, unsigned lane) {
  const std::size_t offset = std::size_t{lane} * bytes;
  Word word;
  word.value = read_word<bytes>(warp.lanes<std::byte>(slot) + offset);
  if ((warp.defined(slot) >> lane & 1) == 0) {
    word.undefined = read_word<bytes>(warp.undefined_bits(slot) + offset);
  }
  return word;
}

template <unsigned bytes>
void write_register(const Warp& warp, Slot slot, unsigned lane, Word word) {
  if (slot == machine::kNoSlot) return;
  const std::size_t offset = std::size_t{lane} * bytes;
  std::memcpy(warp.lanes<std::byte>(slot) + offset, &word.value, bytes);
  warp.set_defined(slot, Mask{1} << lane, word.undefined == 0 ? machine::kAllLanes : 0);
  if (word.undefined != 0) {
    std::memcpy(warp.undefined_bits(slot) + offset, &word.undefined, bytes);
  }
}

/// The undefined bits of the new word. `object` are the bits that the thread updates.
std::uint64_t undefined_after(const Operation& operation, Word old, Word b, Word c,
                              std::uint64_t object) {
  if (operation.replaces) return b.undefined;
  if (((old.undefined | b.undefined) & object) != 0) return object | old.undefined;
  if (!operation.compares || old.value != b.value) return old.undefined;
  return (c.undefined & object) | (old.undefined & ~object);
}

/// Makes the word defined after a finding, so that one cause is one finding.
template <unsigned bytes>
void count_as_defined(Warp& warp, Slot result, const ResolvedAccess& resolved, Mask lanes,
                      std::size_t displacement) {
  if (result != machine::kNoSlot) warp.set_defined(result, lanes, machine::kAllLanes);
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::size_t at = displacement + resolved.offset[machine::lowest(rest)];
    std::memset(resolved.shadow + at, 0xff, bytes);
  }
  warp.block().shorten_budget();
}

/// Executes an atomic. The elements of the detail are the results, then as many operands. Operand 3
/// of the op is the second operand of a cas.
template <unsigned bytes>
Flow update_memory(Warp& warp, const Op& op, const Operation& operation) {
  const auto& elements = op.detail->elements;
  const std::size_t count = elements.size() / 2;
  const machine::Block& block = warp.block();
  const machine::LaneOrder order(
      block.launch().schedule_seed,
      block.linear() << 38 ^ std::uint64_t{warp.index()} << 32 ^ warp.executed());
  return machine::access(
      warp, op, {count * bytes, true}, [&](const ResolvedAccess& resolved, Mask lanes) {
        machine::Allocation* allocation = resolved.container->allocation;
        const std::optional<ObjectAccess> objects = objects_of(warp, op, resolved);
        const ResolvedAccess updated = objects ? objects->resolved() : resolved;
        const std::size_t updated_bytes = objects ? op.detail->object.bytes : bytes;
        const Update update =
            resolved.container->space == Space::shared ? operation.update_shared : operation.update;
        bool changed = false;
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t displacement = i * bytes;
          if (allocation != nullptr && allocation->needs_care()) {
            machine::inspect_store(warp, op, resolved, lanes, displacement, bytes);
          }
          Mask reported = 0;
          for (unsigned turn = 0; turn < kLanes; ++turn) {
            const unsigned lane = order.lane(turn);
            if ((lanes >> lane & 1) == 0) continue;
            std::byte* data = resolved.data + displacement + resolved.offset[lane];
            std::byte* shadow = resolved.shadow + displacement + resolved.offset[lane];
            const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * bytes);
            const Word old{read_word<bytes>(data), ~read_word<bytes>(shadow) & all};
            const Word b = read_register<bytes>(warp, elements[count + i], lane);
            const Word c =
                operation.compares ? read_register<bytes>(warp, op.operand[3], lane) : Word{};
            const std::uint64_t result = update(old.value, b.value, c.value);
            const std::uint64_t object = objects ? objects->bits(lane) : all;
            const std::uint64_t undefined = undefined_after(operation, old, b, c, object) & all;
            const std::uint64_t known = ~undefined;
            changed |= (result & all) != old.value;
            std::memcpy(data, &result, bytes);
            std::memcpy(shadow, &known, bytes);
            if ((undefined & object) != 0) reported |= Mask{1} << lane;
            write_register<bytes>(warp, elements[i], lane, {old.value, old.undefined & object});
          }
          if (reported != 0 && allocation != nullptr) {
            machine::report_undefined_store(warp, op, updated, reported, displacement,
                                            updated_bytes);
            if (block.launch().keep_going) {
              count_as_defined<bytes>(warp, elements[i], resolved, reported, displacement);
            }
          }
        }
        if (changed) warp.block().note_change();
        machine::observe_update(warp, op, updated, lanes, count * updated_bytes, order);
      });
}

template <const Operation& operation>
Flow atomic(Warp& warp, const Op& op) {
  return update_memory<operation.bytes>(warp, op, operation);
}

template <class F, class T>
inline constexpr Operation kUpdate{updated<F, T>, updated<F, T>, sizeof(T), false, false};
template <class F, class T>
inline constexpr Operation kUpdateHalves{updated_halves<F, T>, updated_halves<F, T>, 4, false,
                                         false};
inline constexpr Operation kAddSingle{updated<AddFloat<true>, float>,
                                      updated<AddFloat<false>, float>, 4, false, false};
inline constexpr Operation kAddDouble{updated<AddDoubleInGlobal, double>, updated<Add, double>, 8,
                                      false, false};
template <class T>
inline constexpr Operation kExchange{updated<Exchange, T>, updated<Exchange, T>, sizeof(T), true,
                                     false};
template <class T>
inline constexpr Operation kCompare{compared<T>, compared<T>, sizeof(T), false, true};

/// The handler of F for an integer type.
template <class F>
Handler integer_handler(Type type) {
  switch (type) {
    case Type::u32:
    case Type::b32:
      return atomic<kUpdate<F, std::uint32_t>>;
    case Type::u64:
    case Type::b64:
      return atomic<kUpdate<F, std::uint64_t>>;
    default:
      return nullptr;
  }
}
template <class F>
Handler signed_handler(Type type) {
  if (type == Type::s32) return atomic<kUpdate<F, std::int32_t>>;
  if (type == Type::s64) return atomic<kUpdate<F, std::int64_t>>;
  return integer_handler<F>(type);
}
template <class F>
Handler half_handler(Type type) {
  switch (type) {
    case Type::f16:
      return atomic<kUpdate<F, f16>>;
    case Type::bf16:
      return atomic<kUpdate<F, bf16>>;
    case Type::f16x2:
      return atomic<kUpdateHalves<F, f16>>;
    default:
      return atomic<kUpdateHalves<F, bf16>>;
  }
}

Handler handler_of(const Selection& s) {
  const Type type = s.type();
  if (s.has("noftz")) {
    return s.has("add")   ? half_handler<Add>(type)
           : s.has("min") ? half_handler<Min>(type)
                          : half_handler<Max>(type);
  }
  if (type == Type::f32) return atomic<kAddSingle>;
  if (type == Type::f64) return atomic<kAddDouble>;
  if (s.has("add"))
    return type == Type::s32 ? integer_handler<Add>(Type::u32) : integer_handler<Add>(type);
  if (s.has("min")) return signed_handler<Min>(type);
  if (s.has("max")) return signed_handler<Max>(type);
  if (s.has("and")) return integer_handler<And>(type);
  if (s.has("or")) return integer_handler<Or>(type);
  if (s.has("xor")) return integer_handler<Xor>(type);
  if (s.has("inc")) return atomic<kUpdate<Increment, std::uint32_t>>;
  if (s.has("dec")) return atomic<kUpdate<Decrement, std::uint32_t>>;
  const std::size_t bytes = ptx::bytes(type);
  if (s.has("exch")) {
    return bytes == 8 ? atomic<kExchange<std::uint64_t>> : atomic<kExchange<std::uint32_t>>;
  }
  return bytes == 8   ? atomic<kCompare<std::uint64_t>>
         : bytes == 4 ? atomic<kCompare<std::uint32_t>>
                      : atomic<kCompare<std::uint16_t>>;
}

Space space_of(const Selection& s) {
  if (s.has("global")) return Space::global;
  const bool shared = s.has("shared") || s.has("shared::cta") || s.has("shared::cluster");
  return shared ? Space::shared : Space::generic;
}

std::size_t vector_length(const Selection& s) {
  return s.has("v2") ? 2 : s.has("v4") ? 4 : s.has("v8") ? 8 : 1;
}

/// Adds one register, or the members of a vector, to the elements of the detail.
void add_values(Lowering& lowering, const ptx::Operand& operand, bool results) {
  const Type type = lowering.selection.type();
  const std::size_t length = vector_length(lowering.selection);
  auto& elements = lowering.detail().elements;
  if (results && std::holds_alternative<ptx::Sink>(operand)) {
    elements.insert(elements.end(), length, machine::kNoSlot);
    return;
  }
  if (length == 1) {
    elements.push_back(results ? lowering.destination(operand, type)
                               : lowering.source(operand, type));
    return;
  }
  const auto* vector = std::get_if<ptx::Vector>(&operand);
  if (vector == nullptr || vector->elements.size() != length) {
    throw DecodeError("the number of members of the vector differs from .v");
  }
  for (const ptx::Element& element : vector->elements) {
    const Slot slot = results ? lowering.destination_element(element, type)
                              : lowering.source_element(element, type);
    if (!results && slot == machine::kNoSlot)
      throw DecodeError("a member of the operand is missing");
    elements.push_back(slot);
  }
}

/// `d, [a], b{, c}{, cache policy}`; red has no d.
void lower_atomic(Lowering& lowering) {
  const Selection& s = lowering.selection;
  const bool returns = lowering.instruction.parts.front() == "atom";
  const std::size_t first = returns ? 1 : 0;
  const bool cas = s.has("cas");
  const std::size_t expected = first + (cas ? 3 : 2) + (s.has("L2::cache_hint") ? 1 : 0);
  const auto* address = lowering.operand<ptx::Address>(first);
  if (address == nullptr || lowering.operand_count() != expected)
    throw DecodeError("an [address] and operands are expected");
  const auto& operands = lowering.instruction.operands;
  lowering.address(*address, space_of(s));
  Op& op = lowering.result;
  op.strong = true;
  op.scope = scope_of(s);
  const bool halves = s.type() == Type::f16x2 || s.type() == Type::bf16x2;
  op.scalar_bytes = static_cast<std::uint8_t>(ptx::bytes(s.type()) >> halves);
  op.acquires = s.has("acquire") || s.has("acq_rel");
  op.releases = s.has("release") || s.has("acq_rel");
  machine::FunctionCode& code = lowering.function.code();
  if (op.space != Space::shared) code.communicates = true;
  if (op.space != Space::global)
    code.shared_unit = std::min(code.shared_unit, ptx::bytes(s.type()));
  if (returns) {
    add_values(lowering, operands[0], true);
  } else {
    lowering.detail().elements.assign(vector_length(s), machine::kNoSlot);
  }
  add_values(lowering, operands[first + 1], false);
  if (cas) {
    lowering.result.operand[3] = lowering.source(operands[first + 2], s.type());
    recognize_object_in_word(lowering, *address);
  }
  lowering.result.run = handler_of(s);
}

#define WARPCHECK_ATOM                                       \
  "[relaxed|acquire|release|acq_rel] [cta|cluster|gpu|sys] " \
  "[global|shared|shared::cta|shared::cluster] [L2::cache_hint] "
#define WARPCHECK_RED                            \
  "[relaxed|release] [cta|cluster|gpu|sys] "     \
  "[global|shared|shared::cta|shared::cluster] " \
  "[L2::cache_hint] "
#define WARPCHECK_VECTOR                                              \
  "[relaxed|acquire|release|acq_rel] [cta|cluster|gpu|sys] [global] " \
  "[L2::cache_hint] "

constexpr std::string_view kAtom = "9.7.13.7";
constexpr std::string_view kRed = "9.7.13.8";

constexpr Form form(std::string_view mnemonic, std::string_view modifiers, std::string_view types) {
  return {mnemonic, modifiers, types,       "", mnemonic == "atom" ? kAtom : kRed,
          nullptr,  nullptr,   lower_atomic};
}

constexpr std::array kForms = {
    form("atom", WARPCHECK_ATOM "add", "u32 s32 u64 f32 f64"),
    form("atom", WARPCHECK_ATOM "min|max", "u32 s32 u64 s64"),
    form("atom", WARPCHECK_ATOM "and|or|xor|exch", "b32 b64"),
    form("atom", WARPCHECK_ATOM "cas", "b16 b32 b64"),
    form("atom", WARPCHECK_ATOM "inc|dec", "u32"),
    form("atom", WARPCHECK_ATOM "add noftz", "f16 f16x2 bf16 bf16x2"),
    form("atom", WARPCHECK_VECTOR "add v2|v4", "f32"),
    form("atom", WARPCHECK_VECTOR "add|min|max noftz v2|v4|v8", "f16 bf16"),
    form("atom", WARPCHECK_VECTOR "add|min|max noftz v2|v4", "f16x2 bf16x2"),
    form("red", WARPCHECK_RED "add", "u32 s32 u64 f32 f64"),
    form("red", WARPCHECK_RED "min|max", "u32 s32 u64 s64"),
    form("red", WARPCHECK_RED "and|or|xor", "b32 b64"),
    form("red", WARPCHECK_RED "inc|dec", "u32"),
    form("red", WARPCHECK_RED "add noftz", "f16 f16x2 bf16 bf16x2"),
    form("red", WARPCHECK_VECTOR "add v2|v4", "f32"),
    form("red", WARPCHECK_VECTOR "add|min|max noftz v2|v4|v8", "f16 bf16"),
    form("red", WARPCHECK_VECTOR "add|min|max noftz v2|v4", "f16x2 bf16x2"),
};

}  // namespace

std::span<const Form> atomic_forms() { return kForms; }

}  // namespace warpcheck::isa
