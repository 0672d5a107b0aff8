// Results of a bench for tests of the reports.
#pragma once

#include "workflows/bench/result.hpp"

namespace warpcheck::workflows::bench {

inline Results sample_results() {
  Results results{"NVIDIA H200 (sm_90)", "1980 MHz at most", {}};
  Result fast;
  fast.variant = "fast<1>";
  fast.line.variant = fast.variant;
  fast.line.m = fast.line.n = fast.line.k = 1000;
  fast.operations = 2e9;
  fast.seconds = {1e-3, 0.9e-3, 1.1e-3, 0.8e-3, 30};
  fast.cublas_seconds = Timing{0.8e-3, 0.8e-3, 0.8e-3, 0.8e-3, 30};
  fast.peak = 4e12;
  fast.clock_hz = 1.7e9;
  Result wrong = fast;
  wrong.variant = "wrong";
  wrong.cublas_seconds.reset();
  wrong.no_cublas = "a batch";
  wrong.peak = 0.0;
  wrong.clock_hz.reset();
  wrong.wrong = "C[0, 1] is 3, expected 4 +- 0";
  results.results = {fast, wrong};
  return results;
}

}  // namespace warpcheck::workflows::bench
