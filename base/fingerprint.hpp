// A fingerprint of many bytes, for comparisons within one process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck {

/// Grows by words with one multiplication each, where mixed() takes two.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15;
    hash_ ^= hash_ >> 29;
  }
  void add(const void* bytes, std::size_t count);
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace warpcheck
