// What every fuzz target shares: its entry, and how it says that something is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Does with an input what the target is about; any input will do. Returns 0; aborts, after saying
/// why, where something holds that must not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpcheck::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view{}
                   : std::string_view(reinterpret_cast<const char*>(data), size);
}

/// Says what is wrong and aborts.
[[noreturn]] void fail(std::string_view message);

}  // namespace warpcheck::fuzz
