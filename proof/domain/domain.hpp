// The domain of a contract as formulas: its sizes, the layout of its matrices, its launch, and what
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

/// An operand in memory: rows of contiguous elements. `rows` are the columns of a matrix whose
/// layout is `col`.
struct Matrix {
  std::string name;
  bool is_output = false;
  std::int64_t element_bytes = 4;
  std::optional<Polynomial> stride =
      {};  // elements from one row to the next; empty: there is one row
  Polynomial rows = 1;
  Polynomial columns = {};  // elements of a row
  SymbolId pointer = 0;
};

/// A grid of A * B blocks along an axis. The index of a block is quotient * B + rest, where
/// 0 <= quotient < A and 0 <= rest < B.
struct AxisProduct {
  Polynomial quotient;
  Polynomial divisor;
};

struct Domain {
  std::vector<Formula> conditions;
  std::map<std::string, Polynomial> words;  // the fields of a case: "m", "lda", "stride_x"
  std::vector<Matrix> matrices;
  std::vector<Value> parameters;  // values of the kernel's parameters
  std::array<Polynomial, 3> thread;
  std::array<Polynomial, 3> block;
  std::array<Polynomial, 3> block_shape;
  std::array<Polynomial, 3> grid;
  std::array<std::optional<AxisProduct>, 3> products;
  std::int64_t dynamic_shared = 0;  // bytes
  std::vector<SymbolId> threads;    // the symbols of the thread's index
  std::vector<SymbolId> blocks;     // the symbols of the block's index

  [[nodiscard]] const Matrix* matrix_at(SymbolId pointer) const;
};

/// The number of minima and maxima in the grid of a launch whose operands are not both constant.
/// Each is the first or the second of its operands: a proof covers each case of these.
[[nodiscard]] unsigned grid_choices(const contract::Contract& contract);

/// The domain in which minimum i of the grid is its first operand if bit i of `choices` is 0.
/// Throws Unsupported.
[[nodiscard]] Domain make_domain(const contract::Variant& variant, Terms& terms, unsigned choices);

}  // namespace warpcheck::proof
