// Matrices in shared memory that a product of a warpgroup reads through descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/virtual/isa/tensor/matrix_descriptor.hpp"
#include "device/virtual/machine/block/warpgroup_products.hpp"

namespace warpcheck::isa {

inline constexpr unsigned kBytesOfK = 32;  // of one product of a warpgroup

/// A matrix, one element per word. At first its elements have no values.
struct Tile {
  std::size_t elements;
  std::unique_ptr<std::uint32_t[]> value;
  std::unique_ptr<unsigned char[]> undefined;  // by element, if not all are `known`
  bool known = true;

  explicit Tile(std::size_t count)
      : elements(count),
        value(std::make_unique_for_overwrite<std::uint32_t[]>(count)),
        undefined(std::make_unique_for_overwrite<unsigned char[]>(count)) {}
};

/// `lines` rows of A from row `first` on, or columns of B.
struct SharedMatrix {
  MatrixDescriptor descriptor;
  bool by_lines = false;  // not K-major
  unsigned first = 0;
  unsigned lines = 0;
  unsigned bytes = 0;    // of an element
  bool by_sign = false;  // extend elements to words by their sign
};

/// Reads the matrices of one product.
class SharedOperands {
 public:
  SharedOperands(machine::Warp& warp, const machine::Op& op);

  /// Sets element line * line_step + k * k_step of the tile to that of the matrix. Elements outside
  /// of shared memory are a finding, and zeros. Returns false if the launch ends with it.
  [[nodiscard]] bool read(const SharedMatrix& matrix, std::size_t line_step, std::size_t k_step,
                          Tile& tile);

  /// Reports the reads to the checks, except to the one that tracks their end.
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
