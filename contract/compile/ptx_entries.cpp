#include "contract/compile/ptx_entries.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

namespace warpcheck::contract {
namespace {

bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

/// Words (identifiers, directives, numbers) and single punctuation characters; no comments.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    skip_blanks();
    std::size_t end = position_;
    while (end < text_.size() && is_identifier(text_[end])) ++end;
    if (end == position_ && end < text_.size()) ++end;
    const std::string_view token = text_.substr(position_, end - position_);
    position_ = end;
    return token;
  }

 private:
  void skip_blanks() {
    for (;;) {
      position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size());
      const std::string_view two = text_.substr(position_, 2);
      if (two == "//") {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (two == "/*") {
        const std::size_t end = text_.find("*/", position_ + 2);
        position_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

/// The bytes of a fundamental type, ".u32" -> 4; 0 for any other word.
std::size_t bytes_of(std::string_view type) {
  if (type.size() < 3 || type[0] != '.') return 0;
  if (std::string_view("busf").find(type[1]) == std::string_view::npos) return 0;
  std::size_t bits = 0;
  const auto [stop, error] = std::from_chars(type.data() + 2, type.data() + type.size(), bits);
  return error == std::errc() && stop == type.data() + type.size() ? bits / 8 : 0;
}

/// `.param .align 8 .b8 name[24]` up to the comma or closing parenthesis, which is returned.
std::string_view read_parameter(Scanner& scanner, Parameter& parameter) {
  std::string_view token = scanner.next();
  while (!token.empty() && token != "," && token != ")") {
    if (token == ".align") {
      scanner.next();
    } else if (const std::size_t bytes = bytes_of(token); bytes != 0) {
      parameter.bytes = bytes;
      parameter.floating = token[1] == 'f';
    } else if (token == "[") {
      const std::string_view count = scanner.next();
      std::size_t elements = 0;
      std::from_chars(count.data(), count.data() + count.size(), elements);
      parameter.bytes *= elements;
    }
    token = scanner.next();
  }
  return token;
}

}  // namespace

std::vector<Entry> entries_of(std::string_view ptx) {
  std::vector<Entry> entries;
  Scanner scanner(ptx);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    if (token != ".entry") continue;
    Entry entry;
    entry.name = scanner.next();
    if (scanner.next() == "(") {
      for (std::string_view end = ","; end == ",";) {
        Parameter parameter;
        end = read_parameter(scanner, parameter);
        if (parameter.bytes != 0) entry.parameters.push_back(parameter);
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text && name.starts_with("_Z") ? text.get() : name;
}

}  // namespace warpcheck::contract
