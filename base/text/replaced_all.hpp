#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

/// Replaces each occurrence of `what`, which must not be empty.
[[nodiscard]] inline std::string replaced_all(std::string text, std::string_view what,
                                              std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace warpcheck
