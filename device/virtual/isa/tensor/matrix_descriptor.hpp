// The descriptor of a matrix in shared memory that wgmma multiplies (PTX ISA 9.7.15.5.1).
//
// A matrix consists of core matrices of 8 rows of 16 bytes. The canonical layouts of core matrices
// are those of the CUTLASS documentation (Hopper, "GMMA descriptors"). Only K-major matrices
// without a swizzle have been compared with a GPU.
#pragma once

#include <cstdint>

namespace warpcheck::isa {

struct MatrixDescriptor {
  enum class Swizzle : std::uint8_t { none, bytes_128, bytes_64, bytes_32 };

  std::uint64_t start = 0;    // start, leading and stride are in bytes
  std::uint64_t leading = 0;  // "leading dimension byte offset"
  std::uint64_t stride = 0;   // "stride dimension byte offset"
  unsigned base_offset = 0;   // number of rows of 128 bytes
  Swizzle swizzle = Swizzle::none;

  explicit MatrixDescriptor(std::uint64_t bits);

  /// The address of 16 bytes of the matrix. K-major: bytes 16 * chunk to 16 * chunk + 15 along k of
  /// row `line` of A, or column `line` of B.
  [[nodiscard]] std::uint64_t k_major_offset(unsigned line, unsigned chunk) const;
  /// The address of 16 bytes of a matrix that is not K-major, with elements of 16 bits: lines 8 *
  /// chunk to 8 * chunk + 7 at index `k`.
  [[nodiscard]] std::uint64_t line_major_offset(unsigned chunk, unsigned k) const;

 private:
  [[nodiscard]] unsigned swizzled_chunks() const;
  [[nodiscard]] std::uint64_t address(std::uint64_t offset) const;
};

}  // namespace warpcheck::isa
