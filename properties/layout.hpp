// How the matrices of a case lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "kernels/contract/contract.hpp"
#include "properties/case.hpp"

namespace warpcheck::properties {

/// One matrix in its buffer. A line is what lies together in memory: a row of a row-major matrix, a
/// column of a column-major one.
struct Placement {
  std::string name;  // "A"
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  kernels::Layout layout = kernels::Layout::row;
  std::int64_t leading = 0;  // elements from the start of one line to the start of the next
  ScalarType type = ScalarType::f32;
  std::int64_t offset = 0;  // elements from a 256-byte boundary to the first element

  [[nodiscard]] std::int64_t lines() const {
    return layout == kernels::Layout::row ? rows : columns;
  }
  [[nodiscard]] std::int64_t line_length() const {
    return layout == kernels::Layout::row ? columns : rows;
  }
  [[nodiscard]] device::Extent extent() const;

  /// Distance in bytes of an element from the buffer's first byte.
  [[nodiscard]] std::size_t byte_of(std::int64_t row, std::int64_t column) const;

  /// "A[3, 4]"; outside the matrix with the reason: "A[65, 3]: row 65 of 65 rows, 12 bytes past the
  /// end of A", "C[2, 17]: column 17 of 17 columns", "4 bytes before A".
  [[nodiscard]] std::string describe(const MemoryPlace& place) const;
};

/// The effective leading dimension of A (word lda), B (ldb), C (ldc) or D (ldd, which follows the
/// case's ldc): the case's own where the contract hands it to the kernel and the case gives one,
/// else the tight one, at least 1 as the BLAS demands.
[[nodiscard]] std::int64_t leading_dimension(const kernels::Contract& contract, const Case& problem,
                                             kernels::ArgumentWord word);

/// The length of a line of the matrix whose leading dimension `word` is: the least that is allowed.
[[nodiscard]] std::int64_t tight_dimension(const kernels::Contract& contract, const Case& problem,
                                           kernels::ArgumentWord word);

/// What the contract does not hand to the kernel cannot matter: it takes its default. So do a
/// leading dimension that equals the tight one, and property=matches-reference.
[[nodiscard]] Case normalized(const kernels::Contract& contract, Case problem);

struct Layouts {
  Placement a;
  Placement b;
  Placement c;                 // also the output, where there is no d
  std::optional<Placement> d;  // where the contract has one

  [[nodiscard]] const Placement& output() const { return d ? *d : c; }
};

/// Throws InputError, located in the case line, where a leading dimension is below its line's
/// length or a matrix takes more than `limit_bytes`.
[[nodiscard]] Layouts lay_out(const kernels::Contract& contract, const Case& problem,
                              std::size_t limit_bytes);

}  // namespace warpcheck::properties
