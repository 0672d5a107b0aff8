#include "reference/evaluate/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reference/evaluate/tensor_evaluation.hpp"

namespace warpcheck::reference {

void require_definition(const operation::Operation& operation) {
  if (!operation.statements.empty()) return;
  throw InputError(Diagnostic{operation.where,
                              fmt::format("operation '{}' has no reference: expected the key "
                                          "`define` or `reference`, or a function of the program "
                                          "that uses the library",
                                          operation.name),
                              {}});
}

bool ExpectedTensor::accepts(const Bounded& expected, double got) const {
  const auto [middle, error] = expected;
  if (std::isinf(error)) return true;
  if (std::isnan(middle)) return std::isnan(got);
  if (std::isinf(middle)) return got == middle;
  if (std::isinf(got)) {
    return std::signbit(got) == std::signbit(middle) &&
           std::abs(middle) + error >= overflow_threshold;
  }
  return std::abs(got - middle) <= error;
}

bool ExpectedTensor::accepts(std::size_t element, double got) const {
  return accepts(nearest(element, got), got);
}

Bounded ExpectedTensor::nearest(std::size_t element, double got) const {
  const auto found = alternatives.find(element);
  if (found == alternatives.end()) return {value.values[element], tolerance[element]};
  for (const Bounded& alternative : found->second) {
    if (accepts(alternative, got)) return alternative;
  }
  return found->second.front();
}

ExpectedTensors evaluate(const TensorProblem& problem) {
  return TensorEvaluation(problem).take_outputs();
}

}  // namespace warpcheck::reference
