// The contents of the matrices, and the factors of a product of matrices.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {

/// The contents of an operand before the launch.
struct Contents {
  std::optional<std::span<const double>> values;  // empty: poison
  bool is_readable = false;                       // the kernel may read the poison
};

/// Sets alpha and beta as the kernel receives them.
void receive_factors(Problem& problem);

[[nodiscard]] Contents matrix_contents(const Problem& problem, std::string_view operand);

}  // namespace warpcheck::campaign::run
