// The errors of one text, as they are found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "ptx/module.hpp"

namespace warpcheck::ptx {

class Errors {
 public:
  /// A text with more errors than this is not PTX with mistakes but something else.
  static constexpr std::size_t kLimit = 20;

  Errors(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// Keeps the error with the line it points into; beyond the limit, says so once and keeps no
  /// more.
  void add(Place place, std::string message);

  [[nodiscard]] bool full() const { return diagnostics_.size() > kLimit; }
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }

  /// Throws InputError with all errors in the order of the text, if there are any.
  void throw_if_any();

 private:
  std::string_view text_;
  std::string file_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace warpcheck::ptx
