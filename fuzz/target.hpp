// Declares the entry point of a fuzz target, and its failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Checks one input, which may be any bytes. Returns 0. If the check fails, prints the reason and
/// aborts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpcheck::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view{}
                   : std::string_view(reinterpret_cast<const char*>(data), size);
}

/// Prints the message and aborts.
[[noreturn]] void fail(std::string_view message);

}  // namespace warpcheck::fuzz
