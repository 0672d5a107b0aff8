// Reads choices from the bytes of an input, front to back. After its end, every byte is zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  /// Reads a little-endian number.
  std::uint64_t bits(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  /// Returns a number below `bound`, which is not 0.
  std::size_t below(std::size_t bound) { return bits(bound <= 256 ? 1 : 2) % bound; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace warpcheck::fuzz
