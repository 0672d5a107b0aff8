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

/// The elements of an operand in its buffer, seen as rows: the last axis is that of columns. The
/// rows of all matrices of a batch, or of a tensor, are numbered consecutively.
struct Placement {
  /// Indices of equal distance in memory.
  struct Axis {
    std::int64_t extent = 0;
    std::int64_t stride = 0;  // elements from one index to the next
  };

  std::string name;  // "A"
  ScalarType type = ScalarType::f32;
  std::int64_t offset = 0;  // elements from a 256-byte boundary to the first element
  std::int64_t rows = 0;    // rows of one matrix
  std::int64_t columns = 0;
  std::int64_t batch = 1;  // matrices
  std::vector<Axis> axes;  // the slowest index first; rows follow from all but the last one
  /// Numbers of the axes by their place in memory: one index of the first steps over all of the
  /// others.
  std::vector<std::size_t> nest;
  bool batched = false;  // element() includes the number of the matrix
  bool vector = false;   // one row; element() consists of the column alone
  // Extents of a tensor, the last one a line; element() has an index for each. Empty: a matrix.
  std::vector<std::int64_t> shape = {};
  bool packed = false;  // the buffer holds the lines alone, without the gaps, see device::Buffer

  /// The axis whose elements lie next to one another. They form a line if its stride is 1.
  [[nodiscard]] const Axis& line() const { return axes[nest.back()]; }
  [[nodiscard]] bool has_lines() const { return line().stride == 1; }
  /// The number of the axis along which one line follows another; empty for a vector.
  [[nodiscard]] std::optional<std::size_t> axis_of_lines() const;
  /// The elements from the start of one line to the start of the next.
  [[nodiscard]] std::int64_t line_distance() const;
  /// True if a line is a row.
  [[nodiscard]] bool is_by_rows() const { return nest.back() + 1 == axes.size(); }

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
  /// the end of bias", "4 bytes before A", "x[1, 2]: in the gap behind it".
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
  [[nodiscard]] std::string outside_text(const Access& access) const;
};

/// Returns the number of bytes from the first element to the last one; empty beyond 2^63.
[[nodiscard]] std::optional<std::int64_t> span_bytes(const Placement& place);

/// Makes a place `packed` that takes more than `limit_bytes`. Returns false if it is larger than a
/// buffer may be, or if its lines alone exceed the limit.
[[nodiscard]] bool pack_if_larger(Placement& place, std::size_t limit_bytes);

}  // namespace warpcheck::campaign
