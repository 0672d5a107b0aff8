// Measures the reference of GEMM alone: values and tolerances of D = A B, and of exact data.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "reference/gemm.hpp"

namespace warpcheck {
namespace {

/// Numbers of f32, or small integers.
reference::Matrix numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed,
                          bool integers) {
  reference::Matrix matrix(rows, columns);
  for (double& value : matrix.values) {
    seed = mixed(seed);
    value = static_cast<double>(static_cast<std::int64_t>(seed % 33) - 16);
    if (!integers) value = static_cast<double>(static_cast<float>(value * 0.1));
  }
  return matrix;
}

void reference_of_gemm(benchmark::State& state, bool integers) {
  const std::int64_t m = state.range(0);
  const std::int64_t n = state.range(1);
  const std::int64_t k = state.range(2);
  reference::Gemm problem{
      .a = numbers(m, k, 1, integers), .b = numbers(k, n, 2, integers), .c = {}};
  problem.mean_zero = true;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(reference::gemm(problem));
}

void add_sizes(benchmark::internal::Benchmark* benchmark) {
  for (const auto& size : {std::array<std::int64_t, 3>{3, 5, 7},
                           {33, 65, 17},
                           {64, 64, 64},
                           {128, 128, 128},
                           {512, 512, 512},
                           {2048, 2048, 16}}) {
    benchmark->Args({size[0], size[1], size[2]});
  }
  benchmark->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(reference_of_gemm, bounded, false)->Apply(add_sizes);
BENCHMARK_CAPTURE(reference_of_gemm, exact, true)->Apply(add_sizes);

}  // namespace
}  // namespace warpcheck
