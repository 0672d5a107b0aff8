// Batch invariance of kernels of several operations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/diagnostic.hpp"
#include "tests/kernels/law_on_source.hpp"

namespace warpcheck::campaign {
namespace {

constexpr const char* kProduct = R"cu(/* warpcheck
[[variant]]
name            = "product"
kernel          = "product"
operation       = "gemm"
arguments       = ["a", "b", "c", "m", "n", "k", "batch", "lda", "ldc", "alpha", "beta"]
block           = [16, 16]
grid            = ["ceil_div(n, 16)", "ceil_div(m, 16)", "batch"]
requires        = ["m <= 64", "n <= 64", "k <= 64", "batch <= 4", "batch > 0"]
batch_invariant = true
*/
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k, int batch,
                        int lda, int ldc, float alpha, float beta) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  const size_t z = blockIdx.z;
  if (row >= m || column >= n) return;
  const size_t row_a = z * m + row;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const int p = (PLACE + i) % k;
    sum += a[row_a * lda + p] * b[(z * k + p) * n + column];
  }
  float& element = c[row_a * ldc + column];
  element = (alpha == 0 ? 0 : alpha * sum) + (beta == 0 ? 0 : beta * element);
}
)cu";

// y = x times the sum of its row; `heads` has one element for each row of a head.
constexpr const char* kRows = R"cu(/* warpcheck
[[operation]]
name    = "scaled_rows"
extents = ["heads", "rows", "columns"]
inputs  = { x = { shape = ["heads", "rows", "columns"] } }
outputs = { sums = { shape = ["heads", "rows"] }, y = { shape = ["heads", "rows", "columns"] } }
define  = "sums[h,i] = sum(j: x[h,i,j]) DEFINITION; y[h,i,j] = x[h,i,j] * sums[h,i]"

[[variant]]
name            = "scaled_rows"
kernel          = "scaled_rows"
operation       = "scaled_rows"
arguments       = ["x", "sums", "y", "heads", "rows", "columns"]
block           = [64]
grid            = ["ceil_div(heads * rows, 64)"]
requires        = ["heads * rows <= 4096", "columns <= 64"]
batch_invariant = ["rows", "heads"]
*/
__global__ void scaled_rows(const float* x, float* sums, float* y, int heads, int rows,
                            int columns) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= heads * rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + (PLACE + i) % columns];
  sum += ADDED;
  sums[row] = sum;
  for (int j = 0; j < columns; ++j) y[row * columns + j] = x[row * columns + j] * sum;
}
)cu";

class BatchInvariance : public LawOnSource {
 protected:
  CheckedLaw check_source(const std::string& source) {
    return LawOnSource::check_source(source, "batch-invariance");
  }

  static std::string rows(const std::string& place) {
    return replaced_all(replaced_all(replaced_all(kRows, "PLACE", place), "DEFINITION", ""),
                        "ADDED", "0");
  }
};

TEST_F(BatchInvariance, HoldsForAProductThatSumsEachElementAlike) {
  expect_holds(check_source(replaced_all(kProduct, "PLACE", "0")));
}

TEST_F(BatchInvariance, FailsIfTheOrderOfASumDependsOnRowsOrProducts) {
  for (const char* place : {"m", "row", "batch", "int(z)"}) {
    const CheckedLaw checked = check_source(replaced_all(kProduct, "PLACE", place));
    ASSERT_TRUE(checked.finding) << place;
    EXPECT_EQ(checked.finding->kind, FindingClass::wrong_result);
    EXPECT_THAT(checked.finding->message, testing::HasSubstr("with only ind")) << place;
  }
}

TEST_F(BatchInvariance, HoldsForSlicesOfEachExtentOfAnOperation) {
  expect_holds(check_source(rows("0")));
}

TEST_F(BatchInvariance, FailsIfTheOrderOfASumDependsOnOtherSlices) {
  for (const char* place : {"rows", "heads", "row % rows", "row / rows"}) {
    const CheckedLaw checked = check_source(rows(place));
    ASSERT_TRUE(checked.finding) << place;
    EXPECT_THAT(checked.finding->message, testing::HasSubstr("with only ind")) << place;
  }
}

TEST_F(BatchInvariance, OfSlicesThatDependOnTheirNumberIsAnError) {
  std::string source = replaced_all(replaced_all(kRows, "PLACE", "0"), "DEFINITION", "+ i");
  source = replaced_all(source, "ADDED", "row % rows");
  const CheckedLaw checked = check_source(source);
  EXPECT_TRUE(checked.failed);
  EXPECT_FALSE(checked.finding);
  EXPECT_THAT(checked.text, testing::HasSubstr("`batch_invariant` names rows"));
}

TEST_F(BatchInvariance, OfUnknownExtentsIsAnError) {
  for (const char* extents : {"\"row\"", "[\"rows\", 3]", "true"}) {
    try {
      (void)check_source(replaced_all(rows("0"), "[\"rows\", \"heads\"]", extents));
      ADD_FAILURE() << extents;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("extent")) << extents;
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign
