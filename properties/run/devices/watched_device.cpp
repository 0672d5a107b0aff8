#include "properties/run/devices/watched_device.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpcheck::properties::run {
namespace {

auto key(const device::CoveredBlock& block) { return block.first; }
auto key(const device::CoveredEdge& edge) { return std::tuple(edge.from, edge.to); }
auto key(const device::CoveredCondition& condition) { return condition.at; }

void add_to(device::CoveredBlock& sum, const device::CoveredBlock& part) {
  sum.warps += part.warps;
}

void add_to(device::CoveredEdge& sum, const device::CoveredEdge& part) {
  sum.warps += part.warps;
  sum.divergent += part.divergent;
}

void add_to(device::CoveredCondition& sum, const device::CoveredCondition& part) {
  sum.held += part.held;
  sum.failed += part.failed;
}

template <typename T>
void add_all(std::vector<T>& sum, const std::vector<T>& part) {
  const auto same = [](const T& one, const T& other) { return key(one) == key(other); };
  if (std::equal(sum.begin(), sum.end(), part.begin(), part.end(), same)) {
    for (std::size_t i = 0; i < sum.size(); ++i) add_to(sum[i], part[i]);
    return;
  }
  for (const T& one : part) {
    const auto found =
        std::find_if(sum.begin(), sum.end(), [&](const T& other) { return same(one, other); });
    if (found == sum.end()) {
      sum.push_back(one);
    } else {
      add_to(*found, one);
    }
  }
}

}  // namespace

void add(device::Coverage& sum, const device::Coverage& part) {
  add_all(sum.blocks, part.blocks);
  add_all(sum.edges, part.edges);
  add_all(sum.conditions, part.conditions);
}

device::Outcome WatchedDevice::run(const device::Program& program, const device::Job& job) {
  device::Job covered = job;
  covered.cover = true;
  device::Outcome outcome = inner().run(program, covered);
  add(seen_.coverage, outcome.coverage);
  for (const device::Launch& launch : job.launches) seen_.grids.push_back(launch.grid);
  return outcome;
}

Observation WatchedDevice::take() { return std::exchange(seen_, {}); }

}  // namespace warpcheck::properties::run
