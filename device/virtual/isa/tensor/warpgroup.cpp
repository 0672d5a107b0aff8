// Products of warpgroups (PTX ISA 9.7.15): wgmma.mma_async, its fence and its groups. Warp i of the
// group computes rows 16 i to 16 i + 15, with A from its registers or all of A in shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "device/virtual/isa/tensor/fragments.hpp"
#include "device/virtual/isa/tensor/matrix_descriptor.hpp"
#include "device/virtual/isa/tensor/mma.hpp"
#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"
#include "device/virtual/machine/warpgroup/products.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::isa {
namespace {

using machine::ChunkRead;
using machine::Flow;
using machine::kLanes;
using machine::kWarpsOfGroup;
using machine::MatrixOperation;
using machine::MatrixRole;
using machine::MatrixShape;
using machine::Op;
using machine::Slot;
using machine::Warp;

constexpr unsigned kRowsOfWarp = 16;
constexpr unsigned kChunk = 16;       // bytes of shared memory that are read together
constexpr unsigned kBytesOfK = 32;    // of one product
constexpr unsigned kHalfBytes = 2;

/// A row-major matrix, one element per word.
struct Tile {
  std::vector<std::uint32_t> value;
  std::vector<unsigned char> undefined;  // by element, if not all are `known`
  bool known = true;

  explicit Tile(std::size_t elements) : value(elements), undefined(elements) {}
};

/// Reads the chunks of matrices in shared memory.
class SharedOperands {
 public:
  SharedOperands(Warp& warp, const Op& op) : warp_(warp), op_(op) { op_shared_.space = machine::Space::shared; }

  /// The 16 bytes at an address, and their definedness. Null if they are not in one variable of
  /// shared memory, which is a finding.
  [[nodiscard]] const std::byte* chunk(std::uint64_t address, const std::byte*& shadow) {
    machine::Container room;
    const machine::Container& found = machine::find_container(warp_, op_shared_, address, room);
    const std::uint64_t offset = address - found.base;
    if (found.name == nullptr || found.bytes.size < kChunk ||
        offset > found.bytes.size - kChunk) {
      static_cast<void>(report(address, found));
      return nullptr;
    }
    reads_.push_back({&found, offset});
    shadow = found.bytes.shadow + offset;
    return found.bytes.data + offset;
  }

  [[nodiscard]] const std::vector<ChunkRead>& reads() const { return reads_; }

 private:
  Flow report(std::uint64_t address, const machine::Container& found) {
    if (found.name == nullptr) {
      return warp_.fault(op_, machine::kAllLanes, FindingClass::out_of_bounds,
                         fmt::format("the descriptor leads to byte {:#x} of shared memory, where "
                                     "nothing is allocated",
                                     address));
    }
    const std::uint64_t offset = address - found.base;
    return warp_.fault(
        op_, machine::kAllLanes, FindingClass::out_of_bounds,
        fmt::format("the descriptor leads to bytes {} to {} of {}, which has {} bytes", offset,
                    offset + kChunk - 1, *found.name, found.bytes.size),
        MemoryPlace{*found.name, static_cast<std::ptrdiff_t>(offset), kChunk, false,
                    found.bytes.size});
  }

  Warp& warp_;
  const Op& op_;
  Op op_shared_;
  std::vector<ChunkRead> reads_;
};

/// Reports the reads of a product to the checks. The tracker of asynchronous copies knows how long
/// they last.
void observe_reads(Warp& warp, const Op& op, const std::vector<ChunkRead>& reads) {
  machine::Block& block = warp.block();
  for (std::size_t first = 0; first < reads.size();) {
    const machine::Container& container = *reads[first].container;
    machine::LaneOffsets offsets{};
    machine::Mask lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool same = first + lane < reads.size() && reads[first + lane].container == &container;
      if (!same) {
        std::fill(offsets.begin() + lane, offsets.end(), offsets[0]);
        break;
      }
      offsets[lane] = static_cast<std::uint32_t>(reads[first + lane].offset);
      lanes |= machine::Mask{1} << lane;
    }
    const machine::ResolvedAccess resolved{container.bytes.data, container.bytes.shadow,
                                           offsets.data(), &container,
                                           machine::Pattern::scattered};
    if (block.digests()) {
      machine::digest_access(warp, resolved, lanes, kChunk, checks::Act::read);
    }
    if (block.looks_for_races()) {
      machine::observe_async_copies(warp, op, resolved, lanes, kChunk, false);
      machine::observe_shared_look(warp, op, resolved, lanes, kChunk);
    }
    first += static_cast<std::size_t>(std::popcount(lanes));
  }
  for (const ChunkRead& read : reads) {
    machine::check_proxy_writes(warp, op, *read.container, read.offset, kChunk, 0);
  }
}

/// Element i of a chunk, extended to a word.
std::uint32_t element_at(const std::byte* chunk, unsigned i, unsigned bytes, bool by_sign) {
  std::uint32_t word = 0;
  std::memcpy(&word, chunk + std::size_t{i} * bytes, bytes);
  const unsigned shift = 32 - 8 * bytes;
  if (!by_sign) return word;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(word << shift) >> shift);
}

/// A matrix of `lines` rows of A from row `first` on, or of columns of B, in shared memory.
struct SharedMatrix {
  MatrixDescriptor descriptor;
  bool by_lines = false;  // not K-major
  unsigned first = 0;
  unsigned lines = 0;
  unsigned bytes = 0;  // of an element
  bool by_sign = false;
};

/// Calls put(line, k, value, defined) for each element. False if a finding was reported.
template <class Put>
bool read_matrix(SharedOperands& operands, const SharedMatrix& matrix, Put put) {
  const unsigned each = kChunk / matrix.bytes;
  const auto elements = [&](std::uint64_t address, auto place) {
    const std::byte* shadow = nullptr;
    const std::byte* const chunk = operands.chunk(address, shadow);
    if (chunk == nullptr) return false;
    for (unsigned i = 0; i < each; ++i) {
      const auto* const known = shadow + std::size_t{i} * matrix.bytes;
      const bool defined = std::all_of(known, known + matrix.bytes,
                                       [](std::byte one) { return one == std::byte{0xff}; });
      place(i, element_at(chunk, i, matrix.bytes, matrix.by_sign), defined);
    }
    return true;
  };
  if (matrix.by_lines) {
    for (unsigned k = 0; k < kBytesOfK / matrix.bytes; ++k) {
      for (unsigned line = 0; line < matrix.lines; line += each) {
        const std::uint64_t address =
            matrix.descriptor.of_line_major((matrix.first + line) / each, k);
        if (!elements(address, [&](unsigned i, std::uint32_t value, bool defined) {
              put(line + i, k, value, defined);
            })) {
          return false;
        }
      }
    }
    return true;
  }
  for (unsigned line = 0; line < matrix.lines; ++line) {
    for (unsigned chunk = 0; chunk < kBytesOfK / kChunk; ++chunk) {
      const std::uint64_t address = matrix.descriptor.of_k_major(matrix.first + line, chunk);
      if (!elements(address, [&](unsigned i, std::uint32_t value, bool defined) {
            put(line, chunk * each + i, value, defined);
          })) {
        return false;
      }
    }
  }
  return true;
}

unsigned element_bytes(Type type) {
  return type == Type::b1 ? 4 : static_cast<unsigned>(ptx::bytes(type));
}

/// Operands of the op: 1 the descriptor of A, if it is in shared memory; 2 that of B; 3 the predicate
/// scale-d. The registers are elements of the detail.
constexpr unsigned kA = 1;
constexpr unsigned kB = 2;
constexpr unsigned kScale = 3;

std::span<const Slot> accumulators_of(const Op& op) {
  return std::span(op.detail->elements).first(op.detail->matrices->first_a);
}
std::span<const Slot> factors_of(const Op& op) {
  return std::span(op.detail->elements).subspan(op.detail->matrices->first_a);
}

/// The value that all lanes have in a register. Empty if a finding was reported.
std::optional<std::uint64_t> uniform(Warp& warp, const Op& op, unsigned operand,
                                     std::string_view what) {
  const Slot slot = op.operand[operand];
  if (const machine::Mask unknown = ~warp.defined(slot)) {
    static_cast<void>(warp.fault(op, unknown, FindingClass::uninitialized_read,
                                 fmt::format("{} is undefined", what)));
    return std::nullopt;
  }
  if (op.bits[operand] == 1) {
    const machine::Mask mask = warp.predicate(slot);
    if (mask == 0 || mask == machine::kAllLanes) return mask & 1;
  } else {
    const auto* const values = warp.lanes<std::uint64_t>(slot);
    if (std::all_of(values, values + kLanes, [&](auto value) { return value == values[0]; })) {
      return values[0];
    }
  }
  static_cast<void>(warp.fault(op, machine::kAllLanes, FindingClass::barrier_divergence,
                               fmt::format("{} differs between lanes of a warp", what)));
  return std::nullopt;
}

/// The bits of the sign of an element.
std::uint32_t sign_of(Type type) {
  return type == Type::tf32 ? 1U << 31 : 1U << (8 * element_bytes(type) - 1);
}

void negate(Tile& tile, Type type) {
  for (std::uint32_t& value : tile.value) value ^= sign_of(type);
}

struct Operands {
  Tile a;
  Tile b;
  Tile c;
  std::uint64_t identity = 0;  // of the matrices in shared memory
};

/// Reads A and B. False if a finding was reported.
bool read_factors(Warp& warp, const Op& op, SharedOperands& shared, Operands& operands) {
  const MatrixOperation& o = *op.detail->matrices;
  const machine::WarpgroupOperands& how = o.warpgroup;
  const unsigned depth = kBytesOfK / element_bytes(o.a_type);
  if (how.a_in_registers) {
    gather<std::uint32_t>(warp, factors_of(op).data(), o.a, o.a_type, operands.a);
  } else {
    const auto bits = uniform(warp, op, kA, "the descriptor of A");
    if (!bits) return false;
    operands.identity = *bits * 31;
    const unsigned first = warp.index() % kWarpsOfGroup * kRowsOfWarp;
    const SharedMatrix a{MatrixDescriptor(*bits), how.a_by_lines,          first,
                         kRowsOfWarp,             element_bytes(o.a_type), ptx::is_signed(o.a_type)};
    if (!read_matrix(shared, a, [&](unsigned row, unsigned k, std::uint32_t value, bool defined) {
          operands.a.value[row * depth + k] = value;
          operands.a.undefined[row * depth + k] = defined ? 0 : 1;
          operands.a.known &= defined;
        })) {
      return false;
    }
  }
  const auto bits = uniform(warp, op, kB, "the descriptor of B");
  if (!bits) return false;
  operands.identity += *bits;
  const unsigned n = o.shape.n;
  const SharedMatrix b{MatrixDescriptor(*bits), how.b_by_lines,          0,
                       n,                       element_bytes(o.b_type), ptx::is_signed(o.b_type)};
  return read_matrix(shared, b, [&](unsigned column, unsigned k, std::uint32_t value, bool defined) {
    operands.b.value[k * n + column] = value;
    operands.b.undefined[k * n + column] = defined ? 0 : 1;
    operands.b.known &= defined;
  });
}

void multiply(const MatrixOperation& o, Operands& operands, Tile& d) {
  const int depth = static_cast<int>(kBytesOfK / element_bytes(o.a_type));
  const semantics::MmaShape shape{static_cast<int>(kRowsOfWarp), static_cast<int>(o.shape.n), depth};
  const auto* const a = operands.a.value.data();
  const auto* const b = operands.b.value.data();
  const auto* const c = operands.c.value.data();
  if (o.a_type == Type::b1) {
    semantics::mma(shape, semantics::BitOperation::conjunction, a, b,
                   reinterpret_cast<const std::int32_t*>(c),
                   reinterpret_cast<std::int32_t*>(d.value.data()));
  } else if (ptx::is_integer(o.a_type)) {
    semantics::mma(shape, reinterpret_cast<const std::int32_t*>(a),
                   reinterpret_cast<const std::int32_t*>(b),
                   reinterpret_cast<const std::int32_t*>(c),
                   reinterpret_cast<std::int32_t*>(d.value.data()), o.satfinite);
  } else {
    static const semantics::TensorModel model = semantics::warpgroup_tensor_model();
    semantics::mma(model, shape, input_of(o.a_type), a, input_of(o.b_type), b,
                   o.d_type == Type::f16 ? semantics::MmaAccumulator::f16
                                         : semantics::MmaAccumulator::f32,
                   c, d.value.data());
  }
}

/// An element of D depends on a row of A, a column of B and an element of C.
void derive_definedness(const MatrixOperation& o, const Operands& operands, Tile& d) {
  d.known = operands.a.known && operands.b.known && operands.c.known;
  if (d.known) return;
  const std::size_t depth = kBytesOfK / element_bytes(o.a_type);
  const std::size_t n = o.shape.n;
  const auto undefined = [](const Tile& tile, std::size_t place) {
    return !tile.known && tile.undefined[place] != 0;
  };
  for (std::size_t row = 0; row < kRowsOfWarp; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      bool any = undefined(operands.c, row * n + column);
      for (std::size_t k = 0; k < depth && !any; ++k) {
        any = undefined(operands.a, row * depth + k) || undefined(operands.b, k * n + column);
      }
      d.undefined[row * n + column] = any ? 1 : 0;
    }
  }
}

/// False if the block does not have all four warps of the group, which is a finding.
bool is_whole_group(Warp& warp, const Op& op) {
  const unsigned end = (warp.index() / kWarpsOfGroup + 1) * kWarpsOfGroup * kLanes;
  if (end <= warp.block().threads()) return true;
  static_cast<void>(
      warp.fault(op, warp.active(), FindingClass::barrier_divergence,
                 fmt::format("a warpgroup is four warps whose first has a number that is a multiple "
                             "of 4; the block has {} threads",
                             warp.block().threads())));
  return false;
}

Flow product(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op) || !is_whole_group(warp, op)) return Flow::leave;
  const MatrixOperation& o = *op.detail->matrices;
  machine::WarpgroupProducts& products = warp.block().warpgroup_products();
  const auto accumulates = uniform(warp, op, kScale, "scale-d");
  if (!accumulates) return Flow::leave;
  products.check_registers(warp, op, accumulators_of(op), factors_of(op));
  const std::size_t depth = kBytesOfK / element_bytes(o.a_type);
  const std::size_t n = o.shape.n;
  Operands operands{Tile(kRowsOfWarp * depth), Tile(depth * n), Tile(kRowsOfWarp * n)};
  SharedOperands shared(warp, op);
  if (!read_factors(warp, op, shared, operands)) return Flow::leave;
  observe_reads(warp, op, shared.reads());
  if (!products.issue(warp, op, accumulators_of(op), factors_of(op), operands.identity,
                      shared.reads())) {
    return warp.fault(op, warp.active(), FindingClass::barrier_divergence,
                      "the warps of a warpgroup execute different wgmma.mma_async, or with "
                      "different descriptors");
  }
  if (*accumulates != 0) {
    gather<std::uint32_t>(warp, accumulators_of(op).data(), o.c, o.c_type, operands.c);
  }
  if (o.warpgroup.negate_a) negate(operands.a, o.a_type);
  if (o.warpgroup.negate_b) negate(operands.b, o.b_type);
  Tile d(kRowsOfWarp * n);
  multiply(o, operands, d);
  derive_definedness(o, operands, d);
  scatter<std::uint32_t>(warp, accumulators_of(op).data(), o.d, d);
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

Flow fence(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return Flow::leave;
  warp.block().warpgroup_products().fence(warp.index());
  return Flow::next;
}

Flow commit(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op)) return Flow::leave;
  warp.block().warpgroup_products().commit(warp.index());
  return Flow::next;
}

/// The warps of a group wait for one another, so that all have issued the products that one of them
/// has waited for. That orders none of their other accesses.
Flow wait(Warp& warp, const Op& op) {
  if (!machine::all_take_part(warp, op) || !is_whole_group(warp, op)) return Flow::leave;
  if (!warp.block().warpgroup_products().wait(warp, static_cast<std::uint32_t>(op.immediate))) {
    return warp.fault(op, warp.active(), FindingClass::barrier_divergence,
                      "the warps of a warpgroup have executed different numbers of "
                      "wgmma.mma_async");
  }
  const unsigned barrier = machine::kFirstWarpgroupBarrier + warp.index() / kWarpsOfGroup;
  const Flow flow = warp.wait_at_barrier(op, barrier);
  warp.block().arrive(barrier, kLanes, kWarpsOfGroup * kLanes, 0, false);
  return flow;
}

/// An immediate of 1 or -1 (scale), or of 0 or 1 (transpose).
bool flag(const Lowering& lowering, std::size_t index, std::int64_t if_set, std::int64_t if_not) {
  const auto* value = lowering.operand<ptx::Integer>(index);
  const auto number = value == nullptr ? std::int64_t{7} : static_cast<std::int64_t>(value->bits);
  if (static_cast<std::int32_t>(number) == if_set) return true;
  if (static_cast<std::int32_t>(number) == if_not) return false;
  throw DecodeError(fmt::format("operand {} is {} or {}", index + 1, if_set, if_not));
}

void lower_immediates(Lowering& lowering, machine::WarpgroupOperands& how, Type type) {
  const bool is_half = element_bytes(type) == kHalfBytes;
  const std::size_t transposes = !is_half ? 0 : how.a_in_registers ? 1 : 2;
  const std::size_t expected = ptx::is_integer(type) || type == Type::b1 ? 4 : 6 + transposes;
  if (lowering.operand_count() != expected) {
    throw DecodeError(
        fmt::format("{} operands are given, {} expected", lowering.operand_count(), expected));
  }
  if (expected == 4) return;
  how.negate_a = flag(lowering, 4, -1, 1);
  how.negate_b = flag(lowering, 5, -1, 1);
  if (transposes == 2) how.a_by_lines = flag(lowering, 6, 1, 0);
  if (transposes != 0) how.b_by_lines = flag(lowering, 5 + transposes, 1, 0);
}

/// `d, a, b, scale-d{, scale-a, scale-b{, transpose-a}, transpose-b}`.
void lower_product_of_group(Lowering& lowering) {
  const Selection& selection = lowering.selection;
  auto operation = std::make_shared<MatrixOperation>();
  MatrixOperation& o = *operation;
  o.shape = shape_of(selection);
  o.d_type = selection.type(0);
  o.c_type = o.d_type;
  o.a_type = selection.type(1);
  o.b_type = selection.type(2);
  o.satfinite = selection.has("satfinite");
  o.warpgroup.a_in_registers = lowering.operand<ptx::Vector>(1) != nullptr;
  lower_immediates(lowering, o.warpgroup, o.a_type);
  const MatrixShape of_warp{kRowsOfWarp, o.shape.n, kBytesOfK / element_bytes(o.a_type)};
  const unsigned bits = 8 * element_bytes(o.a_type);
  o.a = machine::matrix_layout(MatrixRole::a, of_warp, bits);
  o.c = layout_of(MatrixRole::accumulator, of_warp, o.c_type);
  o.d = layout_of(MatrixRole::accumulator, of_warp, o.d_type);
  lower_fragment(lowering, 0, o.d_type, o.d.registers, true);
  o.first_a = static_cast<std::uint8_t>(lowering.detail().elements.size());
  Op& op = lowering.result;
  const auto& operands = lowering.instruction.operands;
  if (o.warpgroup.a_in_registers) {
    lower_fragment(lowering, 1, o.a_type, o.a.registers, false);
  } else {
    op.operand[kA] = lowering.source(operands[1], Type::b64);
    op.bits[kA] = 64;
  }
  op.operand[kB] = lowering.source(operands[2], Type::b64);
  op.bits[kB] = 64;
  op.operand[kScale] = lowering.source(operands[3], Type::pred);
  op.bits[kScale] = 1;
  lowering.detail().matrices = std::move(operation);
  lowering.function.code().reads_by_async_proxy = true;
  op.run = product;
}

void lower_order(Lowering& lowering) {
  const bool waits = lowering.selection.has("wait_group");
  if (lowering.operand_count() != (waits ? 1U : 0U)) {
    throw DecodeError("only wait_group has an operand, the number of groups");
  }
  if (waits) {
    const auto* groups = lowering.operand<ptx::Integer>(0);
    if (groups == nullptr) throw DecodeError("the number of groups is not a constant");
    lowering.result.immediate = static_cast<std::int64_t>(groups->bits);
  }
  lowering.result.run = waits ? wait : lowering.selection.has("fence") ? fence : commit;
}

constexpr Form product_form(std::string_view modifiers, std::string_view types) {
  return {"wgmma", modifiers, types, "", "9.7.15.5.2", nullptr, nullptr, lower_product_of_group, true};
}
constexpr Form order_form(std::string_view modifiers, std::string_view section) {
  return {"wgmma", modifiers, "", "", section, nullptr, nullptr, lower_order, true};
}

// Shapes of 64 rows. n is a multiple of 8; of integers, beyond 32, of 16.
#define WARPCHECK_SHAPES_OF_16(k)                                                              \
  "m64n8k" k "|m64n16k" k "|m64n24k" k "|m64n32k" k "|m64n48k" k "|m64n64k" k "|m64n80k" k     \
  "|m64n96k" k "|m64n112k" k "|m64n128k" k "|m64n144k" k "|m64n160k" k "|m64n176k" k           \
  "|m64n192k" k "|m64n208k" k "|m64n224k" k "|m64n240k" k "|m64n256k" k
#define WARPCHECK_SHAPES(k)                                                                    \
  WARPCHECK_SHAPES_OF_16(k)                                                                    \
  "|m64n40k" k "|m64n56k" k "|m64n72k" k "|m64n88k" k "|m64n104k" k "|m64n120k" k              \
  "|m64n136k" k "|m64n152k" k "|m64n168k" k "|m64n184k" k "|m64n200k" k "|m64n216k" k          \
  "|m64n232k" k "|m64n248k" k
#define WARPCHECK_PRODUCT "mma_async sync aligned "

constexpr std::array kForms = {
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("16"), "f16.f16.f16 f32.f16.f16 f32.bf16.bf16"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("8"), "f32.tf32.tf32"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES("32"),
                 "f16.e4m3.e4m3 f16.e4m3.e5m2 f16.e5m2.e4m3 f16.e5m2.e5m2 "
                 "f32.e4m3.e4m3 f32.e4m3.e5m2 f32.e5m2.e4m3 f32.e5m2.e5m2"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES_OF_16("32") " [satfinite]",
                 "s32.s8.s8 s32.s8.u8 s32.u8.s8 s32.u8.u8"),
    product_form(WARPCHECK_PRODUCT WARPCHECK_SHAPES_OF_16("256") " and popc", "s32.b1.b1"),
    order_form("fence sync aligned", "9.7.15.7.1"),
    order_form("commit_group sync aligned", "9.7.15.7.2"),
    order_form("wait_group sync aligned", "9.7.15.7.3"),
};

}  // namespace

std::span<const Form> warpgroup_forms() { return kForms; }

}  // namespace warpcheck::isa
