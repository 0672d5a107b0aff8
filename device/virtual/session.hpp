// A session of the virtual device.
#pragma once

#include <cstdint>
#include <memory>

#include "device/session.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::device {

/// `memory_bytes`: of all allocations together. A launch goes on after findings where it can.
[[nodiscard]] std::unique_ptr<Session> make_virtual_session(
    const VirtualOptions& options = {}, std::uint64_t memory_bytes = std::uint64_t{16} << 30);

}  // namespace warpcheck::device
