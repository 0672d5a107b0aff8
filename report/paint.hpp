// Colour on a terminal, nothing elsewhere.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warpcheck::report {

/// The SGR parameters of ECMA-48 that the console uses.
enum class Ink { bold = 1, faint = 2, red = 31, green = 32, yellow = 33 };

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  [[nodiscard]] std::string operator()(Ink ink, std::string_view text) const {
    if (!on_) return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", static_cast<int>(ink), text);
  }

 private:
  bool on_;
};

}  // namespace warpcheck::report
