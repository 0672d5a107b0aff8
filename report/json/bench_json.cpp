#include "report/json/bench_json.hpp"

#include <nlohmann/json.hpp>

namespace warpcheck::report {
namespace {

using workflows::bench::Result;
using workflows::bench::Timing;
using BenchJson = nlohmann::ordered_json;

BenchJson timing_json(const Timing& timing) {
  return {{"median", timing.median},
          {"lower_quartile", timing.lower_quartile},
          {"upper_quartile", timing.upper_quartile},
          {"fastest", timing.fastest},
          {"count", timing.count}};
}

}  // namespace

std::string bench_json(const Result& result) {
  BenchJson event = {{"event", "bench"},
                     {"variant", result.variant},
                     {"case", to_line(result.line)},
                     {"seconds", timing_json(result.seconds)},
                     {"bytes", result.bytes},
                     {"bandwidth", result.bandwidth()}};
  if (result.peak_bandwidth > 0.0) event["peak_bandwidth"] = result.peak_bandwidth;
  if (result.counts_operations()) {
    event["operations"] = result.operations;
    event["rate"] = result.rate();
  }
  if (result.cublas_seconds) {
    event["cublas_seconds"] = timing_json(*result.cublas_seconds);
    event["share_of_cublas"] = *result.share_of_cublas();
  } else {
    event["no_cublas"] = result.no_cublas;
  }
  if (result.peak > 0.0) event["peak"] = result.peak;
  if (result.clock_hz) event["clock_hz"] = *result.clock_hz;
  event["wrong"] = result.wrong;
  return event.dump();
}

}  // namespace warpcheck::report
