// Laws of programmatic dependent launch: the preceding kernel may not have completed.
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

/// True if the buffer is the operand of this name in the contract: matrix "a" is "A".
bool is_operand(const Contract& contract, const device::Buffer& buffer, const std::string& name) {
  if (!has<Trait::is_product>(contract)) return buffer.name == name;
  return std::ranges::equal(buffer.name, name, [](unsigned char one, unsigned char other) {
    return std::tolower(one) == other;
  });
}

/// The buffers that the contract names, as the preceding kernel uses them.
std::vector<device::PredecessorUse> uses(const Contract& contract, const device::Job& job) {
  std::vector<device::PredecessorUse> all;
  const auto add = [&](const std::vector<std::string>& names, bool writes) {
    for (const std::string& name : names) {
      for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        if (is_operand(contract, job.buffers[i], name)) all.push_back({i, writes});
      }
    }
  };
  add(contract.predecessor.writes, true);
  add(contract.predecessor.reads, false);
  return all;
}

}  // namespace

const Law kWaitsForThePredecessor = {
    .name = "waits-for-the-predecessor",
    .sentence =
        "no operand that the preceding kernel uses is accessed before the wait for its completion",
    .applies = [](const Contract& contract) { return contract.predecessor.any(); },
    .adapted = as_generated,
    .check =
        [](run::Runner& runner, const Case& problem) {
          if (!runner.device().checks_predecessor()) return CheckResult{};
          const Inputs inputs(runner, problem);
          run::Problem dependent = inputs.usual();
          dependent.job.predecessor = uses(inputs.contract(), dependent.job);
          return sound_accesses(runner, dependent);
        },
    .broken_by = "d82_reads_before_the_wait",
};

}  // namespace warpcheck::properties
