// With WARPCHECK_TIMES in the environment, prints the milliseconds of main(), and those of the
// processor, to the standard error.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

class Timing {
 public:
  Timing() {
    cudaFree(nullptr);  // creates the context, which does not count
    start_ = std::chrono::steady_clock::now();
    processor_start_ = std::clock();
  }
  ~Timing() {
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start_;
    if (std::getenv("WARPCHECK_TIMES") != nullptr) {
      const double processor = 1e3 * (std::clock() - processor_start_) / CLOCKS_PER_SEC;
      std::fprintf(stderr, "time: %.3f ms, of the processor: %.3f ms\n", passed.count(), processor);
    }
  }

 private:
  std::chrono::steady_clock::time_point start_;
  std::clock_t processor_start_;
};
