// Bytes that begin as zeros and take memory only once they are written.
#pragma once

#include <cstddef>
#include <memory>

namespace warpcheck::machine {

/// However many there are, only pages that somebody writes take memory of the host. Throws
/// std::bad_alloc where not even the addresses are to be had.
class SparseBytes {
 public:
  SparseBytes() = default;
  explicit SparseBytes(std::size_t size);

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
