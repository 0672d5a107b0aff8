// With WARPCHECK_TIMES in the environment, prints the milliseconds of main() to the standard error.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>

class Timing {
 public:
  Timing() {
    cudaFree(nullptr);  // creates the context, which does not count
    start_ = std::chrono::steady_clock::now();
  }
  ~Timing() {
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start_;
    if (std::getenv("WARPCHECK_TIMES") != nullptr) {
      std::fprintf(stderr, "time: %.3f ms\n", passed.count());
    }
  }

 private:
  std::chrono::steady_clock::time_point start_;
};
