// The messages between warpcheck and the process that runs a function of the host.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "operation/host_function.hpp"

namespace warpcheck::operation {

/// The socket of the process.
inline constexpr int kHostSocket = 3;

/// `error` is empty if the function returned.
struct HostReply {
  std::string error;
  std::vector<HostOutput> outputs;
};

[[nodiscard]] std::vector<std::byte> encode(const HostCall& call);
[[nodiscard]] std::vector<std::byte> encode(const HostReply& reply);

/// Both functions throw std::runtime_error for a message that is cut off.
[[nodiscard]] HostCall decode_call(std::span<const std::byte> message);
[[nodiscard]] HostReply decode_reply(std::span<const std::byte> message);

}  // namespace warpcheck::operation
