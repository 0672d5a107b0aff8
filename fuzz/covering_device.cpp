#include "fuzz/covering_device.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/hash.hpp"

namespace warpcheck::fuzz {
namespace {

constexpr std::size_t kCounters = std::size_t{1} << 17;

/// libFuzzer finds this section by its name.
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]] std::array<std::uint8_t, kCounters>
    counters;

enum class Fact : std::uint64_t { taken, parted, held, failed };

/// Counts `times` events of one kind at the place `at`, which is unique in the kernels of a launch.
void count(std::uint64_t at, Fact fact, std::uint64_t times) {
  if (times == 0) return;
  // The hash distributes the places of all kernels over the counters.
  const std::uint64_t hash = mixed(at * 4 + static_cast<std::uint64_t>(fact));
  std::uint8_t& counter = counters[hash % kCounters];
  counter = static_cast<std::uint8_t>(std::min<std::uint64_t>(255, counter + times));
}

/// Hashes the names of the launched kernels; the value is the same in every run.
std::uint64_t hashed(const device::Job& job) {
  std::uint64_t hash = kFnvOffset;
  for (const device::Launch& launch : job.launches) hash = fnv1a(launch.entry, hash);
  return hash;
}

}  // namespace

device::Outcome CoveringDevice::run(const device::Program& program, const device::Job& job) {
  device::Job covered = job;
  covered.cover = true;
  device::Outcome outcome = inner().run(program, covered);
  const std::uint64_t kernels = hashed(job);
  for (const device::CoveredEdge& edge : outcome.coverage.edges) {
    const std::uint64_t at = kernels ^ (std::uint64_t{edge.from} << 32 | edge.to);
    count(at, Fact::taken, edge.warps);
    count(at, Fact::parted, edge.divergent);
  }
  for (const device::CoveredCondition& condition : outcome.coverage.conditions) {
    count(kernels ^ condition.at, Fact::held, condition.held);
    count(kernels ^ condition.at, Fact::failed, condition.failed);
  }
  return outcome;
}

}  // namespace warpcheck::fuzz
