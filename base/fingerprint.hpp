// A fingerprint of many bytes, for comparisons within one process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"

namespace warpcheck {

class Fingerprint {
 public:
  void add(std::uint64_t word) { hash_ = folded(hash_, word); }
  void add(const void* bytes, std::size_t count);
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = kFnvOffset;
};

}  // namespace warpcheck
