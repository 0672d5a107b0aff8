#include "device/counters.hpp"

namespace warpcheck::device {

ExecutionCounts& ExecutionCounts::operator+=(const ExecutionCounts& other) {
  warps += other.warps;
  threads += other.threads;
  predicated_on += other.predicated_on;
  taken += other.taken;
  not_taken += other.not_taken;
  divergent += other.divergent;
  global_requests += other.global_requests;
  global_sectors += other.global_sectors;
  global_ideal += other.global_ideal;
  shared_requests += other.shared_requests;
  shared_wavefronts += other.shared_wavefronts;
  shared_ideal += other.shared_ideal;
  return *this;
}

}  // namespace warpcheck::device
