// The writes to the shared memory of a block through the generic proxy. A bulk copy reads through
// the async proxy, which observes them only after a fence.proxy.async (PTX ISA 8.9.6, 9.7.13.4). A
// fence of any thread after the write counts, because the path of synchronisation may contain it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpcheck::checks {

class ProxyWrites {
 public:
  /// The last write to 16 bytes.
  struct Write {
    std::uint64_t time = 0;  // 0: there is no write
    std::uint32_t block = 0;
    std::uint32_t op = 0;  // number in the program
    std::uint16_t warp = 0;
    std::uint16_t lane = 0;
    std::uint32_t offset = 0;  // offset in the block's shared memory
  };

  /// Starts a block. If `tracks` is false, the other functions must not be called.
  void start(std::size_t shared_bytes, bool tracks);
  [[nodiscard]] bool tracks() const { return tracks_; }

  /// Records a write of `bytes` bytes; `write` has no time yet.
  void note(Write write, std::size_t bytes);
  void fence() { fenced_ = time_; }
  /// Records that the async proxy writes these bytes.
  void overwrite(std::size_t offset, std::size_t bytes);

  /// A write to one of these bytes that no fence follows. Null if there is none.
  [[nodiscard]] const Write* unfenced(std::size_t offset, std::size_t bytes) const;

 private:
  static constexpr std::size_t kCell = 16;  // size in bytes, of which bulk copies read a multiple

  bool tracks_ = false;
  std::uint64_t time_ = 0;
  std::uint64_t fenced_ = 0;
  std::vector<Write> cells_;
};

}  // namespace warpcheck::checks
