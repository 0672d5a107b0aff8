// Correct kernels, simulated on the host in f32, with every order of summation that kernels use.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "reference/gemm.hpp"

namespace warpcheck::simulated {

enum class Sum { forward, reverse, pairwise, split, shuffled, strided };
enum class Scale { at_the_end, at_the_end_fused, operand_first, accumulate_onto_c };

struct Kernel {
  Sum sum = Sum::forward;
  bool fused = false;
  Scale scale = Scale::at_the_end;
  std::int64_t slices = 4;  // slices of Sum::split and Sum::strided
};

inline std::string describe(const Kernel& kernel) {
  return "sum " + std::to_string(static_cast<int>(kernel.sum)) + ", fused " +
         std::to_string(kernel.fused) + ", scale " + std::to_string(static_cast<int>(kernel.scale));
}

inline std::vector<Kernel> every_kernel() {
  std::vector<Kernel> kernels;
  for (int sum = 0; sum <= static_cast<int>(Sum::strided); ++sum) {
    for (const bool fused : {false, true}) {
      for (int scale = 0; scale <= static_cast<int>(Scale::accumulate_onto_c); ++scale) {
        kernels.push_back({static_cast<Sum>(sum), fused, static_cast<Scale>(scale), 4});
      }
    }
  }
  return kernels;
}

inline float chain(std::span<const float> a, std::span<const float> b, bool fused, float sum) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum = fused ? std::fma(a[k], b[k], sum) : sum + a[k] * b[k];
  }
  return sum;
}

inline float tree(std::span<const float> a, std::span<const float> b, bool fused) {
  if (a.size() <= 2) return chain(a, b, fused, 0.0F);
  const std::size_t half = a.size() / 2;
  return tree(a.first(half), b.first(half), fused) + tree(a.subspan(half), b.subspan(half), fused);
}

inline float dot(const Kernel& kernel, std::vector<float> a, std::vector<float> b, float start,
                 std::mt19937_64& random) {
  const std::size_t k = a.size();
  const auto slices = static_cast<std::size_t>(kernel.slices);
  switch (kernel.sum) {
    case Sum::forward:
      break;
    case Sum::reverse:
      std::reverse(a.begin(), a.end());
      std::reverse(b.begin(), b.end());
      break;
    case Sum::pairwise:
      return start + tree(a, b, kernel.fused);
    case Sum::split: {
      const std::size_t length = (k + slices - 1) / slices;
      for (std::size_t begin = 0; begin < k; begin += length) {
        const std::size_t count = std::min(length, k - begin);
        start += chain(std::span(a).subspan(begin, count), std::span(b).subspan(begin, count),
                       kernel.fused, 0.0F);
      }
      return start;
    }
    case Sum::shuffled:
      for (std::size_t i = k; i > 1; --i) {
        const std::size_t other = random() % i;
        std::swap(a[i - 1], a[other]);
        std::swap(b[i - 1], b[other]);
      }
      break;
    case Sum::strided: {
      std::vector<float> partial(slices, 0.0F);
      for (std::size_t i = 0; i < k; ++i) {
        float& sum = partial[i % slices];
        sum = kernel.fused ? std::fma(a[i], b[i], sum) : sum + a[i] * b[i];
      }
      for (const float sum : partial) start += sum;
      return start;
    }
  }
  return chain(a, b, kernel.fused, start);
}

/// Computes D in f32 as `kernel` does, with BLAS semantics.
inline reference::Matrix run(const Kernel& kernel, const reference::Gemm& problem,
                             std::uint64_t seed = 0) {
  std::mt19937_64 random(seed);
  const auto alpha = static_cast<float>(problem.alpha);
  const auto beta = static_cast<float>(problem.beta);
  const std::int64_t depth = problem.a.columns;
  reference::Matrix d(problem.a.rows, problem.b.columns);
  for (std::int64_t i = 0; i < d.rows; ++i) {
    for (std::int64_t j = 0; j < d.columns; ++j) {
      const float scaled_c = beta == 0.0F ? 0.0F : beta * static_cast<float>(problem.c(i, j));
      if (alpha == 0.0F || depth == 0) {
        d(i, j) = scaled_c;
        continue;
      }
      std::vector<float> a;
      std::vector<float> b;
      for (std::int64_t k = 0; k < depth; ++k) {
        a.push_back(static_cast<float>(problem.a(i, k)));
        b.push_back(static_cast<float>(problem.b(k, j)));
      }
      const bool onto_c = kernel.scale == Scale::accumulate_onto_c;
      if (onto_c || kernel.scale == Scale::operand_first) {
        for (float& value : a) value *= alpha;
      }
      const float sum = dot(kernel, a, b, onto_c ? scaled_c : 0.0F, random);
      switch (kernel.scale) {
        case Scale::at_the_end:
          d(i, j) = beta == 0.0F ? alpha * sum : alpha * sum + scaled_c;
          break;
        case Scale::at_the_end_fused:
          d(i, j) = std::fma(alpha, sum, scaled_c);
          break;
        case Scale::operand_first:
          d(i, j) = beta == 0.0F ? sum : sum + scaled_c;
          break;
        case Scale::accumulate_onto_c:
          d(i, j) = sum;
          break;
      }
    }
  }
  return d;
}

}  // namespace warpcheck::simulated
