// Loads and stores (PTX ISA 9.7.9).
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "device/virtual/isa/address_runs.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/isa/memory/object_in_word.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/core/simd.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/lanes/elements.hpp"
#include "device/virtual/machine/lanes/store_turn.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::KnownAddress;
using machine::Mask;
using machine::Op;
using machine::Reads;
using machine::ResolvedAccess;
using machine::Slot;
using machine::Space;
using machine::Warp;

template <class M, class D>
struct Load {
  static Flow run(Warp& warp, const Op& op) {
    return machine::access(
        warp, op, {sizeof(M), false}, [&](const ResolvedAccess& resolved, Mask lanes) {
          machine::load_element<M, D>(warp, resolved, lanes, sizeof(M), 0, op.operand[1]);
          machine::observe_read(warp, op, resolved, lanes, sizeof(M));
        });
  }
};

template <class M, class D>
struct LoadVector {
  static Flow run(Warp& warp, const Op& op) {
    const auto& elements = op.detail->elements;
    const std::size_t bytes = elements.size() * sizeof(M);
    return machine::access(
        warp, op, {bytes, false}, [&](const ResolvedAccess& resolved, Mask lanes) {
          for (std::size_t i = 0; i < elements.size(); ++i) {
            if (elements[i] == machine::kNoSlot) continue;
            machine::load_element<M, D>(warp, resolved, lanes, bytes, i * sizeof(M), elements[i]);
          }
          machine::observe_read(warp, op, resolved, lanes, bytes);
        });
  }
};

/// Loads the words around objects: the bytes beside an object count as defined.
template <class M>
struct LoadAround {
  static Flow run(Warp& warp, const Op& op) {
    return machine::access(
        warp, op, {sizeof(M), false}, [&](const ResolvedAccess& resolved, Mask lanes) {
          const Slot target = op.operand[1];
          const ObjectAccess objects(warp, op, resolved);
          machine::load_element<M, M>(warp, resolved, lanes, sizeof(M), 0, target);
          auto* const undefined = reinterpret_cast<M*>(warp.undefined_bits(target));
          Mask defined = lanes;
          machine::for_lanes([&](unsigned lane) {
            if ((lanes >> lane & 1) == 0 || (warp.defined(target) >> lane & 1) != 0) return;
            undefined[lane] &= static_cast<M>(objects.bits(lane));
            if (undefined[lane] != 0) defined &= ~(Mask{1} << lane);
          });
          warp.set_defined(target, lanes, defined);
          machine::observe_read(warp, op, objects.resolved(), lanes, op.detail->object.bytes);
        });
  }
};

/// True if the access may touch bytes of asynchronous copies in flight.
inline bool meets_async_copies(machine::Block& block, const KnownAddress& known,
                               std::int64_t distance, std::size_t bytes) {
  const checks::AsyncCopyTracker& copies = block.copy_tracker();
  if (!copies.any()) return false;
  const std::uint64_t begin = known.container->shared_begin + static_cast<std::uint64_t>(distance);
  return copies.any_within(begin + known.lowest, begin + known.highest + bytes);
}

/// The address of a load by the whole warp that an earlier access of the run has resolved, after
/// recording the read. Null if the checks require more than a record.
inline KnownAddress* known_address_of(Warp& warp, const Op& op, std::size_t bytes) {
  machine::Block& block = warp.block();
  KnownAddress& known = block.known_address(op.known_address);
  if (warp.active() != machine::kAllLanes || known.reads == Reads::carefully) return nullptr;
  const std::int64_t distance = known.distance_to(static_cast<std::uint64_t>(op.immediate));
  if (!known.allows(block.fragment_turn(), distance, bytes)) return nullptr;
  if (known.reads == Reads::freely) return &known;
  const bool recorded =
      !meets_async_copies(block, known, distance, bytes) &&
      block.races().read_again(known.recorded, warp.index(), op.number,
                               static_cast<std::int32_t>(distance - known.recorded_at),
                               static_cast<std::uint32_t>(bytes));
  return recorded ? &known : nullptr;
}

/// Load for ops that repeat an address.
template <class M, class D>
struct RepeatedLoad {
  static Flow run(Warp& warp, const Op& op) {
    KnownAddress* const known = known_address_of(warp, op, sizeof(M));
    if (known == nullptr) return machine::handler<Load<M, D>>(warp, op);
    const std::int64_t distance = known->distance_to(static_cast<std::uint64_t>(op.immediate));
    machine::load_element<M, D>(warp, machine::at_distance(*known, distance, sizeof(M)),
                                machine::kAllLanes, sizeof(M), 0, op.operand[1]);
    return Flow::next;
  }
};

/// LoadVector for ops that repeat an address.
template <class M, class D>
struct RepeatedLoadVector {
  static Flow run(Warp& warp, const Op& op) {
    const auto& elements = op.detail->elements;
    const std::size_t bytes = elements.size() * sizeof(M);
    KnownAddress* const known = known_address_of(warp, op, bytes);
    if (known == nullptr) return machine::handler<LoadVector<M, D>>(warp, op);
    const std::int64_t distance = known->distance_to(static_cast<std::uint64_t>(op.immediate));
    const ResolvedAccess resolved = machine::at_distance(*known, distance, bytes);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == machine::kNoSlot) continue;
      machine::load_element<M, D>(warp, resolved, machine::kAllLanes, bytes, i * sizeof(M),
                                  elements[i]);
    }
    return Flow::next;
  }
};

template <class M, class D>
Mask store_at(Warp& warp, const Op& op, const ResolvedAccess& resolved, Mask lanes,
              std::size_t bytes, std::size_t displacement, Slot source) {
  if (resolved.container->allocation != nullptr && resolved.container->allocation->needs_care()) {
    machine::inspect_store(warp, op, resolved, lanes, displacement, sizeof(M));
  }
  return machine::store_element<M, D>(warp, op, resolved, lanes, bytes, displacement, source);
}

template <class M, class D>
struct Store {
  static Flow run(Warp& warp, const Op& op) {
    return machine::access(
        warp, op, {sizeof(M), true}, [&](const ResolvedAccess& resolved, Mask lanes) {
          const auto turn = machine::take_store_turn(warp, resolved);
          const Mask rewrites =
              store_at<M, D>(warp, op, resolved, lanes, sizeof(M), 0, op.operand[1]);
          machine::observe_write(warp, op, resolved, lanes, sizeof(M), rewrites);
        });
  }
};

template <class M, class D>
struct StoreVector {
  static Flow run(Warp& warp, const Op& op) {
    const auto& elements = op.detail->elements;
    const std::size_t bytes = elements.size() * sizeof(M);
    return machine::access(
        warp, op, {bytes, true}, [&](const ResolvedAccess& resolved, Mask lanes) {
          const auto turn = machine::take_store_turn(warp, resolved);
          Mask rewrites = lanes;
          for (std::size_t i = 0; i < elements.size(); ++i) {
            rewrites &=
                store_at<M, D>(warp, op, resolved, lanes, bytes, i * sizeof(M), elements[i]);
          }
          machine::observe_write(warp, op, resolved, lanes, bytes, rewrites);
        });
  }
};

/// The four handlers of one pair of memory and register type.
struct Handlers {
  Handler load;
  Handler load_vector;
  Handler store;
  Handler store_vector;
};

template <class M, class D>
Handlers handlers_of() {
  return {machine::handler<Load<M, D>>, machine::handler<LoadVector<M, D>>,
          machine::handler<Store<std::make_unsigned_t<M>, D>>,
          machine::handler<StoreVector<std::make_unsigned_t<M>, D>>};
}

/// The handlers for memory type M and register type D. The sign affects the result only if D is
/// wider.
template <class M, class D>
Handlers handlers_widening() {
  if constexpr (sizeof(M) == sizeof(D)) {
    return handlers_of<std::make_unsigned_t<M>, D>();
  } else {
    return handlers_of<M, D>();
  }
}

template <class M>
Handlers handlers_into(unsigned register_bits) {
  if constexpr (sizeof(M) <= 1) {
    if (register_bits == 8) return handlers_widening<M, std::uint8_t>();
  }
  if constexpr (sizeof(M) <= 2) {
    if (register_bits == 16) return handlers_widening<M, std::uint16_t>();
  }
  if constexpr (sizeof(M) <= 4) {
    if (register_bits == 32) return handlers_widening<M, std::uint32_t>();
  }
  if (register_bits == 64) return handlers_widening<M, std::uint64_t>();
  throw DecodeError("the register is narrower than the value in memory");
}

Handlers handlers_for(Type type, unsigned register_bits) {
  switch (8 * ptx::bytes(type)) {
    case 8:
      return ptx::is_signed(type) ? handlers_into<std::int8_t>(register_bits)
                                  : handlers_into<std::uint8_t>(register_bits);
    case 16:
      return ptx::is_signed(type) ? handlers_into<std::int16_t>(register_bits)
                                  : handlers_into<std::uint16_t>(register_bits);
    case 32:
      return ptx::is_signed(type) ? handlers_into<std::int32_t>(register_bits)
                                  : handlers_into<std::uint32_t>(register_bits);
    case 64:
      return handlers_into<std::uint64_t>(register_bits);
    default:
      throw DecodeError("values of this type are not loaded or stored");
  }
}

/// The unsigned integer type of a register's width, in which constants are stored.
Type bits_type(unsigned bits) {
  switch (bits) {
    case 8:
      return Type::b8;
    case 16:
      return Type::b16;
    case 32:
      return Type::b32;
    default:
      return Type::b64;
  }
}

unsigned bits_of_element(const Lowering& lowering, const ptx::Element& element, Type type) {
  const auto* reg = std::get_if<ptx::Register>(&element);
  return reg == nullptr ? bits_of(type) : bits_of(lowering.function.register_type(reg->index));
}

Slot value_slot(Lowering& lowering, const ptx::Operand& operand, Type type, bool is_load) {
  if (is_load) return lowering.destination(operand, type, true);
  // A floating-point constant is stored in its own format, any other constant as the bits of the
  // width.
  const bool floating = std::holds_alternative<ptx::Float>(operand);
  return lowering.source(operand, floating ? type : bits_type(bits_of(type)), true);
}

std::size_t vector_length(const Selection& selection) {
  return selection.has("v2") ? 2 : selection.has("v4") ? 4 : selection.has("v8") ? 8 : 1;
}

ptx::Operand operand_of(const ptx::Element& element) {
  return std::visit([](const auto& e) { return ptx::Operand(e); }, element);
}

void lower_vector(Lowering& lowering, const ptx::Vector& vector, bool is_load) {
  const Type type = lowering.selection.type();
  if (type == Type::b128) throw DecodeError("vectors of 128-bit values are not supported");
  if (vector.elements.size() != vector_length(lowering.selection)) {
    throw DecodeError("the number of members of the vector differs from .v");
  }
  unsigned register_bits = 0;
  for (const ptx::Element& element : vector.elements) {
    if (std::holds_alternative<ptx::Sink>(element)) continue;
    register_bits = bits_of_element(lowering, element, type);
  }
  for (const ptx::Element& element : vector.elements) {
    if (std::holds_alternative<ptx::Sink>(element)) {
      lowering.detail().elements.push_back(machine::kNoSlot);
      continue;
    }
    if (bits_of_element(lowering, element, type) != register_bits) {
      throw DecodeError("the members of the vector differ in width");
    }
    lowering.detail().elements.push_back(value_slot(lowering, operand_of(element), type, is_load));
  }
  const Handlers handlers = handlers_for(type, register_bits);
  lowering.result.run = is_load ? handlers.load_vector : handlers.store_vector;
}

/// A 128-bit value is accessed as a vector of two 64-bit values: one access of 16 bytes.
void lower_wide(Lowering& lowering, const ptx::Operand& value, bool is_load) {
  for (const Slot half : lowering.halves(value)) lowering.detail().elements.push_back(half);
  const Handlers handlers = handlers_for(Type::b64, 64);
  lowering.result.run = is_load ? handlers.load_vector : handlers.store_vector;
}

Space space_of(const Lowering& lowering) {
  const Selection& selection = lowering.selection;
  if (selection.has("global")) return Space::global;
  if (selection.has("shared") || selection.has("shared::cta") || selection.has("shared::cluster")) {
    return Space::shared;
  }
  if (selection.has("local")) return Space::local;
  if (selection.has("const")) return Space::constant;
  const bool kernel = lowering.function.function().is_entry;
  if (selection.has("param") || selection.has("param::entry") || selection.has("param::func")) {
    return kernel ? Space::kernel_parameter : Space::local;
  }
  return Space::generic;
}

/// True if blocks may observe each other's accesses through this instruction (PTX ISA 8, memory
/// consistency model).
bool is_strong(const Selection& selection) {
  for (const std::string_view order : {"volatile", "relaxed", "acquire", "release", "mmio"}) {
    if (selection.has(order)) return true;
  }
  return false;
}

void lower_access(Lowering& lowering, std::size_t address_index, std::size_t value_index,
                  bool is_load) {
  const auto* address = lowering.operand<ptx::Address>(address_index);
  if (address == nullptr || lowering.operand_count() < 2 || lowering.operand_count() > 3) {
    throw DecodeError("a value and one [address] are expected");
  }
  const Space space = space_of(lowering);
  lowering.address(*address, space);
  if (!is_load && lowering.result.space == Space::kernel_parameter) {
    throw DecodeError("a kernel's parameters cannot be stored to");
  }
  if (lowering.selection.has("mmio") && !lowering.selection.has("relaxed")) {
    throw DecodeError(".mmio requires .relaxed");
  }
  Op& op = lowering.result;
  op.loads = is_load;
  op.stores = !is_load;
  op.strong = is_strong(lowering.selection);
  op.is_volatile = lowering.selection.has("volatile");
  op.scope = scope_of(lowering.selection);
  op.scalar_bytes = static_cast<std::uint8_t>(ptx::bytes(lowering.selection.type()));
  op.acquires = lowering.selection.has("acquire");
  op.releases = lowering.selection.has("release");
  if (lowering.selection.has("nc")) op.path = machine::ReadPath::read_only;
  if (op.strong && (space == Space::global || space == Space::generic)) {
    lowering.function.code().communicates = true;
  }
  if (space == Space::shared || space == Space::generic) {
    std::size_t& unit = lowering.function.code().shared_unit;
    unit = std::min(unit, ptx::bytes(lowering.selection.type()));
  }
  ptx::Operand value = lowering.instruction.operands[value_index];
  if (const auto* vector = std::get_if<ptx::Vector>(&value)) {
    const bool is_scalar = vector->elements.size() == 1 && vector_length(lowering.selection) == 1;
    if (!is_scalar) return lower_vector(lowering, *vector, is_load);
    value = operand_of(ptx::Element(vector->elements.front()));  // "{%r1}", the spelling of Triton
  }
  const Type type = lowering.selection.type();
  if (type == Type::b128) return lower_wide(lowering, value, is_load);
  const unsigned bits = lowering.register_bits(value);
  const Handlers handlers = handlers_for(type, bits == 0 ? bits_of(type) : bits);
  lowering.result.operand[1] = value_slot(lowering, value, type, is_load);
  lowering.result.run = is_load ? handlers.load : handlers.store;
  if (!is_load || !op.strong || (bits != 0 && bits != bits_of(type))) return;
  recognize_object_in_word(lowering, *address);
  if (op.detail->object.bytes == 0) return;
  op.run = ptx::bytes(type) == 2 ? machine::handler<LoadAround<std::uint16_t>>
                                 : machine::handler<LoadAround<std::uint32_t>>;
}

void lower_load(Lowering& lowering) { lower_access(lowering, 1, 0, true); }
void lower_uniform_load(Lowering& lowering) {
  lower_load(lowering);
  lowering.result.path = machine::ReadPath::read_only;
}
void lower_store(Lowering& lowering) { lower_access(lowering, 0, 1, false); }

/// Executes a hint, which does not change the results of a program.
Flow nothing(Warp&, const Op&) { return Flow::next; }
void lower_hint(Lowering& lowering) { lowering.result.run = nothing; }

constexpr std::string_view kValueTypes =
    "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 b128";

constexpr std::array kForms = {
    Form{"ld",
         "[mmio] [weak|relaxed|acquire|volatile] [cta|cluster|gpu|sys] "
         "[global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func] "
         "[ca|cg|cs|lu|cv] [nc] "
         "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate] "
         "[L2::evict_normal|L2::evict_first|L2::evict_last] [L2::64B|L2::128B|L2::256B] "
         "[L2::cache_hint] [v2|v4|v8]",
         kValueTypes, "", "9.7.9.8", nullptr, nullptr, lower_load},
    Form{"ldu", "[global] [v2|v4]", kValueTypes, "", "9.7.9.10", nullptr, nullptr,
         lower_uniform_load},
    Form{"st",
         "[mmio] [weak|relaxed|release|volatile] [cta|cluster|gpu|sys] "
         "[global|shared|shared::cta|shared::cluster|local|param|param::func] [wb|cg|cs|wt] "
         "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate] "
         "[L2::evict_normal|L2::evict_first|L2::evict_last] [L2::cache_hint] [v2|v4|v8]",
         kValueTypes, "", "9.7.9.11", nullptr, nullptr, lower_store},
    Form{"prefetch", "[global|local] L1|L2|L2::evict_last|L2::evict_normal", "", "", "9.7.9.16",
         nullptr, nullptr, lower_hint},
    Form{"prefetchu", "L1", "", "", "9.7.9.16", nullptr, nullptr, lower_hint},
    Form{"applypriority", "[global] L2::evict_normal", "", "", "9.7.9.17", nullptr, nullptr,
         lower_hint},
    Form{"discard", "[global] L2", "", "", "9.7.9.18", nullptr, nullptr, lower_hint},
};

}  // namespace

std::span<const Form> memory_forms() { return kForms; }

Handler repeated_load(Handler load) {
  struct Pair {
    Handler load;
    Handler repeated;
  };
  static const auto pairs = [] {
    std::vector<Pair> all;
    const auto add = [&]<class T>(T) {
      all.push_back({machine::handler<Load<T, T>>, machine::handler<RepeatedLoad<T, T>>});
      all.push_back(
          {machine::handler<LoadVector<T, T>>, machine::handler<RepeatedLoadVector<T, T>>});
    };
    add(std::uint16_t{});
    add(std::uint32_t{});
    add(std::uint64_t{});
    return all;
  }();
  for (const Pair& pair : pairs) {
    if (pair.load == load) return pair.repeated;
  }
  return load;
}

}  // namespace warpcheck::isa
