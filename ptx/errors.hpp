// Collects the errors of one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "ptx/module.hpp"

namespace warpcheck::ptx {

class Errors {
 public:
  /// The number of errors that are kept: a text with more is probably not PTX.
  static constexpr std::size_t kLimit = 20;

  Errors(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// Keeps the error with an excerpt of its line. The first error beyond the limit is replaced by
  /// one that reports the limit; later ones are dropped.
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
