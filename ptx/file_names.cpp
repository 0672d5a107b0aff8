#include "ptx/file_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::ptx {
namespace {

constexpr std::string_view kLetters = "bfnrt";
constexpr std::string_view kMeanings = "\b\f\n\r\t";

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// The byte of up to three octal digits at the beginning of `text`, which are removed.
char octal_byte(std::string_view& text) {
  unsigned value = 0;
  for (int i = 0; i < 3 && !text.empty() && is_octal(text.front()); ++i) {
    value = value * 8 + static_cast<unsigned>(text.front() - '0');
    text.remove_prefix(1);
  }
  return static_cast<char>(value);
}

/// The next `.file` that begins a line; npos if there is none.
std::size_t find_directive(std::string_view ptx, std::size_t from) {
  constexpr std::string_view kDirective = ".file";
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = ptx.find(kDirective, from); at != std::string_view::npos;
       at = ptx.find(kDirective, at + 1)) {
    const std::size_t before = ptx.substr(0, at).find_last_not_of(kBlanks);
    const bool begins_line = before == std::string_view::npos || ptx[before] == '\n';
    const std::size_t after = at + kDirective.size();
    const bool is_word = after < ptx.size() && kBlanks.find(ptx[after]) != std::string_view::npos;
    if (begins_line && is_word) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string decoded_string(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\' || text.empty()) {
      decoded += c;
    } else if (is_octal(text.front())) {
      decoded += octal_byte(text);
    } else {
      const std::size_t letter = kLetters.find(text.front());
      decoded += letter == std::string_view::npos ? text.front() : kMeanings[letter];
      text.remove_prefix(1);
    }
  }
  return decoded;
}

std::string encoded_string(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      encoded += '\\';
      encoded += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      encoded += fmt::format("\\{:03o}", byte);
    } else {
      encoded += c;
    }
  }
  return encoded;
}

std::string with_file_names(std::string_view ptx,
                            const std::function<std::string(const std::string&)>& rename) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = find_directive(ptx, 0); at != std::string_view::npos;
       at = find_directive(ptx, copied)) {
    const std::size_t end = std::min(ptx.find('\n', at + 1), ptx.size());
    const std::size_t opening = std::min(ptx.find('"', at), end);
    const std::size_t closing = ptx.rfind('"', end);
    result += ptx.substr(copied, at - copied);
    copied = end;
    if (opening >= closing) {
      result += ptx.substr(at, end - at);
      continue;
    }
    result += ptx.substr(at, opening + 1 - at);
    const std::string name = decoded_string(ptx.substr(opening + 1, closing - opening - 1));
    result += encoded_string(rename(name));
    result += ptx.substr(closing, end - closing);
  }
  result += ptx.substr(copied);
  return result;
}

}  // namespace warpcheck::ptx
