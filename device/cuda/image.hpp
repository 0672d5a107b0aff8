// The buffers of a job in one block of bytes, so that a job needs one copy to the GPU and one copy
// back. Every buffer has a guard zone with a known pattern on both sides.
//
//   | guard | A | guard | guard | B | guard | ...
//            ^ a 256-byte boundary + shift_bytes
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace warpcheck::device::cuda {

/// Byte offsets in the image: [guard_begin, begin) and [end, guard_end) are guards.
struct Placement {
  std::size_t guard_begin = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t guard_end = 0;
};

struct Layout {
  std::vector<Placement> buffers;  // one placement per buffer, in the order of the job
  std::size_t bytes = 0;
};

/// Places the buffers. A guard covers two rows, at least 4 KiB and at most 1 MiB, so that a store
/// one row beyond the buffer hits it. Throws std::invalid_argument if a buffer does not have
/// extent.bytes() bytes.
[[nodiscard]] Layout place(std::span<const Buffer> buffers);

/// Writes the contents and the guards.
void fill(std::span<std::byte> image, const Layout& layout, std::span<const Buffer> buffers);

/// Reports guards whose pattern changed (guard-overwritten) and read-only buffers that changed
/// (input-modified): at most one finding of each class per buffer, in the order of the job.
[[nodiscard]] std::vector<Finding> verify(std::span<const std::byte> image, const Layout& layout,
                                          std::span<const Buffer> buffers);

/// The contents of the buffers, in the order of the job.
[[nodiscard]] std::vector<std::vector<std::byte>> contents(std::span<const std::byte> image,
                                                           const Layout& layout);

}  // namespace warpcheck::device::cuda
