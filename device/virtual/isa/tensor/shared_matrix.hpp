// Matrices in shared memory that a product of a warpgroup reads through descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/virtual/isa/tensor/matrix_descriptor.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"

namespace warpcheck::isa {

inline constexpr unsigned kBytesOfK = 32;  // bytes along k of one product of a warpgroup

/// A matrix with one element per word. Initially its elements have no values.
struct Tile {
  std::size_t elements;
  std::unique_ptr<std::uint32_t[]> value;
  std::unique_ptr<unsigned char[]> undefined;  // indexed by element; valid if `known` is false
  bool known = true;

  explicit Tile(std::size_t count)
      : elements(count),
        value(std::make_unique_for_overwrite<std::uint32_t[]>(count)),
        undefined(std::make_unique_for_overwrite<unsigned char[]>(count)) {}
};

/// A part of a matrix: `lines` rows of A, or columns of B, from number `first` on.
struct SharedMatrix {
  MatrixDescriptor descriptor;
  bool by_lines = false;  // true: the matrix is not K-major
  unsigned first = 0;
  unsigned lines = 0;
  unsigned bytes = 0;    // bytes of an element
  bool by_sign = false;  // extend elements to words by their sign
};

/// Reads the matrices of one product.
class SharedOperands {
 public:
  SharedOperands(machine::Warp& warp, const machine::Op& op);

  /// Sets element line * line_step + k * k_step of the tile to the corresponding element of the
  /// matrix. Elements outside shared memory are a finding, and zeros. Returns false if this ends
  /// the launch.
  [[nodiscard]] bool read(const SharedMatrix& matrix, std::size_t line_step, std::size_t k_step,
                          Tile& tile);

  /// Reports the reads to the checks, except to the check that tracks their end.
  void observe();
  [[nodiscard]] const std::vector<machine::ChunkRead>& reads() const { return reads_; }

 private:
  struct Chunk {
    const std::byte* data = nullptr;
    const std::byte* shadow = nullptr;
  };
  [[nodiscard]] Chunk chunk(std::uint64_t address);
  void report(std::uint64_t address, const machine::Container& found);

  machine::Warp& warp_;
  const machine::Op& op_;
  machine::Op shared_;  // an access to shared memory
  std::vector<machine::ChunkRead> reads_;
};

}  // namespace warpcheck::isa
