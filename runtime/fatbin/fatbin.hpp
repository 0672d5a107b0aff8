// Reader of fat binaries: the containers in which nvcc embeds the PTX and the machine code of a
// source file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpcheck::runtime {

struct EmbeddedPtx {
  std::string text;
  unsigned architecture = 0;  // 80: compute_80
};

/// The size in bytes of the container that begins with these 16 bytes; empty if they are not the
/// header of one.
[[nodiscard]] std::optional<std::uint64_t> container_size(std::span<const std::byte> header);

/// Returns the PTX for a device of an architecture: the highest version that is at most
/// `architecture`, else the lowest version. Its architecture is that of the machine code of the
/// container that the device executes, if there is some. Throws InputError with the option of nvcc
/// to add if there is no PTX.
[[nodiscard]] EmbeddedPtx best_ptx(std::span<const std::byte> container, unsigned architecture);

}  // namespace warpcheck::runtime
