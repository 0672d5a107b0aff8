// Fused operations on special data, computed in f32 on the host: no correct order is rejected.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cfloat>
#include <cstdlib>
#include <limits>
#include <random>

#include "tests/reference/evaluate/problems.hpp"
#include "tests/reference/evaluate/row_kernels.hpp"

namespace warpcheck::reference {
namespace {

const std::string kScores = "s[i,j] = x[i,j] + scale * w[j]\npeak[i] = max(j: s[i,j])\n";

std::vector<Fused> attention_operations() {
  std::vector<RowKernel> kernels;
  for (const int order : {0, 1, 2}) {
    for (const bool flag : {false, true}) {
      kernels.emplace_back(
          [=](const Inputs& in, std::size_t i) { return softmax(in, i, flag, order, !flag); });
    }
  }
  kernels.emplace_back(online_softmax);
  const std::string scores_text = kScores + "total[i] = sum(j: exp(s[i,j] - peak[i]))\n";
  return {{"softmax with a bias", scores_text + "y[i,j] = exp(s[i,j] - peak[i]) / total[i]", false,
           kernels},
          {"log-softmax",
           scores_text + "y[i,j] = s[i,j] - peak[i] - log(total[i])",
           false,
           {row_kernel(log_softmax, 0), row_kernel(log_softmax, 1), row_kernel(log_softmax, 2)}},
          {"log-sum-exp",
           scores_text + "y[i] = peak[i] + log(total[i])",
           true,
           {[](const Inputs& in, std::size_t i) {
             std::vector<float> s = scores(in, i, false);
             const float peak = peak_of(s, false);
             for (float& one : s) one = std::exp(one - peak);
             return std::vector{peak + std::log(sum(s, 2))};
           }}}};
}

std::vector<Fused> weighted_sums() {
  std::vector<RowKernel> kernels;
  for (const Pass pass : {Pass::twice, Pass::online, Pass::in_parts}) {
    for (const int order : {0, 1}) {
      kernels.emplace_back(
          [=](const Inputs& in, std::size_t i) { return weighted_values(in, i, pass, order); });
    }
  }
  const std::string peak = "peak[i] = max(j: x[i,j])\n";
  const std::string total = "total[i] = sum(j: exp(x[i,j] - peak[i]))\n";
  return {{"weighted values",
           peak + total + "y[i] = sum(j: exp(x[i,j] - peak[i]) * w[j]) / total[i]", true, kernels},
          {"values with normalised weights",
           peak + total + "p[i,j] = exp(x[i,j] - peak[i]) / total[i]\ny[i] = sum(j: p[i,j] * w[j])",
           true, kernels}};
}

std::vector<Fused> norms() {
  std::vector<Fused> all = {
      {"layer norm with a residual",
       "v[i,j] = x[i,j] + w[j]\nmean[i] = sum(j: v[i,j]) / columns\n"
       "variance[i] = sum(j: (v[i,j] - mean[i]) * (v[i,j] - mean[i])) / columns\n"
       "y[i,j] = (v[i,j] - mean[i]) * rsqrt(variance[i] + 1e-5)",
       false,
       {}},
      {"rms norm",
       "inverse[i] = rsqrt(sum(j: x[i,j] * x[i,j]) / columns + 1e-6)\n"
       "y[i,j] = x[i,j] * inverse[i] * w[j]",
       false,
       {row_kernel(rms_norm, 0), row_kernel(rms_norm, 1), row_kernel(rms_norm, 2)}},
      {"ratio to the l2 norm", "y[i,j] = x[i,j] / sqrt(sum(k: x[i,k] * x[i,k]))", false, {}},
      {"mean", "y[i] = sum(j: x[i,j]) / columns", true, {}}};
  all[0].kernels.emplace_back(welford);
  for (const int order : {0, 1, 2}) {
    for (const bool flag : {false, true}) {
      all[0].kernels.emplace_back(
          [=](const Inputs& in, std::size_t i) { return layer_norm(in, i, order, flag); });
      all[2].kernels.emplace_back(
          [=](const Inputs& in, std::size_t i) { return l2_ratio(in, i, order, flag); });
      all[3].kernels.emplace_back([=](const Inputs& in, std::size_t i) {
        const float n = static_cast<float>(in.columns);
        const float total = sum_of(in, order, [&](std::size_t j) { return in.at(i, j); });
        return std::vector{flag ? total * (1.0F / n) : total / n};
      });
    }
  }
  return all;
}

std::vector<Fused> sums() {
  Fused dot{"scaled product", "y[i] = sum(j: scale * x[i,j] * w[j])", true, {}};
  Fused outside{"product with a factor", "y[i] = scale * sum(j: x[i,j] * w[j])", true, {}};
  Fused added{"product with an addend", "y[i] = scale * x[i,0] + sum(j: x[i,j] * w[j])", true, {}};
  Fused dequantised{"dequantised product", "y[i] = sum(j: (x[i,j] - 8) * scale * w[j])", true, {}};
  for (const int order : {0, 1, 2}) {
    for (const int place : {0, 1, 2}) dot.kernels.push_back(scaled_dot(place, order));
    for (const int place : {1, 2}) outside.kernels.push_back(scaled_dot(place, order));
    for (const bool first : {false, true}) added.kernels.push_back(accumulated(first, order));
    dequantised.kernels.emplace_back([=](const Inputs& in, std::size_t i) {
      return std::vector{sum_of(
          in, order, [&](std::size_t j) { return (in.at(i, j) - 8.0F) * in.scale * in.w[j]; })};
    });
    dequantised.kernels.emplace_back([=](const Inputs& in, std::size_t i) {
      return std::vector{in.scale * sum_of(in, order, [&](std::size_t j) {
                           return (in.at(i, j) - 8.0F) * in.w[j];
                         })};
    });
  }
  return {dot, outside, added, dequantised};
}

std::vector<Fused> elementwise() {
  return {{"gelu of x w + scale",
           "u[i,j] = x[i,j] * w[j] + scale\ny[i,j] = 0.5 * u[i,j] * (1 + erf(u[i,j] * 0.70710678))",
           false,
           {each([](float x, float w, float s) {
              const float u = std::fma(x, w, s);
              return 0.5F * u * (1.0F + std::erf(u * 0.70710678F));
            }),
            each([](float x, float w, float s) {
              const float u = x * w + s;
              return u * (0.5F * (1.0F + std::erf(u * 0.70710678F)));
            })}},
          {"swiglu",
           "y[i,j] = x[i,j] / (1 + exp(-x[i,j])) * w[j]",
           false,
           {each([](float x, float w, float) { return x / (1.0F + std::exp(-x)) * w; }),
            each([](float x, float w, float) { return x * (1.0F / (1.0F + std::exp(-x))) * w; }),
            each([](float x, float w, float) { return x * w / (1.0F + std::exp(-x)); })}},
          {"softplus",
           "y[i,j] = log(1 + exp(x[i,j]))",
           false,
           {each([](float x, float, float) { return std::log(1.0F + std::exp(x)); }),
            each([](float x, float, float) { return std::log1p(std::exp(x)); }),
            each([](float x, float, float) {
              return std::isnan(x) ? x : std::fmax(x, 0.0F) + std::log1p(std::exp(-std::abs(x)));
            })}},
          {"log cosh",
           "y[i,j] = log(cosh(x[i,j]))",
           false,
           {each([](float x, float, float) { return std::log(std::cosh(x)); }),
            each([](float x, float, float) {
              return std::abs(x) + std::log1p(std::exp(-2.0F * std::abs(x))) - 0.693147182F;
            })}},
          {"huber",
           "d[i,j] = x[i,j] - w[j]\ny[i,j] = select(abs(d[i,j]) <= 1, 0.5 * d[i,j] * d[i,j], "
           "abs(d[i,j]) - 0.5)",
           false,
           {each([](float x, float w, float) {
             const float d = x - w;
             return std::abs(d) <= 1.0F ? 0.5F * d * d : std::abs(d) - 0.5F;
           })}},
          {"soft cap",
           "y[i,j] = scale * tanh(x[i,j] * w[j] / scale)",
           false,
           {each([](float x, float w, float s) { return s * std::tanh(x * w / s); }),
            each([](float x, float w, float s) { return s * std::tanh(x * w * (1.0F / s)); })}}};
}

/// Ordinary, largest, tiny and special numbers: with `share` of 8, each is special.
float value(std::mt19937_64& random, std::uint64_t share) {
  static const std::vector<float> kSpecial = {
      NAN,    INFINITY, -INFINITY, FLT_MAX,       -FLT_MAX, 0.6F * FLT_MAX, -0.7F * FLT_MAX,
      1e30F,  -1e20F,   1e-40F,    -FLT_TRUE_MIN, 0.0F,     -0.0F,          88.0F,
      100.0F, -104.0F,  1000.0F,   16777216.0F};
  if (random() % 8 < share) return kSpecial[random() % kSpecial.size()];
  return static_cast<float>(static_cast<double>(random() % 2048) / 256.0 - 4.0);
}

Inputs inputs_of(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Inputs in{1 + random() % 2, 1 + random() % 7, {}, {}, 0.0F};
  const std::uint64_t x_bits = 1 + random() % 8;
  const std::uint64_t w_bits = random() % 5;
  for (std::size_t i = 0; i < in.rows * in.columns; ++i) in.x.push_back(value(random, x_bits));
  for (std::size_t j = 0; j < in.columns; ++j) in.w.push_back(value(random, w_bits));
  const std::vector<float> scales = {1.0F, 0.125F, -4.0F, 0x1p127F, 0x1p-100F, 0x1p66F};
  in.scale = scales[random() % scales.size()];
  return in;
}

std::string describe(const Inputs& in) {
  std::string text = fmt::format("{} x {}, scale {:a}, x", in.rows, in.columns, in.scale);
  for (const float x : in.x) text += fmt::format(" {}", x);
  text += ", w";
  for (const float w : in.w) text += fmt::format(" {}", w);
  return text;
}

ExpectedTensor expected_of(const operation::Operation& operation, const Inputs& in) {
  TensorProblem problem = problem_of(
      operation, static_cast<std::int64_t>(in.rows), static_cast<std::int64_t>(in.columns),
      [] { return 0.0; }, static_cast<double>(in.scale));
  problem.inputs["x"].values.assign(in.x.begin(), in.x.end());
  problem.inputs["w"].values.assign(in.w.begin(), in.w.end());
  return evaluate(problem).at("y");
}

std::vector<Fused> all_operations() {
  std::vector<Fused> all;
  for (const auto& some :
       {attention_operations(), weighted_sums(), norms(), sums(), elementwise()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// WARPCHECK_SPECIAL_CASES runs another number of cases of each operation.
std::uint64_t case_count() {
  const char* const number = std::getenv("WARPCHECK_SPECIAL_CASES");
  return number == nullptr ? 2000 : std::stoull(number);
}

TEST(FusedKernels, NoCorrectKernelIsRejectedOnSpecialData) {
  constexpr std::uint64_t kSeed = 4242;
  for (const Fused& fused : all_operations()) {
    SCOPED_TRACE(fmt::format("{}, seed {}", fused.name, kSeed));
    const operation::Operation operation =
        over_rows(fused.definition, fused.is_reduced ? operation::Tensor{"y", {"rows"}}
                                                     : operation::Tensor{"y", {"rows", "columns"}});
    for (std::uint64_t number = 0; number < case_count() && !HasFailure(); ++number) {
      const Inputs in = inputs_of(kSeed + number);
      const ExpectedTensor expected = expected_of(operation, in);
      for (std::size_t k = 0; k < fused.kernels.size(); ++k) {
        for (std::size_t i = 0; i < in.rows; ++i) {
          const std::vector<float> got = fused.kernels[k](in, i);
          for (std::size_t j = 0; j < got.size(); ++j) {
            const std::size_t at = i * got.size() + j;
            if (expected.accepts(at, static_cast<double>(got[j]))) continue;
            ADD_FAILURE() << "kernel " << k << ", case " << number << ", row " << i << ", element "
                          << j << ": got " << got[j] << ", expected " << expected.value.values[at]
                          << " +- " << expected.tolerance[at] << "\n"
                          << describe(in);
          }
        }
      }
    }
  }
}

/// Kernels that are wrong on special data alone.
TEST(FusedKernels, WrongKernelsAreFoundOnSpecialData) {
  const std::vector<RowKernel> wrong = {
      // It does not subtract the largest score.
      [](const Inputs& in, std::size_t i) {
        std::vector<float> e = scores(in, i, false);
        for (float& one : e) one = std::exp(one);
        const float total = sum(e, 0);
        for (float& one : e) one /= total;
        return e;
      },
      // A row that is -infinity so far gives NaN: exp(-infinity + infinity).
      [](const Inputs& in, std::size_t i) {
        std::vector<float> s = scores(in, i, false);
        float peak = -INFINITY;
        float total = 0.0F;
        for (const float one : s) {
          const float most = std::fmax(one, peak);
          total = total * std::exp(peak - most) + std::exp(one - most);
          peak = most;
        }
        for (float& one : s) one = std::exp(one - peak) / total;
        return s;
      },
      // It replaces NaN by 0.
      [](const Inputs& in, std::size_t i) {
        std::vector<float> y = softmax(in, i, false, 0, false);
        for (float& one : y) one = std::isnan(one) ? 0.0F : one;
        return y;
      }};
  const Fused softmax_with_bias = attention_operations().front();
  const operation::Operation operation = over_rows(softmax_with_bias.definition);
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    int found = 0;
    for (std::uint64_t number = 0; number < 500; ++number) {
      const Inputs in = inputs_of(77 + number);
      const ExpectedTensor expected = expected_of(operation, in);
      std::vector<float> got;
      for (std::size_t i = 0; i < in.rows; ++i) {
        for (const float one : wrong[k](in, i)) got.push_back(one);
      }
      std::size_t right = 0;
      while (right < got.size() && expected.accepts(right, got[right])) ++right;
      found += right < got.size() ? 1 : 0;
    }
    EXPECT_GT(found, 5) << "wrong kernel " << k;
  }
}

}  // namespace
}  // namespace warpcheck::reference
