#include "campaign/run/observation.hpp"

#include <algorithm>
#include <tuple>

namespace warpcheck::campaign::run {
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
  std::size_t next = 0;  // the parts of a case mostly have the order of the sum
  for (const T& one : part) {
    const auto is_same = [&](const T& other) { return same(one, other); };
    auto found = std::find_if(sum.begin() + std::ptrdiff_t(next), sum.end(), is_same);
    if (found == sum.end()) found = std::find_if(sum.begin(), sum.end(), is_same);
    if (found == sum.end()) {
      sum.push_back(one);
    } else {
      add_to(*found, one);
      next = static_cast<std::size_t>(found - sum.begin()) + 1;
    }
  }
}

bool is_executed(const device::CoveredBlock& block) { return block.warps != 0; }
bool is_executed(const device::CoveredEdge& edge) { return edge.warps != 0; }
bool is_executed(const device::CoveredCondition& condition) {
  return condition.held != 0 || condition.failed != 0;
}

/// Leaves all if `sum` has other parts, or the same in another order.
template <typename T>
void remove_unexecuted(std::vector<T>& part, const std::vector<T>& sum) {
  const auto same = [](const T& one, const T& other) { return key(one) == key(other); };
  if (!std::equal(sum.begin(), sum.end(), part.begin(), part.end(), same)) return;
  std::erase_if(part, [](const T& one) { return !is_executed(one); });
}

}  // namespace

void add(device::Coverage& sum, const device::Coverage& part) {
  add_all(sum.blocks, part.blocks);
  add_all(sum.edges, part.edges);
  add_all(sum.conditions, part.conditions);
}

device::Coverage without_unexecuted(device::Coverage part, const device::Coverage& sum) {
  remove_unexecuted(part.blocks, sum.blocks);
  remove_unexecuted(part.edges, sum.edges);
  remove_unexecuted(part.conditions, sum.conditions);
  return part;
}

void add(Observation& sum, const device::Job& job, const device::Outcome& outcome) {
  add(sum.coverage, outcome.coverage);
  for (const device::Launch& launch : job.launches) sum.grids.push_back(launch.grid);
}

}  // namespace warpcheck::campaign::run
