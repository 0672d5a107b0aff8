// A job's buffers laid out in one block of bytes, so that a job is one copy to the GPU and one
// back. On both sides of every buffer lies a guard zone with a known pattern.
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
  std::vector<Placement> buffers;  // in the order of the job
  std::size_t bytes = 0;
};

/// Guards reach two rows past either end, so that a store one row off lands in one, within
/// [4 KiB, 1 MiB]. Throws std::invalid_argument when a buffer's bytes are not extent.bytes().
[[nodiscard]] Layout place(std::span<const Buffer> buffers);

/// Contents and guards.
void fill(std::span<std::byte> image, const Layout& layout, std::span<const Buffer> buffers);

/// Guards that no longer hold their pattern (guard-overwritten) and read-only buffers that changed
/// (input-modified): at most one finding of each class a buffer, in the order of the job.
[[nodiscard]] std::vector<Finding> verify(std::span<const std::byte> image, const Layout& layout,
                                          std::span<const Buffer> buffers);

/// The contents of the buffers, in the order of the job.
[[nodiscard]] std::vector<std::vector<std::byte>> contents(std::span<const std::byte> image,
                                                           const Layout& layout);

}  // namespace warpcheck::device::cuda
