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

bool ExpectedTensor::accepts(std::size_t element, double got) const {
  return includes(nearest(element, got), got);
}

Bounded ExpectedTensor::nearest(std::size_t element, double got) const {
  const auto found = alternatives.find(element);
  if (found == alternatives.end()) return {value.values[element], tolerance[element]};
  for (const Bounded& alternative : found->second) {
    if (includes(alternative, got)) return alternative;
  }
  return found->second.front();
}

Bounded ExpectedTensor::all_values(std::size_t element) const {
  Bounded all{value.values[element], tolerance[element]};
  const auto found = alternatives.find(element);
  if (found == alternatives.end()) return all;
  for (const Bounded& alternative : found->second) all.specials |= specials_of(alternative);
  return all;
}

ExpectedTensors evaluate(const TensorProblem& problem) {
  return TensorEvaluation(problem).take_outputs();
}

}  // namespace warpcheck::reference
