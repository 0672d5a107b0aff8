// The launches of a problem's job.
#pragma once

#include <string_view>

#include "campaign/run/problem.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::run {

/// Returns the value of alpha or beta that the kernel receives. It is rounded to the type of the
/// accumulator, so that computations in that type do not round it again, and to the type of the
/// parameter. Throws InputError if the value is not finite.
[[nodiscard]] double received_factor(const Problem& problem, contract::ArgumentWord word,
                                     double value);

/// Sets the scalars of an operation of the language as the kernel receives them: rounded to the
/// type of their parameter.
void receive_scalars(Problem& problem);

/// Appends the launches of the contract that apply to the case, with their arguments. The buffers
/// come first.
void add_launches(Problem& problem);

/// Evaluates an expression of the contract for the case. Throws InputError if it has no value.
[[nodiscard]] std::int64_t evaluated(const Problem& problem, const contract::Expression& expression,
                                     std::string_view what);

}  // namespace warpcheck::campaign::run
