#include "device/virtual/isa/system_calls.hpp"

#include <fmt/format.h>
#include <fmt/printf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Warp;

/// Reads `size` bytes at a generic address of one lane; empty if they are not all in memory.
std::optional<std::uint64_t> read(Warp& warp, unsigned lane, std::uint64_t address,
                                  std::size_t size) {
  Op generic;
  const machine::Container container = machine::locate(warp, generic, address);
  const std::uint64_t offset = address - container.base;
  if (container.bytes.size < size || offset > container.bytes.size - size) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, container.bytes.data + offset + lane * container.lane_stride, size);
  return value;
}

/// Reads a zero-terminated string at a generic address; ends with the memory.
std::string read_text(Warp& warp, unsigned lane, std::uint64_t address) {
  constexpr std::size_t kLongest = 4096;
  std::string text;
  while (text.size() < kLongest) {
    const auto character = read(warp, lane, address + text.size(), 1);
    if (!character || *character == 0) break;
    text += static_cast<char>(*character);
  }
  return text;
}

/// Argument number `index` of the call `op`, from the stack frame of the caller.
std::uint64_t argument(Warp& warp, const Op& op, unsigned lane, std::size_t index,
                       std::size_t size) {
  std::uint64_t value = 0;
  const std::size_t place =
      lane * warp.local_stride() + warp.frame().local_base + op.detail->elements[index].value;
  std::memcpy(&value, warp.local_data() + place, size);
  return value;
}

/// Writes a 32-bit result to the stack frame of the caller.
void write_result(Warp& warp, const Op& op, unsigned lane, std::size_t index, std::uint32_t value) {
  if (index >= op.detail->elements.size() || op.detail->elements[index] == machine::kNoSlot) return;
  const std::size_t place =
      lane * warp.local_stride() + warp.frame().local_base + op.detail->elements[index].value;
  std::memcpy(warp.local_data() + place, &value, sizeof value);
  std::memset(warp.local_shadow() + place, 0xff, sizeof value);
}

/// The arguments of a printf, consecutive in memory: integers of 4 or 8 bytes, doubles and
/// pointers of 8, each on its natural boundary (CUDA C++ Programming Guide, formatted output).
class Arguments {
 public:
  Arguments(Warp& warp, unsigned lane, std::uint64_t address)
      : warp_(warp), lane_(lane), address_(address) {}

  std::uint64_t next(std::size_t size) {
    address_ = (address_ + size - 1) / size * size;
    const std::uint64_t value = read(warp_, lane_, address_, size).value_or(0);
    address_ += size;
    return value;
  }

  [[nodiscard]] std::string next_text() { return read_text(warp_, lane_, next(8)); }

 private:
  Warp& warp_;
  unsigned lane_;
  std::uint64_t address_;
};

/// One conversion, "%-8.3lld": flags, width and precision; `is_long` for 8 bytes.
struct Conversion {
  std::string flags;
  bool is_long = false;
  char kind = 0;
};

Conversion next_conversion(std::string_view format, std::size_t& at, Arguments& arguments) {
  Conversion conversion;
  while (at < format.size()) {
    const char c = format[at++];
    if (c == '*') {
      conversion.flags += fmt::format("{}", static_cast<std::int32_t>(arguments.next(4)));
    } else if (std::string_view("0123456789.+- #").find(c) != std::string_view::npos) {
      conversion.flags += c;
    } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
      conversion.is_long = true;
    } else if (c != 'h') {
      conversion.kind = c;
      break;
    }
  }
  return conversion;
}

std::string convert(const Conversion& conversion, Arguments& arguments) {
  const std::string directive = "%" + conversion.flags;
  const std::size_t size = conversion.is_long ? 8 : 4;
  switch (conversion.kind) {
    case '%':
      return "%";
    case 'd':
    case 'i': {
      const std::uint64_t bits = arguments.next(size);
      const auto value = conversion.is_long ? static_cast<std::int64_t>(bits)
                                            : std::int64_t{static_cast<std::int32_t>(bits)};
      return fmt::sprintf(directive + "d", value);
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return fmt::sprintf(directive + conversion.kind, arguments.next(size));
    case 'c':
      return fmt::sprintf(directive + "c", static_cast<char>(arguments.next(4)));
    case 'p':
      return fmt::format("{:#x}", arguments.next(8));
    case 's':
      return fmt::sprintf(directive + "s", arguments.next_text());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const std::uint64_t bits = arguments.next(8);
      double value = 0.0;
      std::memcpy(&value, &bits, sizeof value);
      return fmt::sprintf(directive + conversion.kind, value);
    }
    default:
      return directive + conversion.kind;
  }
}

std::string formatted(std::string_view format, Arguments arguments) {
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    ++at;
    text += convert(next_conversion(format, at, arguments), arguments);
  }
  return text;
}

/// int vprintf(const char* format, void* arguments)
Flow print(Warp& warp, const Op& op) {
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const std::string format = read_text(warp, lane, argument(warp, op, lane, 0, 8));
    warp.block().printed +=
        formatted(format, Arguments(warp, lane, argument(warp, op, lane, 1, 8)));
    write_result(warp, op, lane, 2, 0);
  }
  return Flow::next;
}

/// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
/// size_t character_size)
Flow assertion_failed(Warp& warp, const Op& op) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.active()));
  return warp.fault(op, warp.active(), FindingClass::launch_failure,
                    fmt::format("{}:{}: assertion `{}` failed",
                                read_text(warp, lane, argument(warp, op, lane, 1, 8)),
                                argument(warp, op, lane, 2, 4),
                                read_text(warp, lane, argument(warp, op, lane, 0, 8))));
}

}  // namespace

machine::Handler system_call(std::string_view name) {
  if (name == "vprintf") return print;
  if (name == "__assertfail") return assertion_failed;
  return nullptr;
}

}  // namespace warpcheck::isa
