#include "workflows/bench/result.hpp"

namespace warpcheck::workflows::bench {

double operations_of(const campaign::Case& line) {
  return 2.0 * static_cast<double>(line.m) * static_cast<double>(line.n) *
         static_cast<double>(line.k) * static_cast<double>(line.batch);
}

}  // namespace warpcheck::workflows::bench
