// "did you mean": the known word that a mistyped one is nearest to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

/// The candidate fewest edits (insertions, deletions, substitutions, swaps of neighbours) away;
/// empty where even that one differs in more than a third of its letters.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

/// "unknown key 'blok': did you mean 'block'?", or, where nothing is near, the list of known words.
[[nodiscard]] std::string unknown(std::string_view kind, std::string_view word,
                                  std::span<const std::string_view> known);

}  // namespace warpcheck
