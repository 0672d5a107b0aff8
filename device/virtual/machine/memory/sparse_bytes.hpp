// Bytes that take memory only when they are written. Initially all are 0, or all are 0xff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace warpcheck::machine {

/// Only pages that are written take memory of the host. The constructor throws std::bad_alloc if
/// the address space is exhausted.
class SparseBytes {
 public:
  SparseBytes() = default;
  explicit SparseBytes(std::size_t size);
  /// All bits are 1. Throws EnvironmentError if the system refuses.
  [[nodiscard]] static SparseBytes ones(std::size_t size);
  /// All bits are 0. The bytes begin at `address`, a multiple of the size of a page. Throws
  /// std::bad_alloc if something else lies there.
  [[nodiscard]] static SparseBytes zeros_at(std::uint64_t address, std::size_t size);

  /// The bytes of a file in memory, from a multiple of the page size on. Other processes may map
  /// them too. Throws EnvironmentError if the system refuses.
  [[nodiscard]] static SparseBytes from_file(int file, std::size_t offset, std::size_t size);

  /// Makes the ranges of `size` bytes at these places, whole pages of larger SparseBytes, share
  /// their bytes: those of the first range. Throws EnvironmentError if the system refuses.
  static void share(std::span<std::byte* const> places, std::size_t size);
  /// Gives the range bytes of its own again, all 0.
  static void unshare(std::byte* place, std::size_t size);

  [[nodiscard]] std::byte* data() const { return first_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Release {
    std::size_t size;
    bool mapped;  // false: allocated from the heap
    void operator()(std::byte* first) const;
  };
  std::unique_ptr<std::byte, Release> first_;
  std::size_t size_ = 0;
};

}  // namespace warpcheck::machine
