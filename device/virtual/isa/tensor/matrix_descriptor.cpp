#include "device/virtual/isa/tensor/matrix_descriptor.hpp"

namespace warpcheck::isa {
namespace {

constexpr unsigned kChunk = 16;  // bytes
constexpr unsigned kRows = 8;    // rows of a core matrix

/// A field of 14 bits with an offset in units of 16 bytes.
std::uint64_t offset_at(std::uint64_t bits, unsigned first) {
  return (bits >> first & 0x3fff) * kChunk;
}

}  // namespace

MatrixDescriptor::MatrixDescriptor(std::uint64_t bits)
    : start(offset_at(bits, 0)),
      leading(offset_at(bits, 16)),
      stride(offset_at(bits, 32)),
      base_offset(static_cast<unsigned>(bits >> 49 & 7)),
      swizzle(static_cast<Swizzle>(bits >> 62)) {}

/// The number of chunks in a row of the swizzled pattern.
unsigned MatrixDescriptor::swizzled_chunks() const {
  switch (swizzle) {
    case Swizzle::none:
      return 1;
    case Swizzle::bytes_32:
      return 2;
    case Swizzle::bytes_64:
      return 4;
    case Swizzle::bytes_128:
      return 8;
  }
  return 1;
}

/// Computes a swizzled address. A swizzle exchanges the chunks of a row: it combines address bits 4
/// and up with bits 7 and up.
std::uint64_t MatrixDescriptor::address(std::uint64_t offset) const {
  const std::uint64_t plain = start + offset;
  const std::uint64_t row = (plain >> 7) - base_offset;
  return plain ^ (row & (swizzled_chunks() - 1)) << 4;
}

std::uint64_t MatrixDescriptor::k_major_offset(unsigned line, unsigned chunk) const {
  const std::uint64_t row = kChunk * swizzled_chunks();
  const std::uint64_t along_k = swizzle == Swizzle::none ? leading : kChunk;
  return address(line % kRows * row + line / kRows * stride + chunk * along_k);
}

std::uint64_t MatrixDescriptor::line_major_offset(unsigned chunk, unsigned k) const {
  const unsigned chunks = swizzled_chunks();
  const std::uint64_t in_core = std::uint64_t{k % kRows} * kChunk * chunks;
  if (swizzle == Swizzle::none) return address(in_core + chunk * stride + k / kRows * leading);
  return address(in_core + chunk % chunks * kChunk + chunk / chunks * leading + k / kRows * stride);
}

}  // namespace warpcheck::isa
