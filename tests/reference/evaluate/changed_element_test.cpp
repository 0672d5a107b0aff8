// One changed element of an input against the evaluation of the whole changed problem.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "reference/evaluate/tensor_evaluation.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

/// True if no value of some element of the outputs is within the tolerances of both.
bool are_apart(const ExpectedTensors& one, const ExpectedTensors& other) {
  for (const auto& [name, expected] : one) {
    const ExpectedTensor& changed = other.at(name);
    for (std::size_t i = 0; i < expected.tolerance.size(); ++i) {
      const double x = expected.value.values[i];
      const double y = changed.value.values[i];
      const double tolerance = expected.tolerance[i] + changed.tolerance[i];
      if (std::isnan(x) != std::isnan(y) && std::isfinite(tolerance)) return true;
      if (std::abs(x - y) > tolerance) return true;
    }
  }
  return false;
}

/// Changes each element of each input, and returns how many changes show. Numbers change by
/// distances that are also close to the tolerances.
int expect_same_differences(const TensorProblem& problem) {
  int differences = 0;
  TensorEvaluation evaluation(problem);
  const ExpectedTensors before = evaluate(problem);
  const auto compare = [&](const std::string& name, std::size_t element, double value) {
    TensorProblem changed = problem;
    changed.inputs.at(name).values[element] = value;
    const bool differs = are_apart(before, evaluate(changed));
    EXPECT_EQ(evaluation.differs_with(name, element, value), differs)
        << name << " " << element << " is " << value;
    differences += differs ? 1 : 0;
  };
  for (const auto& [name, data] : problem.inputs) {
    for (std::size_t i = 0; i < data.values.size(); ++i) {
      const double value = data.values[i];
      compare(name, i, value == 0.0 ? 1.0 : 0.0);
      for (double distance = 0x1p-24; name != "at" && distance < 100.0; distance *= 1.3) {
        compare(name, i, round_to(ScalarType::f16, value + distance));
      }
    }
  }
  return differences;
}

struct Definition {
  std::string text;
  operation::Tensor output = {"y", {"rows", "columns"}};
};

const operation::Tensor kOneARow = {"y", {"rows"}};

// Each has elements that only some rows depend on.
const std::vector<Definition> kDefinitions = {
    {"y[i,j] = scale * x[i,j] + w[j]"},
    {"y[i,j] = x[at[i],j]"},
    {"y[i,j] = x[rows - 1 - i,j]"},
    {"y[i,j] = x[i // 2,j] - x[i % 2,columns - 1 - j]"},
    {"y[i,j] = sum(k in 3: x[i + k - 1,j] or 0)"},
    {"y[i] = sum(j: x[i,j] where j <= i)", kOneARow},
    {"y[i] = sum(j: 1000 * x[i,j] * w[j])", kOneARow},
    {"y[i] = max(j: x[i,j] * w[j])", kOneARow},
    {"y[i] = argmax(j: x[i,j])", {"y", {"rows"}, true}},
    {"y[i,j] = exp(x[i,j] - max(k: x[i,k])) / sum(k: exp(x[i,k] - max(l: x[i,l])))"},
    {"z[i] = sum(j: x[i,j] * x[i,j])\ny[i,j] = x[i,j] / sqrt(z[i] + 1)"},
    {"z[i] = sum(j: x[i,j])\ny[i,j] = z[at[i]] * w[j]"},
    {"y[i,j] = scan(j: (y[i,j - 1] or 0) + x[i,j])"},
    {"z[i] = scan(i: (z[i - 1] or 0) / 2 + x[i,0])\ny[i,j] = z[i]"},
    {"y[i,j] = either(x[i,j], x[i,j] + w[j])"},
    {"y[i,j] = select(at[i] > 1, x[i,j], w[j])"},
    {"y[i,j] = floor(x[i,j])"},
};

TensorProblem random_problem(const operation::Operation& operation, unsigned seed) {
  std::mt19937 random(seed);
  const auto value = [&] { return std::ldexp(static_cast<double>(random() % 64) - 32.0, -3); };
  return problem_of(operation, 4, 3, value, 1.5);
}

TEST(ChangedElement, DiffersAsInAnEvaluationOfEverything) {
  for (const Definition& definition : kDefinitions) {
    SCOPED_TRACE(definition.text);
    operation::Operation operation;
    try {
      operation = over_rows(definition.text, definition.output);
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    for (const ScalarType type : {ScalarType::f32, ScalarType::f16, ScalarType::s32}) {
      TensorProblem problem = random_problem(operation, 7);
      problem.tensor_cores = type == ScalarType::f16;
      problem.inputs.at("x").values[4] = 0x1p-20;  // subnormal, which raises the error of sums
      problem.types = {{"x", ScalarType::f16}, {"y", type}, {"z", ScalarType::f16}};
      const int differences = expect_same_differences(problem);
      if (type == ScalarType::f32) {
        EXPECT_GT(differences, 0);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
