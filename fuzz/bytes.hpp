// Decisions out of an input's bytes, from its front. Where the input ends, zeros follow.
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
  /// Little endian.
  std::uint64_t bits(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  /// Below `bound`, which is not 0.
  std::size_t below(std::size_t bound) { return bits(bound <= 256 ? 1 : 2) % bound; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace warpcheck::fuzz
