#include "reference/product.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "base/hash.hpp"

namespace warpcheck::reference {
namespace {

Matrix integers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  for (double& value : matrix.values) {
    seed = mixed(seed);
    value = static_cast<double>(static_cast<std::int64_t>(seed % 33) - 16);
  }
  return matrix;
}

/// Sizes around those of the blocks that are computed together.
TEST(Product, IsTheSumOfProducts) {
  for (const std::int64_t m : {0, 1, 3, 5, 6, 7, 13}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 17}) {
      for (const std::int64_t k : {0, 1, 2, 31}) {
        const Matrix a = integers(m, k, 1);
        const Matrix b = integers(k, n, 2);
        const Matrix product = reference::product(a, b);
        ASSERT_EQ(product.rows, m);
        ASSERT_EQ(product.columns, n);
        for (std::int64_t i = 0; i < m; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t p = 0; p < k; ++p) {
              sum += static_cast<std::int64_t>(a(i, p)) * static_cast<std::int64_t>(b(p, j));
            }
            EXPECT_EQ(product(i, j), static_cast<double>(sum));
          }
        }
      }
    }
  }
}

/// 4096 columns: few rows at once.
TEST(Product, FinishesEachRowOnce) {
  for (const std::int64_t columns : {1, 4096, 40000}) {
    const Matrix a = integers(11, 2, 1);
    const Matrix b = integers(2, columns, 2);
    std::vector<std::int64_t> finished;
    const Matrix negated = reference::product(a, b, [&](std::int64_t row, std::span<double> sums) {
      finished.push_back(row);
      for (double& sum : sums) sum = -sum;
    });
    EXPECT_EQ(finished, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    Matrix expected = reference::product(a, b);
    for (double& value : expected.values) value = -value;
    EXPECT_EQ(negated.values, expected.values);
  }
}

}  // namespace
}  // namespace warpcheck::reference
