// Measures the cases per second of `check`, including generation, reference and comparison.
#include <benchmark/benchmark.h>

#include "bench/built_in.hpp"
#include "campaign/campaign.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck {
namespace {

void check(benchmark::State& state, const std::string& variant_name) {
  const std::vector<contract::Variant> variants = {bench::built_in(variant_name)};
  const auto device = device::make_virtual_device({.host_threads = 1});
  campaign::CampaignOptions options;
  options.jobs = 1;
  std::int64_t cases = 0;
  for ([[maybe_unused]] auto _ : state) {
    campaign::Listener listener;
    const campaign::CampaignReport report =
        campaign::run_campaign(variants, *device, options, listener);
    if (report.failed != 0) {
      state.SkipWithError("the campaign has findings");
      return;
    }
    cases += report.cases;
    ++options.seed;
  }
  state.counters["cases"] =
      benchmark::Counter(static_cast<double>(cases), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(check, tiled16, "sgemm_tiled16")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpcheck
