// The operands of a function in memory of the device. They are checked as copies of the host are:
// each row or column alone, so that gaps are never accessed.
#pragma once

#include <string>

#include "runtime/blas/kernels/arithmetic.hpp"
#include "runtime/blas/kernels/elements.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

/// The elements of a matrix that a function accesses.
enum class MatrixPart : std::uint8_t { full, lower, upper, below_diagonal, above_diagonal };

/// A matrix whose columns are `leading` elements apart. A vector with gaps has one row, another one
/// has one column.
struct Operand {
  const char* name = "";  // name in the manual, "A"
  std::uint64_t address = 0;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t leading = 1;
  MatrixPart part = MatrixPart::full;
  bool row_major = false;  // messages exchange rows and columns
  bool reversed = false;   // a vector whose increment is negative: its first element is the last
};

[[nodiscard]] Operand vector_operand(const char* name, const void* address, cudaDataType type,
                                     std::int64_t n, std::int64_t increment);

/// The accesses of one call. An operand with an error is reported once. The function then goes on
/// with zeros, and does not write the column.
class OperandAccess {
 public:
  OperandAccess(Runtime& runtime, const char* function) : runtime_(runtime), function_(function) {}

  /// The numbers of the operand, one column after the other; those outside of its part are zero.
  template <class Number>
  [[nodiscard]] Packed<Number> read(const Operand& operand);
  template <class Number>
  void write(const Operand& operand, const Packed<Number>& numbers);

  /// The pointers of an array in memory of the device, as functions of a batch have them.
  [[nodiscard]] std::vector<std::uint64_t> read_pointers(const char* name, std::uint64_t address,
                                                         std::int64_t count);

  // Packed elements in their format in memory.
  [[nodiscard]] std::vector<std::byte> read_bytes(const Operand& operand);
  void write_bytes(const Operand& operand, const std::vector<std::byte>& bytes);

 private:
  /// Consecutive elements in memory, from element (row, column).
  struct Run {
    std::int64_t row;
    std::int64_t column;
    std::int64_t elements;
  };

  [[nodiscard]] bool is_valid(const Operand& operand, const char* verb);
  void report_range(const Operand& operand, const Run& run, const char* verb,
                    const device::RangeError& error);
  void report_undefined(const Operand& operand, const Run& run);
  /// Calls access(run, address, index of its first element), which returns an error of the range,
  /// and reports the first one.
  template <class Access>
  void for_each_run(const Operand& operand, const char* verb, Access access);

  Runtime& runtime_;
  const char* function_;
};

}  // namespace warpcheck::runtime
