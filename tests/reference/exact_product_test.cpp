#include "reference/exact_product.hpp"

#include <gtest/gtest.h>

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
TEST(ExactProduct, IsTheSumOfProducts) {
  for (const std::int64_t m : {0, 1, 3, 4, 5, 9}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 17}) {
      for (const std::int64_t k : {0, 1, 2, 31}) {
        const Matrix a = integers(m, k, 1);
        const Matrix b = integers(k, n, 2);
        const Matrix product = exact_product(a, b);
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

}  // namespace
}  // namespace warpcheck::reference
