// Finds the known word that a mistyped word is closest to, for "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

/// The candidate with the smallest edit distance (insertions, deletions, substitutions, swaps of
/// neighbours); empty if it differs in more than a third of its letters.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

/// "unknown key 'blok': did you mean 'block'?", or the list of known words if none is close.
[[nodiscard]] std::string unknown(std::string_view kind, std::string_view word,
                                  std::span<const std::string_view> known);

}  // namespace warpcheck
