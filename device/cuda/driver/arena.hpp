// The memory of a GPU in which a lane runs its jobs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cuda/driver/driver_api.hpp"

namespace warpcheck::device::cuda {

/// Memory far from that of other arenas: addresses of 256 GiB around it are not mapped, so that an
/// access far out of bounds faults and does not change the buffers of another job.
class Arena {
 public:
  Arena(const DriverApi& driver, int device) : driver_(driver), device_(device) {}

  [[nodiscard]] DeviceAddress begin() const { return begin_; }

  /// Enlarges it to at least `bytes`; a larger arena does not keep the contents. Returns a
  /// CUresult.
  [[nodiscard]] int reserve(std::size_t bytes);

  /// Returns memory that only large jobs need to the GPU.
  void trim();

 private:
  int free();

  DriverApi driver_;
  int device_;
  DeviceAddress begin_ = 0;
  std::uint64_t memory_ = 0;  // handle of the driver
  std::size_t bytes_ = 0;
};

}  // namespace warpcheck::device::cuda
