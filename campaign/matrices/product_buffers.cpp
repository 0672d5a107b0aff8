#include "campaign/run/product_buffers.hpp"

#include "campaign/run/launches.hpp"

namespace warpcheck::campaign::run {

using contract::ArgumentWord;

void receive_factors(Problem& problem) {
  problem.alpha = received_factor(problem, ArgumentWord::alpha, problem.line.number("alpha"));
  problem.beta = received_factor(problem, ArgumentWord::beta, problem.line.number("beta"));
}

Contents matrix_contents(const Problem& problem, std::string_view operand) {
  if (operand == "A") return {problem.operands.a.values};
  if (operand == "B") return {problem.operands.b.values};
  if (operand == "bias") return {problem.operands.bias.values};
  if (operand == "D") return {};
  if (problem.c_has_values()) return {problem.operands.c.values};
  return {std::nullopt, problem.may_read_c()};
}

}  // namespace warpcheck::campaign::run
