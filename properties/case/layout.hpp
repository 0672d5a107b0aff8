// How the matrices of a case lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contract/contract.hpp"
#include "device/device.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties {

/// One matrix in its buffer, or the equal matrices of a batch: then their rows count on from one
/// matrix to the next wherever a row is asked for. A line is what lies together in memory: a row of
/// a row-major matrix, a column of a column-major one.
struct Placement {
  std::string name;       // "A"
  std::int64_t rows = 0;  // of one matrix
  std::int64_t columns = 0;
  contract::Layout layout = contract::Layout::row;
  std::int64_t leading = 0;  // elements from the start of one line to the start of the next
  ScalarType type = ScalarType::f32;
  std::int64_t offset = 0;  // elements from a 256-byte boundary to the first element
  std::int64_t batch = 1;   // matrices
  std::int64_t stride = 0;  // elements from the start of one to the start of the next
  bool batched = false;     // elements are named with the number of their matrix
  bool vector = false;      // one row, whose elements are named by their column
  bool far = false;         // lines so far apart that only they are kept, one behind the other

  [[nodiscard]] std::int64_t lines() const {
    return layout == contract::Layout::row ? rows : columns;
  }
  [[nodiscard]] std::int64_t line_length() const {
    return layout == contract::Layout::row ? columns : rows;
  }
  [[nodiscard]] std::int64_t all_rows() const { return batch * rows; }
  [[nodiscard]] device::Extent extent() const;

  /// Distance in bytes of an element from the buffer's first byte.
  [[nodiscard]] std::size_t byte_of(std::int64_t row, std::int64_t column) const;

  /// The same where the buffer is `packed` if the matrix is far.
  [[nodiscard]] std::size_t index_of(std::int64_t row, std::int64_t column) const;

  /// "A[3, 4]", of a batch "A[2][3, 4]", of a vector "bias[4]".
  [[nodiscard]] std::string element(std::int64_t row, std::int64_t column) const;

  /// "A[3, 4]"; outside the matrix with the reason: "A[65, 3]: row 65 of 65 rows, 12 bytes past the
  /// end of A", "C[2, 17]: column 17 of 17 columns", "bias[4]: element 4 of 4 elements, 1 byte past
  /// the end of bias", "4 bytes before A".
  [[nodiscard]] std::string describe(const MemoryPlace& place) const;
};

/// The effective leading dimension of A (word lda), B (ldb), C (ldc) or D (ldd, which follows the
/// case's ldc): the case's own where the contract hands it to the kernel and the case gives one,
/// else the tight one, at least 1 as the BLAS demands.
[[nodiscard]] std::int64_t leading_dimension(const contract::Contract& contract,
                                             const Case& problem, contract::ArgumentWord word);

/// The length of a line of the matrix whose leading dimension `word` is: the least that is allowed.
[[nodiscard]] std::int64_t tight_dimension(const contract::Contract& contract, const Case& problem,
                                           contract::ArgumentWord word);

/// The layout of A (word lda), B (ldb) or C and D in memory: the contract's, exchanged where the
/// case transposes the operand.
[[nodiscard]] contract::Layout layout_of(const contract::Contract& contract, const Case& problem,
                                         contract::ArgumentWord word);

/// The effective stride of a batch, by the words stride_a, stride_b, stride_c and stride_d (which
/// follows the case's stride_c): the case's own where the contract hands it to the kernel and the
/// case gives one, else the tight one.
[[nodiscard]] std::int64_t stride(const contract::Contract& contract, const Case& problem,
                                  contract::ArgumentWord word);

/// Whole lines of one matrix without a gap: the least stride that is allowed.
[[nodiscard]] std::int64_t tight_stride(const contract::Contract& contract, const Case& problem,
                                        contract::ArgumentWord word);

/// What the contract does not hand to the kernel cannot matter: it takes its default. So do a
/// leading dimension or stride that equals the tight one, and property=matches-reference.
[[nodiscard]] Case normalized(const contract::Contract& contract, Case problem);

/// The first field that is given and that `normalized` gives up because the contract does not hand
/// it to the kernel; empty if there is none.
[[nodiscard]] std::string_view ignored_field(const contract::Contract& contract,
                                             const Case& problem);

struct Layouts {
  Placement a;
  Placement b;
  Placement c;                 // also the output, where there is no d
  std::optional<Placement> d;  // where the contract has one
  std::optional<Placement> bias;

  [[nodiscard]] const Placement& output() const { return d ? *d : c; }
  [[nodiscard]] bool any_far() const { return a.far || b.far || c.far || (d && d->far); }
};

/// Throws InputError, located in the case line, where a leading dimension is below its line's
/// length, a stride below its matrix's, batch is 0 or above 2^20, or a matrix takes more than
/// `limit_bytes`. Where its lines alone take less, up to device::kMostBufferBytes in all, it is
/// `far`.
[[nodiscard]] Layouts lay_out(const contract::Contract& contract, const Case& problem,
                              std::size_t limit_bytes);

}  // namespace warpcheck::properties
