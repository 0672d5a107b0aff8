#include "report/html/markup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

/// The code point at `at` if it is one of U+202A to U+202E and U+2066 to U+2069, encoded in UTF-8;
/// otherwise 0.
unsigned direction_mark(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '\xe2') return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned code = 0x2000U | (byte(1) & 0x3fU) << 6 | (byte(2) & 0x3fU);
  const bool is_mark = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return is_mark ? code : 0;
}

}  // namespace

std::string escaped(std::string_view given) {
  const std::string text = utf8(given);
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (c == '\'') {
      safe += "&#39;";
    } else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == '\x7f') {
      safe += "\xef\xbf\xbd";
    } else if (const unsigned mark = direction_mark(text, i); mark != 0) {
      safe += fmt::format("[U+{:04X}]", mark);
      i += 2;
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string short_number(double value) {
  return std::isinf(value) ? "infinite" : fmt::format("{:.3g}", value);
}

std::string element(std::string_view tag, std::string_view css_class, std::string_view text) {
  return fmt::format(R"(<{0} class="{1}">{2}</{0}>)", tag, css_class, escaped(text));
}

std::string cell(std::string_view heading, std::string_view content, std::string_view css_class) {
  return fmt::format("<td{} data-label=\"{}\">{}",
                     css_class.empty() ? "" : fmt::format(" class={}", css_class), heading,
                     content);
}

}  // namespace warpcheck::report::html
