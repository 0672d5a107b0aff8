#include "base/closest_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpcheck {
namespace {

/// Optimal string alignment distance (Damerau 1964; Levenshtein 1966).
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> above(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substitution = above[j - 1] + (from[i - 1] != to[j - 1] ? 1 : 0);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[to.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  std::size_t fewest = 0;
  if (word.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    const std::size_t count = edits(word, candidate);
    const std::size_t allowed = std::max(word.size(), candidate.size()) / 3;
    if (count <= allowed && (!best || count < fewest)) {
      best = candidate;
      fewest = count;
    }
  }
  return best;
}

std::string unknown(std::string_view kind, std::string_view word,
                    std::span<const std::string_view> known) {
  if (const auto near = nearest(word, known)) {
    return fmt::format("unknown {} '{}': did you mean '{}'?", kind, word, *near);
  }
  return fmt::format("unknown {} '{}': expected one of {}", kind, word,
                     fmt::join(known.begin(), known.end(), ", "));
}

}  // namespace warpcheck
