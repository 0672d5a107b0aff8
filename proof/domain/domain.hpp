// The domain of a contract as formulas: its sizes, the layout of its operands, its launch, and what
// `requires` demands of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"
#include "proof/poly/terms.hpp"
#include "proof/poly/value.hpp"

namespace warpcheck::proof {

/// The largest extent, and the largest stride, of the cases that a proof covers.
inline constexpr std::int64_t kMostExtent = std::int64_t{1} << 28;
inline constexpr std::int64_t kMostStride = (std::int64_t{1} << 31) - 1;

/// The threads of a warp.
inline constexpr std::int64_t kLanes = 32;

/// Indices of equal distance in memory.
struct Axis {
  Polynomial extent;
  Polynomial stride;  // elements from one index to the next
};

/// An operand in memory. Elements with different indices lie at different places.
struct Buffer {
  std::string name;
  bool is_output = false;
  std::int64_t element_bytes = 4;
  /// The last one is that of contiguous elements, if there are any. All elements of an axis lie
  /// within one step of the axis before it if `is_nested`.
  std::vector<Axis> axes = {};
  bool is_nested = true;
  /// Limits of the elements, both included: positions, or numbers of a range.
  std::optional<std::pair<Polynomial, Polynomial>> limits = {};
  Formula is_undefined = kFalse;  // if it holds, no element has a value before the launch
  SymbolId pointer = 0;
  std::vector<Polynomial> factors = {};  // those of the bytes of a workspace; empty: an operand
  bool is_covered_elsewhere = false;     // the launch does not take it, or a later one always does
  bool is_written_before = false;        // an earlier launch writes an element
  bool is_covered_before = false;        // earlier launches write each element
};

/// A grid of A * B blocks along an axis. The index of a block is quotient * B + rest, where
/// 0 <= quotient < A and 0 <= rest < B.
struct AxisProduct {
  Polynomial quotient;
  Polynomial divisor;
};

/// A parameter that is a tensor map: it describes all elements of an operand. A copy through it
/// transfers a box, and omits the elements that do not exist.
struct TensorMap {
  std::string buffer;
  std::vector<std::int64_t> box;  // elements along the axes of the buffer, in their order
  std::int64_t swizzle = 0;       // bytes, in which a swizzle moves units of 16 bytes; 0: none
};

struct Domain {
  std::vector<Formula> conditions;
  std::vector<Formula> runs;                // the conditions 'when' of all launches of the contract
  std::map<std::string, Polynomial> words;  // the fields of a case: "m", "lda", "stride_x"
  std::vector<Buffer> buffers;
  std::vector<Value> parameters;                 // values of the kernel's parameters
  std::map<std::size_t, TensorMap> tensor_maps;  // the key is the number of the parameter
  std::array<Polynomial, 3> thread;
  std::array<Polynomial, 3> block;
  std::array<Polynomial, 3> block_shape;
  std::array<Polynomial, 3> grid;
  std::array<std::optional<AxisProduct>, 3> products;
  Polynomial dynamic_shared;                        // bytes
  std::vector<SymbolId> threads;                    // the symbols of the thread's index
  std::vector<SymbolId> blocks;                     // the symbols of the block's index
  std::array<Polynomial, 3> rank;                   // the index of the block in its cluster
  std::array<std::int64_t, 3> cluster = {1, 1, 1};  // the blocks of a cluster
  std::vector<SymbolId> clusters;  // those symbols of the block's index that a cluster shares

  [[nodiscard]] const Buffer* buffer_at(SymbolId pointer) const;
  [[nodiscard]] const Buffer& buffer_of(const TensorMap& map) const;
  /// The blocks of a cluster, and the number of the block among them.
  [[nodiscard]] std::int64_t cluster_size() const { return cluster[0] * cluster[1] * cluster[2]; }
  [[nodiscard]] Polynomial cluster_rank() const;
  /// The number of the thread in its block; each 32 threads are a warp.
  [[nodiscard]] Polynomial thread_number() const;
};

/// The number of choices that a proof covers one by one: `ta`, `tb`, then the minima and maxima in
/// the grid of the launch. Each of these is the first or the second of its operands.
[[nodiscard]] unsigned choices(const contract::Contract& contract, std::size_t launch);

/// The domain of a launch in which choice i is the first if bit i of `chosen` is 0: an operand that
/// is not transposed, or the first operand of a minimum. Throws Unsupported.
[[nodiscard]] Domain make_domain(const contract::Variant& variant, std::size_t launch, Terms& terms,
                                 unsigned chosen);

/// In each case of the contract, a launch takes the buffer.
[[nodiscard]] bool is_certain(const contract::Variant& variant, const std::string& buffer);

}  // namespace warpcheck::proof
