// Measures the multiply-adds per second of the virtual device on one core, with all checks on.
#include <benchmark/benchmark.h>

#include "bench/built_in.hpp"
#include "campaign/run/problem.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck {
namespace {

void run_square_product(benchmark::State& state, const std::string& variant_name,
                        bool races = true) {
  const contract::Variant variant = bench::built_in(variant_name);
  campaign::Case line;
  line.variant = variant_name;
  for (const char* extent : {"m", "n", "k"}) line.set_value(extent, state.range(0));
  const campaign::run::Problem problem =
      campaign::run::make_problem(variant, line, campaign::run::operands(variant.contract, line),
                                  campaign::run::usual_poison(line));
  const auto device = device::make_virtual_device({.host_threads = 1, .races = races});
  const auto program = device->load(variant.compiled->ptx, variant.compiled->ptx_file);
  for ([[maybe_unused]] auto _ : state) {
    const device::Outcome outcome = device->run(*program, problem.job);
    if (!outcome.findings.empty()) {
      state.SkipWithError(outcome.findings.front().message.c_str());
      return;
    }
    if (outcome.unsupported) return state.SkipWithError(outcome.unsupported->form.c_str());
  }
  const double size = static_cast<double>(state.range(0));
  state.counters["multiply_adds"] =
      benchmark::Counter(size * size * size, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(run_square_product, tiled16, "sgemm_tiled16")
    ->Arg(96)  // the size of Oclgrind's product
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, tiled16_without_races, "sgemm_tiled16", false)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, naive, "sgemm_naive")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, register_4x4_float4, "sgemm_register_4x4_float4")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, column_128, "sgemm_column_128")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, wmma_f32, "hgemm_wmma_f32")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_square_product, wmma_f16, "hgemm_wmma_f16")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpcheck
