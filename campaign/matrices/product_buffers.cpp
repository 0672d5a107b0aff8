#include "campaign/run/product_buffers.hpp"

#include "campaign/case/product.hpp"
#include "campaign/run/launches.hpp"

namespace warpcheck::campaign::run {

using contract::ArgumentWord;

void add_matrices(Problem& problem, BufferAdder& adder) {
  using device::Access;
  problem.alpha = received_factor(problem, ArgumentWord::alpha, problem.line.number("alpha"));
  problem.beta = received_factor(problem, ArgumentWord::beta, problem.line.number("beta"));
  const std::vector<Placement>& places = problem.layouts.operands;
  const Operands& values = problem.operands;
  const auto number = [&](std::string_view name) {
    return static_cast<std::size_t>(problem.layouts.find(name) - places.data());
  };
  const bool has_d = places.back().name == "D";
  adder.add_values(number("A"), values.a.values, Access::read_only);
  adder.add_values(number("B"), values.b.values, Access::read_only);
  if (!has_d || problem.variant->contract.takes(ArgumentWord::c)) {
    const Access access = has_d ? Access::read_only : Access::read_write;
    if (problem.c_has_values()) {
      adder.add_values(number("C"), values.c.values, access);
    } else {
      adder.add_poison(number("C"), access, problem.may_read_c());
    }
  }
  if (has_d) adder.add_poison(number("D"), Access::read_write);
  problem.output = problem.job.buffers.size() - 1;
  if (problem.layouts.find("bias") != nullptr) {
    adder.add_values(number("bias"), values.bias.values, Access::read_only);
  }
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
  const Product product(problem);
  const double own = extent(product.m, 0) * extent(product.n, 0) * extent(product.k, 0);
  const double padded =
      extent(product.m, kTile) * extent(product.n, kTile) * extent(product.k, kStep);
  const double work =
      static_cast<double>(product.batch) * (kPerMultiplyAdd * own + kPerPaddedMultiplyAdd * padded);
  return kLeast + work;
}

}  // namespace warpcheck::campaign::run
