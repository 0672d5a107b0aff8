// Bytes that take memory only when they are written: before, all are 0 or all are 0xff.
#pragma once

#include <cstddef>
#include <memory>

namespace warpcheck::machine {

/// Only pages that are written take memory of the host. The constructor throws std::bad_alloc if
/// the address space is exhausted.
class SparseBytes {
 public:
  SparseBytes() = default;
  explicit SparseBytes(std::size_t size);
  /// All bits are 1. Throws EnvironmentError if the system refuses.
  [[nodiscard]] static SparseBytes ones(std::size_t size);

  [[nodiscard]] std::byte* data() const { return first_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Release {
    std::size_t size;  // of the mapping
    void operator()(std::byte* first) const;
  };
  std::unique_ptr<std::byte, Release> first_;
  std::size_t size_ = 0;
};

}  // namespace warpcheck::machine
