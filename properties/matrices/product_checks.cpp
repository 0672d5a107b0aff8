// Properties of the product of matrices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "properties/checks/comparison.hpp"
#include "properties/checks/property_checks.hpp"
#include "properties/checks/relations.hpp"

namespace warpcheck::properties::checks {
namespace {

using contract::Contract;

/// Small exponents without a pattern of their own, the same for every run.
int scale_of(std::int64_t index, int range) {
  const std::uint64_t hash = fibonacci_hash(static_cast<std::uint64_t>(index) + 1);
  return static_cast<int>((hash >> 40) % static_cast<std::uint64_t>(range + 1));
}

/// The powers of two with the exponents scale_of(first), scale_of(first + 1) ...
std::vector<double> powers_of_two(std::int64_t count, std::int64_t first, int range) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < count; ++i) {
    all.push_back(std::ldexp(1.0, scale_of(first + i, range)));
  }
  return all;
}

}  // namespace

namespace check {

PropertyResult beta_zero_ignores_c(run::Runner& runner, const Case& line) {
  run::Poison nan;
  nan.output_reads_are_findings = false;
  run::Poison large = nan;
  large.output = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  return compare(runner, poisoned(runner, line, operands, large),
                 poisoned(runner, line, operands, nan),
                 {FindingClass::wrong_result, "a large number in C", "NaN in C", {}, {}});
}

PropertyResult alpha_zero_ignores_a_and_b(run::Runner& runner, const Case& line) {
  run::Operands values = run::operands(runner.variant().contract, line);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::fill(values.a.values.begin(), values.a.values.end(), kNan);
  std::fill(values.b.values.begin(), values.b.values.end(), kNan);
  return run_and_compare(runner, run::make_problem(runner.variant(), line, std::move(values),
                                                   run::usual_poison(line)));
}

PropertyResult power_of_two_scaling(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  // D grows by up to 2^(2 range): three bits each way where the formats are wide.
  const int range = size_of(contract.type_a) >= 4 && size_of(contract.type_b) >= 4 ? 3 : 1;
  const int inner = range == 3 ? range : 0;
  const run::Operands original = run::operands(contract, line);
  run::Operands scaled = original;
  const std::vector<double> by_k = powers_of_two(line.k, 0, inner);
  const Scaling scaling{powers_of_two(scaled.a.rows, 0, range), powers_of_two(line.n, 7, range)};
  for (std::int64_t i = 0; i < scaled.a.rows; ++i) {
    for (std::size_t p = 0; p < by_k.size(); ++p) {
      scaled.a(i, static_cast<std::int64_t>(p)) *=
          scaling.rows[static_cast<std::size_t>(i)] * by_k[p];
    }
  }
  for (std::int64_t p = 0; p < scaled.b.rows; ++p) {
    const double by_row = 1.0 / by_k[static_cast<std::size_t>(p % line.k)];
    for (std::size_t j = 0; j < scaling.columns.size(); ++j) {
      scaled.b(p, static_cast<std::int64_t>(j)) *= scaling.columns[j] * by_row;
    }
  }
  const run::Poison poison = run::usual_poison(line);
  return compare(runner, poisoned(runner, line, original, poison),
                 poisoned(runner, line, std::move(scaled), poison),
                 {FindingClass::wrong_result,
                  "the operands as generated, scaled afterwards",
                  "operands scaled by powers of two",
                  {},
                  scaling});
}

PropertyResult permuting_rows(run::Runner& runner, const Case& line) {
  const run::Operands original = run::operands(runner.variant().contract, line);
  run::Operands permuted = original;
  const auto source = [m = line.m](std::int64_t row) { return row / m * m + m - 1 - row % m; };
  for (std::int64_t i = 0; i < permuted.a.rows; ++i) {
    for (std::int64_t p = 0; p < line.k; ++p) permuted.a(i, p) = original.a(source(i), p);
    if (original.c.values.empty()) continue;
    for (std::int64_t j = 0; j < line.n; ++j) permuted.c(i, j) = original.c(source(i), j);
  }
  const run::Poison poison = run::usual_poison(line);
  return compare(runner, poisoned(runner, line, original, poison),
                 poisoned(runner, line, std::move(permuted), poison),
                 {FindingClass::wrong_result,
                  "the rows in order",
                  "the rows of A and C reversed",
                  source,
                  {}});
}

PropertyResult wider_and_shifted(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  const Case moved = with_shifted_bases(contract, with_padding(contract, line));
  const run::Operands operands = run::operands(contract, line);
  return compare(runner, poisoned(runner, line, operands, run::usual_poison(line)),
                 poisoned(runner, moved, operands, run::usual_poison(moved)),
                 {FindingClass::wrong_result, "the layout as generated", to_line(moved), {}, {}});
}

}  // namespace check
}  // namespace warpcheck::properties::checks
