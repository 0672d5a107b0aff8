// The place of one matrix in its buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"
#include "contract/contract.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign {

/// One matrix in its buffer, or the matrices of a batch. The rows of a batch are numbered
/// consecutively, from the first row of the first matrix to the last row of the last one. A line is
/// contiguous in memory: a row of a row-major matrix, a column of a column-major one.
struct Placement {
  std::string name;       // "A"
  std::int64_t rows = 0;  // rows of one matrix
  std::int64_t columns = 0;
  contract::Layout layout = contract::Layout::row;
  std::int64_t leading = 0;  // elements from the start of one line to the start of the next
  ScalarType type = ScalarType::f32;
  std::int64_t offset = 0;  // elements from a 256-byte boundary to the first element
  std::int64_t batch = 1;   // matrices
  std::int64_t stride = 0;  // elements from the start of one matrix to the start of the next
  bool batched = false;     // element() includes the number of the matrix
  bool vector = false;      // one row; element() consists of the column alone
  // Extents of a tensor, the last one a line; element() has an index for each. Empty: a matrix.
  std::vector<std::int64_t> shape = {};
  bool packed = false;  // the buffer holds the lines alone, without the gaps, see device::Buffer

  [[nodiscard]] std::int64_t lines() const {
    return layout == contract::Layout::row ? rows : columns;
  }
  [[nodiscard]] std::int64_t line_length() const {
    return layout == contract::Layout::row ? columns : rows;
  }
  [[nodiscard]] std::int64_t all_rows() const { return batch * rows; }
  [[nodiscard]] device::Extent extent() const;

  /// Distance in bytes of an element from the first byte of the allocation.
  [[nodiscard]] std::size_t byte_of(std::int64_t row, std::int64_t column) const;

  /// Index of the element's first byte in the contents of the buffer, which are `packed` or not.
  [[nodiscard]] std::size_t index_of(std::int64_t row, std::int64_t column) const;

  /// Distance in bytes of adjacent elements of the row in the contents; 0 if it has only one.
  [[nodiscard]] std::size_t column_distance(std::int64_t row) const;

  /// "A[3, 4]", of a batch "A[2][3, 4]", of a vector "bias[4]".
  [[nodiscard]] std::string element(std::int64_t row, std::int64_t column) const;

  /// "A[3, 4]"; outside the matrix with the reason: "A[65, 3]: row 65 of 65 rows, 12 bytes past the
  /// end of A", "C[2, 17]: column 17 of 17 columns", "bias[4]: element 4 of 4 elements, 1 byte past
  /// the end of bias", "4 bytes before A".
  [[nodiscard]] std::string describe(const MemoryPlace& place) const;

  /// Returns true if all extents of one matrix, or of the tensor, are at most this index.
  [[nodiscard]] bool is_below(std::int64_t index) const;

  /// Returns the row or column number in describe() that the matrix does not have; empty if the
  /// element is in the matrix or before the buffer.
  [[nodiscard]] std::optional<std::int64_t> index_outside(const MemoryPlace& place) const;

 private:
  struct Access;
  [[nodiscard]] std::string indices(std::int64_t row, std::int64_t column) const;
  [[nodiscard]] Access access_at(const MemoryPlace& place) const;
};

/// Returns the number of bytes from the first element to the last one; empty beyond 2^63.
[[nodiscard]] std::optional<std::int64_t> span_bytes(const Placement& matrix);

/// Makes a matrix `packed` that takes more than `limit_bytes`. Returns false if it is larger than a
/// buffer may be, or if its lines alone exceed the limit.
[[nodiscard]] bool pack_if_larger(Placement& matrix, std::size_t limit_bytes);

}  // namespace warpcheck::campaign
