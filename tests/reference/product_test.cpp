#include "reference/product/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "reference/gemm.hpp"

namespace warpcheck::reference {
namespace {

constexpr int kFractionBits = 80;
__extension__ using Wide = __int128;

/// Numbers of f32 from 2^-8 to 2^8 in magnitude, of both signs. Their products are multiples of
/// 2^-62.
Matrix numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> fraction(1.0F, 2.0F);
  Matrix matrix(rows, columns);
  for (double& value : matrix.values) {
    value = std::ldexp(fraction(random), static_cast<int>(random() % 16) - 8);
    if (random() % 2 == 0) value = -value;
  }
  return matrix;
}

Matrix absolute(Matrix matrix) {
  for (double& value : matrix.values) value = std::abs(value);
  return matrix;
}

Matrix product_of(const Matrix& a, const Matrix& b, Vectors vectors) {
  Matrix result(a.rows, b.columns, 1e300);
  kernels(vectors).multiply(view(a), view(b), result.values.data());
  return result;
}

/// An element of the product, in units of 2^-80.
Wide exact_element(const Matrix& a, const Matrix& b, std::int64_t row, std::int64_t column) {
  Wide sum = 0;
  for (std::int64_t k = 0; k < a.columns; ++k) {
    sum += static_cast<Wide>(
        std::ldexp(static_cast<long double>(a(row, k)) * b(k, column), kFractionBits));
  }
  return sum;
}

struct Size {
  std::int64_t m, n, k;
};
/// Sizes around those of the blocks that are computed together.
const std::vector<Size> kSizes = {{0, 3, 2},    {3, 0, 2},    {3, 4, 0},    {1, 1, 1},
                                  {3, 5, 7},    {1, 33, 9},   {33, 1, 9},   {5, 7, 31},
                                  {13, 17, 33}, {33, 65, 17}, {25, 9, 700}, {70, 40, 300}};

TEST(Product, ErrsByLessThanItsSizeInUnitsOfEveryVector) {
  for (const Vectors vectors : available_vectors()) {
    for (const Size& size : kSizes) {
      const Matrix a = numbers(size.m, size.k, 1);
      const Matrix b = numbers(size.k, size.n, 2);
      const Matrix product = product_of(a, b, vectors);
      const Matrix sums = product_of(absolute(a), absolute(b), Vectors::baseline);
      for (std::int64_t i = 0; i < size.m; ++i) {
        for (std::int64_t j = 0; j < size.n; ++j) {
          const Wide exact = exact_element(a, b, i, j);
          const auto got =
              static_cast<Wide>(std::ldexp(static_cast<long double>(product(i, j)), kFractionBits));
          const double error = std::ldexp(static_cast<double>(got - exact), -80);
          ASSERT_LE(std::abs(error), static_cast<double>(size.k) * 0x1p-53 * sums(i, j))
              << size.m << " x " << size.n << " x " << size.k;
        }
      }
    }
  }
}

TEST(Product, NanAndInfinitiesStayInTheirRowsAndColumns) {
  for (const Vectors vectors : available_vectors()) {
    Matrix a = numbers(27, 19, 3);
    const Matrix b = numbers(19, 29, 4);
    a(26, 18) = kInfinity;
    a(5, 0) = kNanValue;
    const Matrix product = product_of(a, b, vectors);
    for (std::int64_t i = 0; i < 27; ++i) {
      for (std::int64_t j = 0; j < 29; ++j) {
        if (i == 5) {
          EXPECT_TRUE(std::isnan(product(i, j)));
        } else if (i == 26) {
          EXPECT_EQ(product(i, j), std::copysign(kInfinity, b(18, j)));
        } else {
          EXPECT_TRUE(std::isfinite(product(i, j)));
        }
      }
    }
  }
}

/// Data on which the orders of additions give different bits.
struct Kind {
  std::string name;
  Gemm problem;
};

std::vector<Kind> kinds(const Size& size) {
  Gemm plain{.a = numbers(size.m, size.k, 5), .b = numbers(size.k, size.n, 6), .c = {}, .bias = {}};
  plain.mean_zero = true;
  std::vector<Kind> all = {{"numbers", plain}};
  Gemm scaled = plain;
  scaled.c = numbers(size.m, size.n, 7);
  scaled.bias = numbers(1, size.n, 8);
  scaled.alpha = 0.7F;
  scaled.beta = -1.3F;
  scaled.type_c = ScalarType::bf16;
  all.push_back({"scaled", scaled});
  Gemm equal = plain;
  std::ranges::fill(equal.a.values, 0.1F);
  std::ranges::fill(equal.b.values, 0.3F);
  equal.mean_zero = false;
  all.push_back({"equal", equal});
  Gemm ascending = plain;
  ascending.order = Order::ascending;
  all.push_back({"ascending", ascending});
  Gemm doubles = plain;
  doubles.type_a = doubles.type_b = doubles.type_c = doubles.accumulate = ScalarType::f64;
  for (double& value : doubles.a.values) value /= 3.0;
  all.push_back({"f64", doubles});
  Gemm mixed = doubles;
  mixed.type_c = mixed.accumulate = ScalarType::f32;
  all.push_back({"f64 added in f32", mixed});
  Gemm special = plain;
  if (!special.a.values.empty()) special.a.values.front() = -kNanValue;
  if (!special.b.values.empty()) special.b.values.back() = kInfinity;
  if (size.m > 2 && size.k > 0) special.a(1, 0) = 0x1p127;
  if (size.n > 2 && size.k > 0) special.b(0, 1) = 0x1p127;
  all.push_back({"special", special});
  return all;
}

bool same_bits(const Values& one, const Values& other) {
  return std::ranges::equal(one, other, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

TEST(Product, NothingExpectedDependsOnTheVectors) {
  bool some_sums_differ = false;
  for (const Size& size : kSizes) {
    for (const Kind& kind : kinds(size)) {
      const Expected baseline = gemm(kind.problem, Vectors::baseline);
      const Gemm& p = kind.problem;
      for (const Vectors vectors : available_vectors()) {
        SCOPED_TRACE(kind.name + " " + std::to_string(static_cast<int>(vectors)));
        const Expected expected = gemm(p, vectors);
        EXPECT_TRUE(same_bits(expected.value.values, baseline.value.values));
        EXPECT_TRUE(same_bits(expected.tolerance.values, baseline.tolerance.values));
        EXPECT_EQ(expected.bound, baseline.bound);
        EXPECT_EQ(expected.uncertain.size(), baseline.uncertain.size());
        some_sums_differ |= !same_bits(product_of(p.a, p.b, vectors).values,
                                       product_of(p.a, p.b, Vectors::baseline).values);
      }
    }
  }
  // Without the rounding, the results would differ.
  if (available_vectors().size() > 1) {
    EXPECT_TRUE(some_sums_differ);
  }
}

}  // namespace
}  // namespace warpcheck::reference
