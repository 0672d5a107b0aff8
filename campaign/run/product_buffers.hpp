// The buffers and the factors of a product of matrices.
#pragma once

#include "campaign/run/buffer_adder.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {

/// Sets alpha and beta as the kernel receives them, adds the buffers of the matrices and of the
/// bias, and sets the number of the output.
void add_matrices(Problem& problem, BufferAdder& adder);

/// Returns the warp instructions that a simple kernel may execute for the case.
[[nodiscard]] double most_product_instructions(const Case& problem);

}  // namespace warpcheck::campaign::run
