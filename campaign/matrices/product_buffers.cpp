#include "campaign/matrices/product_buffers.hpp"

#include "campaign/run/launches.hpp"

namespace warpcheck::campaign::run {

using contract::ArgumentWord;

void add_matrices(Problem& problem, BufferAdder& adder) {
  using device::Access;
  const Layouts& layouts = problem.layouts;
  const Operands& values = problem.operands;
  adder.add_values(Operand::a, layouts.a, values.a, Access::read_only);
  adder.add_values(Operand::b, layouts.b, values.b, Access::read_only);
  if (!layouts.d || problem.variant->contract.takes(ArgumentWord::c)) {
    const Access access = layouts.d ? Access::read_only : Access::read_write;
    if (problem.c_has_values()) {
      adder.add_values(Operand::c, layouts.c, values.c, access);
    } else {
      adder.add_poison(Operand::c, layouts.c, access, problem.may_read_c());
    }
  }
  if (layouts.d) adder.add_poison(Operand::d, *layouts.d, Access::read_write);
  problem.output = problem.job.buffers.size() - 1;
  if (layouts.bias) {
    adder.add_values(Operand::bias, *layouts.bias, values.bias, Access::read_only);
  }
}

void receive_factors(Problem& problem) {
  problem.alpha = received_factor(problem, ArgumentWord::alpha, problem.line.alpha);
  problem.beta = received_factor(problem, ArgumentWord::beta, problem.line.beta);
}

double most_product_instructions(const Case& problem) {
  constexpr double kLeast = 1 << 22;
  // Multiply-adds of the matrices, if one lane of a warp is active.
  constexpr double kPerMultiplyAdd = 16.0;
  // Multiply-adds of whole tiles, which all lanes compute.
  constexpr double kPerPaddedMultiplyAdd = 2.0;
  constexpr double kTile = 128.0;  // elements by which tiles may exceed m and n
  constexpr double kStep = 32.0;   // the same for k
  const auto extent = [](std::int64_t size, double more) {
    return static_cast<double>(size) + more;
  };
  const double own = extent(problem.m, 0) * extent(problem.n, 0) * extent(problem.k, 0);
  const double padded =
      extent(problem.m, kTile) * extent(problem.n, kTile) * extent(problem.k, kStep);
  const double work =
      static_cast<double>(problem.batch) * (kPerMultiplyAdd * own + kPerPaddedMultiplyAdd * padded);
  return kLeast + work;
}

}  // namespace warpcheck::campaign::run
