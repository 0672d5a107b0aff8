// Kernels that may begin before the preceding one has completed (programmatic dependent launch).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "report/finding/message.hpp"
#include "tests/kernels/law_on_source.hpp"

namespace warpcheck::campaign {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Rows of x times a weight for each column, with one block for each row.
constexpr const char* kScaled = R"cu(/* warpcheck
[[operation]]
name    = "scaled"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] }, w = { shape = ["columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = x[i,j] * w[j]"

[[variant]]
name        = "scaled"
kernel      = "scaled"
operation   = "scaled"
arch        = "sm_90"
arguments   = ["x", "w", "y", "rows", "columns", "workspace"]
workspace   = { bytes = 4, zeroed = true }
block       = [64]
grid        = ["rows"]
requires    = ["rows >= 1 and rows <= 64 and columns <= 64"]
predecessor = PREDECESSOR
*/
#include <cuda_pipeline.h>
__global__ void scaled(const float* x, const float* w, float* y, int rows, int columns, int* flag) {
  __shared__ float row[64];
  const int j = threadIdx.x;
  const bool is_inside = j < columns;
  const int at = blockIdx.x * columns + j;
  BODY
}
)cu";

constexpr const char* kBoth = "{ writes = [\"x\"], reads = [\"y\"] }";

class Predecessor : public LawOnSource {
 protected:
  CheckedLaw check_source(const std::string& body, const std::string& predecessor = kBoth) {
    return LawOnSource::check_source(
        replaced_all(replaced_all(kScaled, "PREDECESSOR", predecessor), "BODY", body),
        "waits-for-the-predecessor");
  }
  void expect_pass(const std::string& body, const std::string& predecessor = kBoth) {
    expect_holds(check_source(body, predecessor));
  }
  void expect_race(const std::string& body, const std::string& message) {
    const CheckedLaw checked = check_source(body);
    ASSERT_TRUE(checked.finding) << body;
    EXPECT_EQ(checked.finding->kind, FindingClass::race);
    EXPECT_THAT(report::message_text(*checked.finding), ContainsRegex(message)) << body;
    EXPECT_NE(checked.finding->source.line, 0U);
  }
};

TEST_F(Predecessor, AccessesAfterTheWaitPass) {
  expect_pass("cudaGridDependencySynchronize(); if (is_inside) y[at] = x[at] * w[j];");
}

TEST_F(Predecessor, OtherOperandsMayBeReadBeforeTheWait) {
  expect_pass(
      "const float weight = is_inside ? w[j] : 0.0f; cudaGridDependencySynchronize(); "
      "if (is_inside) y[at] = x[at] * weight;");
}

TEST_F(Predecessor, OneThreadOfABlockMayWait) {
  expect_pass(
      "if (j == 0) cudaGridDependencySynchronize(); __syncthreads(); "
      "if (is_inside) y[at] = x[at] * w[j];");
}

TEST_F(Predecessor, OneLaneOfAWarpMayWait) {
  expect_pass(
      "if (j % 32 == 0) cudaGridDependencySynchronize(); __syncwarp(); "
      "if (is_inside) y[at] = x[at] * w[j];");
}

TEST_F(Predecessor, AWaitOfAnotherThreadWithoutABarrierIsARace) {
  expect_race("if (j == 0) cudaGridDependencySynchronize(); if (is_inside) y[at] = x[at] * w[j];",
              "reads element [0-9]+ of x before griddepcontrol.wait");
  expect_race(
      "if (j < 32) cudaGridDependencySynchronize(); __syncwarp(); "
      "if (is_inside) y[at] = x[at] * w[j];",
      "reads element [0-9]+ of x before griddepcontrol.wait");
}

TEST_F(Predecessor, AnotherBlockMayWaitAndSetAFlag) {
  const auto body = [](const char* acquire) {
    return std::string(
               "if (j == 0 && blockIdx.x == 0) { cudaGridDependencySynchronize(); "
               "__threadfence(); atomicExch(flag, 1); } "
               "if (j == 0) while (atomicAdd(flag, 0) == 0); ") +
           acquire + "__syncthreads(); if (is_inside) y[at] = x[at] * w[j];";
  };
  expect_pass(body("__threadfence(); "));
  expect_race(body(""), "reads element [0-9]+ of x before griddepcontrol.wait");
}

TEST_F(Predecessor, OperandsThatItReadsMayBeReadBeforeTheWait) {
  expect_pass(
      "const float value = is_inside ? x[at] : 0.0f; cudaGridDependencySynchronize(); "
      "if (is_inside) y[at] = value * w[j];",
      "{ reads = [\"x\", \"y\"] }");
}

TEST_F(Predecessor, ReadsBeforeTheWaitAreRaces) {
  expect_race(
      "const float value = is_inside ? x[at] : 0.0f; cudaGridDependencySynchronize(); "
      "if (is_inside) y[at] = value * w[j];",
      "reads element [0-9]+ of x before griddepcontrol.wait");
}

TEST_F(Predecessor, CopiesBeforeTheWaitAreRaces) {
  expect_race(
      "if (is_inside) __pipeline_memcpy_async(row + j, x + at, 4); __pipeline_commit(); "
      "cudaGridDependencySynchronize(); __pipeline_wait_prior(0); "
      "if (is_inside) y[at] = row[j] * w[j];",
      "reads element [0-9]+ of x");
}

TEST_F(Predecessor, WritesBeforeTheWaitAreRaces) {
  expect_race(
      "if (is_inside) y[at] = 0.0f; cudaGridDependencySynchronize(); "
      "if (is_inside) y[at] = x[at] * w[j];",
      "writes element [0-9]+ of y before griddepcontrol.wait");
}

TEST_F(Predecessor, KernelsWithoutAWaitRace) {
  expect_race("if (is_inside) y[at] = x[at] * w[j];", "before griddepcontrol.wait");
}

TEST_F(Predecessor, OfUnknownOperandsIsAnError) {
  for (const char* wrong : {R"({ writes = ["z"] })", R"({ writes = "x" })", R"({ write = ["x"] })",
                            R"(["x"])", R"({ reads = [1] })"}) {
    EXPECT_THROW((void)check_source("", wrong), InputError) << wrong;
  }
}

TEST_F(Predecessor, OfMatricesThatAreNoArgumentIsAnError) {
  const std::string source = R"cu(/* warpcheck
[[variant]]
name        = "copy"
kernel      = "copy"
operation   = "gemm"
arguments   = ["a", "b", "c", "m", "n", "k"]
block       = [64]
grid        = [1]
predecessor = { writes = ["d"] }
*/
__global__ void copy(const float* a, const float* b, float* c, int m, int n, int k) {}
)cu";
  try {
    (void)variant(source);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no argument of the kernel is 'd'"));
  }
}

}  // namespace
}  // namespace warpcheck::campaign
