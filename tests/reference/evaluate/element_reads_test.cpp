// The elements that a result reads against the evaluation with NaN in the others.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "reference/evaluate/tensor_evaluation.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

struct ReadDefinition {
  std::string text;
  std::vector<std::size_t> read;  // elements of x[4, 3] that the last element of y reads
  operation::Tensor output = {"y", {"rows", "columns"}};
};

const operation::Tensor kSumOfRow = {"y", {"rows"}};

// at[i] = 3 - i.
const std::vector<ReadDefinition> kReadDefinitions = {
    {"y[i,j] = scale * x[i,j] + w[j]", {11}},
    {"y[i,j] = x[at[i],j]", {2}},
    {"y[i,j] = sum(k in 3: x[i + k - 1,j] or 0)", {8, 11}},
    {"y[i] = sum(j: x[i,j] where j <= at[i])", {9}, kSumOfRow},
    {"y[i] = sum(j: x[i,j] where j < at[i])", {}, kSumOfRow},
    {"y[i] = sum(j: x[i,j] where x[0,j] > 100)", {0, 1, 2}, kSumOfRow},
    {"y[i] = max(j: x[i,j] * w[j])", {9, 10, 11}, kSumOfRow},
    {"y[i,j] = exp(x[i,j] - max(k: x[i,k])) / sum(k: exp(x[i,k] - max(l: x[i,l])))", {9, 10, 11}},
    {"z[i] = sum(j: x[i,j])\ny[i,j] = z[at[i]] * w[j]", {0, 1, 2}},
    {"y[i,j] = scan(j: (y[i,j - 1] or 0) + x[i,j])", {9, 10, 11}},
    {"z[i] = scan(i: (z[i - 1] or 0) / 2 + x[i,0])\ny[i,j] = z[i]", {0, 3, 6, 9}},
    {"y[i,j] = either(x[i,j], x[0,j] + w[j])", {2, 11}},
    {"y[i,j] = select(at[i] > 1, x[i,j], x[1,j])", {5}},
    {"y[i,j] = sum(k: x[k,0]) + sum(k: x[k,1]) + x[i,j]", {0, 1, 3, 4, 6, 7, 9, 10, 11}},
    {"z[i,j] = select(j <= i, x[i,j], 0)\ny[i,j] = sum(k: z[0,k] * w[k])", {0}},
};

TensorProblem problem_with_numbers(const operation::Operation& operation) {
  std::mt19937 random(7);
  const auto value = [&] { return std::ldexp(static_cast<double>(random() % 64) - 32.0, -3); };
  return problem_of(operation, 4, 3, value, 1.5);
}

TEST(ElementReads, AreThoseThatConditionsAndIndicesSelect) {
  for (const ReadDefinition& definition : kReadDefinitions) {
    SCOPED_TRACE(definition.text);
    const operation::Operation operation = over_rows(definition.text, definition.output);
    const TensorProblem problem = problem_with_numbers(operation);
    const TensorEvaluation evaluation(problem);
    const std::size_t last = evaluation.outputs().at("y").value.values.size() - 1;
    const ElementReads::Elements read = evaluation.elements_read("y", last);
    std::vector<std::size_t> x_reads;
    for (std::size_t i = 0; i < 12; ++i) {
      if (read.at("x")[i]) x_reads.push_back(i);
    }
    EXPECT_EQ(x_reads, definition.read);
  }
}

TEST(ElementReads, NanInTheOtherElementsChangesNoBit) {
  for (const ReadDefinition& definition : kReadDefinitions) {
    SCOPED_TRACE(definition.text);
    const operation::Operation operation = over_rows(definition.text, definition.output);
    const TensorProblem problem = problem_with_numbers(operation);
    const TensorEvaluation evaluation(problem);
    const ExpectedTensor& before = evaluation.outputs().at("y");
    for (std::size_t at = 0; at < before.value.values.size(); ++at) {
      const ElementReads::Elements read = evaluation.elements_read("y", at);
      TensorProblem changed = problem;
      for (const char* name : {"x", "w"}) {
        std::vector<double>& values = changed.inputs.at(name).values;
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (!read.at(name)[i]) values[i] = std::nan("");
        }
      }
      const ExpectedTensor after = evaluate(changed).at("y");
      EXPECT_EQ(after.value.values[at], before.value.values[at]) << at;
      EXPECT_EQ(after.tolerance[at], before.tolerance[at]) << at;
      EXPECT_FALSE(after.accepts(at, std::nan(""))) << at;
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
