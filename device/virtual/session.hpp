// A session of the virtual device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "device/session.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::device {

/// `memory_bytes` limits the total size of all allocations. A launch continues after findings that
/// permit it.
[[nodiscard]] std::unique_ptr<Session> make_virtual_session(
    const VirtualOptions& options = {}, std::uint64_t memory_bytes = std::uint64_t{16} << 30);

/// The blocks of a cluster that a kernel of a session of the virtual device declares; empty: none.
[[nodiscard]] std::optional<Dim3> declared_cluster(const Session& session, ModuleId module,
                                                   std::string_view entry);

}  // namespace warpcheck::device
