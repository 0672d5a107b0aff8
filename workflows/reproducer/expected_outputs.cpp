#include "workflows/reproducer/expected_outputs.hpp"

#include <cmath>
#include <cstdint>

#include "campaign/case/placement.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

using campaign::Placement;
using campaign::run::Problem;

/// `accepts` returns true for a correct value of the element.
template <class Accepts>
ExpectedElement element(const Placement& place, std::int64_t row, std::int64_t column,
                        const reference::Bounded& values, const Accepts& accepts) {
  return {place.element(row, column), place.index_of(row, column), values.value,      values.error,
          accepts(std::nan("")),      accepts(HUGE_VAL),           accepts(-HUGE_VAL)};
}

/// The products of a batch, one after the other.
ExpectedOutput expected_product(const Problem& problem) {
  const Placement& place = problem.layouts.output();
  ExpectedOutput output{problem.output, place.type, {}};
  for (std::int64_t number = 0; number < place.batch; ++number) {
    const reference::Expected expected =
        reference::gemm(campaign::run::reference_problem(problem, number));
    for (std::int64_t row = 0; row < place.rows; ++row) {
      for (std::int64_t column = 0; column < place.columns; ++column) {
        output.elements.push_back(
            element(place, number * place.rows + row, column, expected.element(row, column),
                    [&](double got) { return expected.accepts(row, column, got); }));
      }
    }
  }
  return output;
}

ExpectedOutput expected_tensor(const Placement& place, std::size_t buffer,
                               const reference::ExpectedTensor& expected) {
  ExpectedOutput output{buffer, place.type, {}};
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    for (std::int64_t column = 0; column < place.columns; ++column) {
      const auto at = static_cast<std::size_t>(row * place.columns + column);
      output.elements.push_back(element(place, row, column, expected.all_values(at),
                                        [&](double got) { return expected.accepts(at, got); }));
    }
  }
  return output;
}

}  // namespace

std::vector<ExpectedOutput> expected_outputs(const Problem& problem) {
  if (problem.variant->contract.tensors == nullptr) return {expected_product(problem)};
  const reference::ExpectedTensors expected =
      reference::evaluate(campaign::run::tensor_problem(problem));
  std::vector<ExpectedOutput> outputs;
  const auto add = [&](const Placement& place, std::size_t buffer) {
    outputs.push_back(expected_tensor(place, buffer, expected.find(place.name)->second));
  };
  add(problem.layouts.output(), problem.output);
  for (const std::size_t other : problem.other_outputs) {
    add(problem.layouts.operands[other], other);
  }
  return outputs;
}

}  // namespace warpcheck::workflows::reproducer
