// Problems generated from a recipe, with correct and wrong f32 results.
#pragma once

#include <cstdint>
#include <string>

#include "campaign/generate/data/data.hpp"
#include "reference/gemm.hpp"
#include "tests/reference/simulated_kernels.hpp"

namespace warpcheck::campaign::judge {

inline constexpr Recipe kRecipes[] = {Recipe::lattice,      Recipe::normal, Recipe::wide,
                                      Recipe::cancellation, Recipe::spikes, Recipe::onehot,
                                      Recipe::special};

inline std::string text(Recipe recipe) {
  return "recipe " + std::to_string(static_cast<int>(recipe));
}

inline Case case_of(Recipe recipe, std::int64_t m, std::int64_t n, std::int64_t k,
                    std::uint64_t seed, double alpha = 1.0, double beta = 0.0) {
  Case line;
  line.set_value("m", m);
  line.set_value("n", n);
  line.set_value("k", k);
  line.set_value("alpha", alpha);
  line.set_value("beta", beta);
  line.data = recipe;
  line.seed = seed;
  return line;
}

inline reference::Gemm generate_problem(const Case& line) {
  const generate::Data data(line);
  reference::Gemm problem;
  problem.a = data.matrix(generate::Operand::a);
  problem.b = data.matrix(generate::Operand::b);
  problem.c = data.matrix(generate::Operand::c);
  problem.alpha = line.number("alpha");
  problem.beta = line.number("beta");
  problem.mean_zero = generate::mean_zero(line.data);
  return problem;
}

inline reference::Gemm generate_problem(Recipe recipe, std::int64_t m, std::int64_t n,
                                        std::int64_t k, std::uint64_t seed, double alpha = 1.0,
                                        double beta = 0.0) {
  return generate_problem(case_of(recipe, m, n, k, seed, alpha, beta));
}

/// Returns the result of a correct kernel with one accumulator and ascending k.
inline reference::Matrix correct_answer(const reference::Gemm& problem) {
  return simulated::run({}, problem);
}

/// Returns the result of a kernel that omits the terms [begin, end).
inline reference::Matrix without_terms(reference::Gemm problem, std::int64_t begin,
                                       std::int64_t end) {
  const reference::Gemm& full = problem;
  const std::int64_t lost = end - begin;
  reference::Matrix a(full.a.rows, full.a.columns - lost);
  reference::Matrix b(full.b.rows - lost, full.b.columns);
  for (std::int64_t k = 0; k < a.columns; ++k) {
    const std::int64_t from = k < begin ? k : k + lost;
    for (std::int64_t i = 0; i < a.rows; ++i) a(i, k) = full.a(i, from);
    for (std::int64_t j = 0; j < b.columns; ++j) b(k, j) = full.b(from, j);
  }
  problem.a = a;
  problem.b = b;
  return correct_answer(problem);
}

}  // namespace warpcheck::campaign::judge
