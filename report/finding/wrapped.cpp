#include "report/finding/wrapped.hpp"

#include <algorithm>

namespace warpcheck::report {
namespace {

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // continuation bytes do not count
  }));
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width,
                                 std::size_t first_width) {
  std::vector<std::string> lines = {""};
  std::size_t left = first_width;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ', 1);  // a blank before the word belongs to it
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(word.size());
    if (characters(word) > left && !lines.back().empty()) {
      lines.emplace_back();
      left = width;
    }
    const bool begins = lines.size() > 1 && lines.back().empty();
    const std::string_view shown = begins && word.front() == ' ' ? word.substr(1) : word;
    lines.back() += shown;
    left -= std::min(left, characters(shown));
  }
  return lines;
}

}  // namespace warpcheck::report
