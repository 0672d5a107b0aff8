// A limit of the compilations that run at the same time.
#pragma once

#include <semaphore>

#include "base/parallel_for.hpp"

namespace warpcheck::contract {

/// One of the machine's processors, while this object exists. Waits for one.
class OneProcessor {
 public:
  OneProcessor() { idle().acquire(); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;
  ~OneProcessor() { idle().release(); }

 private:
  static std::counting_semaphore<>& idle() {
    static std::counting_semaphore<> processors(job_count(0));
    return processors;
  }
};

}  // namespace warpcheck::contract
