// Memory that the host and the device access at the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/virtual/machine/core/program.hpp"
#include "device/virtual/machine/memory/sparse_bytes.hpp"

namespace warpcheck::machine {

class HostVisibleBytes {
 public:
  /// Bytes between two pieces. An access that is less than half of this distance after a piece
  /// still identifies the piece.
  static constexpr std::uint64_t kDistance = std::uint64_t{1} << 20;

  /// Returns `bytes` zeros that begin on a page of their own, at no address of the device's own
  /// memory. Null if the system refuses or the addresses are exhausted.
  [[nodiscard]] std::byte* take(std::size_t bytes);

  /// Returns the memory of such a piece to the system. Its addresses are not used again.
  void give_back(std::byte* first, std::size_t bytes);

 private:
  /// Maps a region of at least `bytes`. Returns false if there is none.
  bool add_region(std::uint64_t bytes);

  std::vector<SparseBytes> regions_;
  std::uint64_t next_ = kGlobalBase;  // address in the last region
  std::uint64_t end_ = kGlobalBase;   // end of the last region
};

}  // namespace warpcheck::machine
