#include "reference/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

Matrix product_of(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows, b.columns);
  MatrixProduct(a, b).rows(0, a.rows, result.values.data());
  return result;
}

/// Sizes around those of the blocks that are computed together.
TEST(Product, IsTheSumOfProducts) {
  for (const std::int64_t m : {0, 1, 3, 5, 6, 7, 13}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 33}) {
      for (const std::int64_t k : {0, 1, 2, 31}) {
        const Matrix a = integers(m, k, 1);
        const Matrix b = integers(k, n, 2);
        const Matrix product = product_of(a, b);
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
TEST(Product, BlocksOfRowsAreThoseOfTheWholeProduct) {
  for (const std::int64_t columns : {1, 4096, 40000}) {
    const Matrix a = integers(11, 2, 1);
    const Matrix b = integers(2, columns, 2);
    const Matrix whole = product_of(a, b);
    for (const std::int64_t at_once :
         {std::int64_t{1}, std::int64_t{4}, MatrixProduct(a, b).rows_at_once()}) {
      Matrix blocks(a.rows, columns);
      for (std::int64_t first = 0; first < a.rows; first += at_once) {
        MatrixProduct(a, b).rows(first, std::min(first + at_once, a.rows), &blocks(first, 0));
      }
      EXPECT_EQ(blocks.values, whole.values);
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
