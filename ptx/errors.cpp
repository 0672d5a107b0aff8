#include "ptx/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpcheck::ptx {
namespace {

/// Lines of a binary file or of a generated text can be megabytes long.
constexpr std::size_t kLongestExcerpt = 160;

/// The printable text of the line; empty if the place is beyond the length of an excerpt.
std::string excerpt(std::string_view text, Place place) {
  if (place.column > kLongestExcerpt) return {};
  std::string line(line_of(text, place.line).substr(0, kLongestExcerpt));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return (c < ' ' && c != '\t') || c > '~'; }, '?');
  return line;
}

}  // namespace

void Errors::add(Place place, std::string message) {
  if (full()) return;
  if (diagnostics_.size() == kLimit) message = fmt::format("more than {} errors", kLimit);
  diagnostics_.push_back(
      {{file_, place.line, place.column}, std::move(message), excerpt(text_, place)});
}

void Errors::throw_if_any() {
  if (diagnostics_.empty()) return;
  // Undeclared names are found only at the end of their scope.
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& left, const Diagnostic& right) {
                     return std::tie(left.where.line, left.where.column) <
                            std::tie(right.where.line, right.where.column);
                   });
  throw InputError(std::move(diagnostics_));
}

}  // namespace warpcheck::ptx
