// The formatted output of device code: printf (CUDA C++ Programming Guide, "Formatted Output").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpcheck::isa {

/// The arguments of a printf, in order.
struct PrintfArguments {
  /// Returns the next argument of 4 or 8 bytes; each is on its natural boundary.
  std::function<std::uint64_t(std::size_t size)> next;
  /// Returns the zero-terminated text at an address.
  std::function<std::string(std::uint64_t address)> text;
};

struct Printed {
  std::string text;
  // Number of arguments that the format consumed, which printf returns.
  std::uint32_t arguments = 0;
};

/// Formats as printf of the C library does. A width or precision beyond 4,095 becomes 4,095.
[[nodiscard]] Printed format_printf(std::string_view format, const PrintfArguments& arguments);

}  // namespace warpcheck::isa
