// Sums of products that Eigen computes, and the same sums one term at a time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "reference/product/product.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

/// Sums of PRODUCT, which is a factor times a read. A selection is no read, so that its products
/// are evaluated one at a time.
struct SumOfProducts {
  std::string definition;
  std::string factor;
  std::string read;

  [[nodiscard]] std::string by_eigen() const {
    return with(fmt::format("({}) * {}", factor, read));
  }
  [[nodiscard]] std::string by_terms() const {
    return with(fmt::format("({}) * select(0 == 0, {}, 0)", factor, read));
  }

 private:
  [[nodiscard]] std::string with(const std::string& product) const {
    std::string text = definition;
    return text.replace(text.find("PRODUCT"), 7, product);
  }
};

const std::vector<SumOfProducts> kSums = {
    {"y[i,j] = sum(k: PRODUCT)", "x[i,k]", "x[at[i],j]"},
    {"y[i,j] = scale * sum(k: PRODUCT) + w[j]", "x[i,k]", "(x[k,j] or 0)"},
    {"y[i,j] = sum(k: PRODUCT where k <= i)", "exp(x[i,k] - w[k])", "(x[k,j] or 0)"},
    {"y[i,j] = exp(sum(r, s: PRODUCT))", "w[r] + w[s]", "(x[i + r - 1, j + s - 1] or 0)"},
    {"y[i,j] = sum(k: PRODUCT)", "w[k]", "(x[i - j, k] or 0)"},
    {"s[i,j] = x[i,j] / 3\n y[i,j] = sum(k: PRODUCT)", "as_f16(x[i,k])", "(s[j,k] or 0)"},
    {"y[i,j] = w[j] + max(k: x[i,k]) - sum(l: PRODUCT)", "x[i,l]", "(x[j,l] or 0)"},
};

/// Numbers of several kinds: most sums of some are exact, those of others round, overflow or are
/// special.
double number_of_kind(int kind, std::mt19937_64& random) {
  const auto integer = static_cast<double>(static_cast<int>(random() % 17) - 8);
  const auto fraction = static_cast<double>(static_cast<float>(integer * 0.3));
  if (kind == 0) return integer;
  if (kind == 1) return fraction;
  if (kind == 2) return std::ldexp(fraction, static_cast<int>(random() % 60) - 90);
  if (kind == 3) return std::ldexp(fraction, static_cast<int>(random() % 100) - 40);
  if (random() % 40 == 0) return random() % 2 == 0 ? kNanValue : kInfinity;
  return random() % 40 == 0 ? 0x1.8p127 : fraction;
}

struct Kind {
  int numbers;
  ScalarType accumulate;
  bool fast_math;
  bool tensor_cores;
};
const std::vector<Kind> kKinds = {
    {0, ScalarType::f32, false, false},  {1, ScalarType::f32, false, false},
    {2, ScalarType::f32, true, false},   {2, ScalarType::f32, false, false},
    {3, ScalarType::f32, false, false},  {4, ScalarType::f32, false, false},
    {1, ScalarType::f64, false, false},  {2, ScalarType::f16, false, false},
    {1, ScalarType::bf16, false, false}, {0, ScalarType::f32, false, true},
    {1, ScalarType::f32, false, true}};

TensorProblem problem_of_kind(const operation::Operation& operation, const Kind& kind,
                              std::int64_t size) {
  std::mt19937_64 random(static_cast<std::uint64_t>(100 * size + kind.numbers));
  TensorProblem problem = problem_of(
      operation, size, size, [&] { return number_of_kind(kind.numbers, random); }, 0.7F);
  problem.accumulate = kind.accumulate;
  problem.fast_math = kind.fast_math;
  problem.tensor_cores = kind.tensor_cores;
  return problem;
}

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  return std::ranges::equal(x, y, [](double one, double other) {
    return (std::isnan(one) && std::isnan(other)) ||
           std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  });
}

TEST(SumsOfProducts, HaveTheBitsOfTheirTermsOneByOne) {
  for (const SumOfProducts& sum : kSums) {
    const operation::Operation one = over_rows(sum.by_eigen());
    const operation::Operation other = over_rows(sum.by_terms());
    for (const Kind& kind : kKinds) {
      for (const std::int64_t size : {1, 2, 3, 5, 8, 13, 33}) {
        const auto got = evaluate(problem_of_kind(one, kind, size)).at("y");
        const auto expected = evaluate(problem_of_kind(other, kind, size)).at("y");
        ASSERT_TRUE(same_bits(got.value.values, expected.value.values))
            << sum.by_eigen() << ", numbers " << kind.numbers << ", size " << size;
        ASSERT_TRUE(same_bits(got.tolerance, expected.tolerance))
            << sum.by_eigen() << ", numbers " << kind.numbers << ", size " << size;
        ASSERT_EQ(got.alternatives.size(), expected.alternatives.size()) << sum.by_eigen();
        for (const auto& [at, values] : expected.alternatives) {
          ASSERT_TRUE(got.alternatives.contains(at)) << sum.by_eigen();
          EXPECT_EQ(got.alternatives.at(at).front().specials, values.front().specials);
        }
      }
    }
  }
}

TEST(SumsOfProducts, HaveTheSameBitsWithAllVectors) {
  std::mt19937_64 random(7);
  const ProductRounding rounding{0x1p-24, 0x1p-149, 0x1p29 + 1.0, 0x1p-126, 0x1p-149};
  for (const std::int64_t count : {1, 3, 4, 7, 8, 9, 31, 100}) {
    for (const std::int64_t stride : {1, 2}) {
      std::vector<double> numbers(static_cast<std::size_t>(4 * count * stride));
      for (double& number : numbers)
        number = number_of_kind(static_cast<int>(random() % 4), random);
      std::vector<FactorRow> rows;
      for (const std::int64_t row : {0, 1, 2}) {
        rows.push_back({0.1 * static_cast<double>(row + 1), row == 1 ? 1e-9 : 0.0,
                        numbers.data() + row * count * stride, row == 2 ? numbers.data() : nullptr,
                        stride, row == 1 ? count / 2 : 0, count});
      }
      std::vector<std::vector<double>> results;
      for (const Vectors vectors : available_vectors()) {
        std::vector<double> all(static_cast<std::size_t>(7 * count), 1.0);
        double* const at = all.data();
        kernels(vectors).add_products(rows.data(), 3, rounding,
                                      {at, at + count, at + 2 * count, at + 3 * count,
                                       at + 4 * count, at + 5 * count, at + 6 * count});
        results.push_back(std::move(all));
        EXPECT_TRUE(same_bits(results.front(), results.back())) << count << ", " << stride;
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::reference
