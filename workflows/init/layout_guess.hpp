// Guesses whether A, B and C are stored by rows or by columns, from the index expressions of a
// kernel.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

struct LayoutGuess {
  std::array<bool, 3> column{};  // true for each of A, B and C that lies by columns
  std::array<bool, 3> seen{};    // true: an index expression shows it
};

/// `names` are the parameters of the kernel, `words` their argument words.
[[nodiscard]] LayoutGuess guess_layout(Tokens body, const std::string& kernel,
                                       const std::vector<std::string>& names,
                                       const std::vector<std::string>& words);

/// All eight combinations: first the guess, then those that differ in operands that no index
/// expression shows.
[[nodiscard]] std::vector<std::array<bool, 3>> layouts_by_likelihood(const LayoutGuess& guess);

}  // namespace warpcheck::workflows::init
