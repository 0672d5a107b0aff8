#include "device/virtual/isa/control/printf_format.hpp"

#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace warpcheck::isa {
namespace {

constexpr std::uint64_t kWidest = 4095;  // largest width in characters that C17 7.21.6.1 guarantees

/// One conversion, such as "%-8.3lld".
struct Conversion {
  std::string flags;   // "-8.3"
  std::string text;    // spelling in the format
  unsigned bytes = 4;  // size of an integer
  char kind = 0;       // 0: the format ends within the conversion
};

class Formatter {
 public:
  Formatter(std::string_view format, const PrintfArguments& arguments)
      : format_(format), arguments_(arguments) {}

  Printed run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        printed_.text += format_[at_++];
        continue;
      }
      const Conversion conversion = parse();
      printed_.text += convert(conversion);
    }
    return std::move(printed_);
  }

 private:
  std::uint64_t next(std::size_t size) {
    ++printed_.arguments;
    return arguments_.next(size);
  }

  [[nodiscard]] char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }
  bool accept(char expected) {
    if (peek() != expected) return false;
    ++at_;
    return true;
  }

  /// A number or `*`; empty if there is neither.
  std::optional<std::int64_t> number() {
    if (accept('*')) return static_cast<std::int32_t>(next(4));
    if (peek() < '0' || peek() > '9') return std::nullopt;
    std::uint64_t value = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      value = std::min(10 * value + static_cast<std::uint64_t>(peek() - '0'), kWidest);
    }
    return static_cast<std::int64_t>(value);
  }

  static std::string cut(std::int64_t value) {
    return fmt::format("{}", std::min(static_cast<std::uint64_t>(value), kWidest));
  }

  Conversion parse() {
    Conversion conversion;
    const std::size_t begin = at_++;
    while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos) {
      if (conversion.flags.find(peek()) == std::string::npos) conversion.flags += peek();
      ++at_;
    }
    if (const auto width = number()) {
      if (*width < 0 && conversion.flags.find('-') == std::string::npos) conversion.flags += '-';
      conversion.flags += cut(*width < 0 ? -*width : *width);
    }
    if (accept('.')) {
      const std::int64_t precision = number().value_or(0);
      // A negative precision counts as no precision (C17 7.21.6.1).
      if (precision >= 0) conversion.flags += "." + cut(precision);
    }
    for (; peek() != '\0' && std::string_view("hlzjtL").find(peek()) != std::string_view::npos;
         ++at_) {
      if (peek() != 'h') {
        conversion.bytes = 8;
      } else {
        conversion.bytes = conversion.bytes == 2 ? 1 : 2;
      }
    }
    if (at_ < format_.size()) conversion.kind = format_[at_++];
    conversion.text = format_.substr(begin, at_ - begin);
    return conversion;
  }

  template <class T>
  static std::string formatted(const Conversion& conversion, char kind, const T& value) {
    try {
      return fmt::sprintf("%" + conversion.flags + kind, value);
    } catch (const fmt::format_error&) {  // the C library leaves this combination undefined
      return conversion.text;
    }
  }

  std::string convert(const Conversion& conversion) {
    switch (conversion.kind) {
      case '%':
        return "%";
      case 'd':
      case 'i':
        return formatted(conversion, 'd', signed_integer(conversion.bytes));
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        return formatted(conversion, conversion.kind, unsigned_integer(conversion.bytes));
      case 'c':
        return formatted(conversion, 'c', static_cast<char>(next(4)));
      case 'p':
        return formatted(conversion, 's', fmt::format("{:#x}", next(8)));
      case 's':
        return formatted(conversion, 's', arguments_.text(next(8)));
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const std::uint64_t bits = next(8);
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        return formatted(conversion, conversion.kind, value);
      }
      default:
        return conversion.text;
    }
  }

  /// Returns an integer. One of less than 4 bytes is passed as 4 bytes and truncated.
  std::uint64_t unsigned_integer(unsigned bytes) {
    const std::uint64_t bits = next(std::max(bytes, 4U));
    return bytes == 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
  }
  std::int64_t signed_integer(unsigned bytes) {
    const unsigned unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(unsigned_integer(bytes) << unused) >> unused;
  }

  std::string_view format_;
  const PrintfArguments& arguments_;
  std::size_t at_ = 0;
  Printed printed_;
};

}  // namespace

Printed format_printf(std::string_view format, const PrintfArguments& arguments) {
  return Formatter(format, arguments).run();
}

}  // namespace warpcheck::isa
