// The formatted output of device code: printf (CUDA C++ Programming Guide, "Formatted Output").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpcheck::isa {

/// The arguments of a printf, in their order.
struct PrintfArguments {
  /// The next argument of 4 or 8 bytes, each on its natural boundary.
  std::function<std::uint64_t(std::size_t size)> next;
  /// The zero-terminated text at an address.
  std::function<std::string(std::uint64_t address)> text;
};

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  // that the format consumed, which is what printf returns
};

/// Formats as printf of the C library does. A width or precision beyond 4,095 is cut to it.
[[nodiscard]] Printed format_printf(std::string_view format, const PrintfArguments& arguments);

}  // namespace warpcheck::isa
