// Results of a bench for tests of the reports.
#pragma once

#include "workflows/bench/result.hpp"

namespace warpcheck::workflows::bench {

inline Results sample_results() {
  Results results{"NVIDIA H200 (sm_90)", "1980 MHz at most", {}};
  Result fast;
  fast.variant = "fast<1>";
  fast.line.variant = fast.variant;
  for (const char* extent : {"m", "n", "k"}) fast.line.set_value(extent, 1000);
  fast.size = "1000x1000x1000";
  fast.operations = 2e9;
  fast.bytes = 12e6;
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
  Result softmax = wrong;
  softmax.variant = "softmax";
  softmax.line = {};
  softmax.line.variant = softmax.variant;
  softmax.line.operation = "softmax";
  softmax.line.set_value("rows", 1000.0);
  softmax.line.set_value("columns", 250.0);
  softmax.size = "1000x250";
  softmax.operations = 0.0;
  softmax.bytes = 2e6;
  softmax.peak_bandwidth = 4e9;
  softmax.no_cublas = "no product of matrices";
  softmax.wrong.clear();
  results.results = {fast, wrong, softmax};
  return results;
}

}  // namespace warpcheck::workflows::bench
