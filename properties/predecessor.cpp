// Laws of programmatic dependent launch: the preceding kernel may not have completed.
#include <string>
#include <vector>

#include "campaign/case/schema.hpp"
#include "properties/laws.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {
namespace {

/// True if the buffer has this name in the contract: matrix "A" is "a".
bool is_named(const campaign::CaseSchema& schema, const device::Buffer& buffer,
              const std::string& name) {
  const campaign::OperandShape* const operand = schema.operand(buffer.name);
  return (operand == nullptr ? buffer.name : operand->argument) == name;
}

/// The buffers that the contract names, as the preceding kernel uses them.
std::vector<device::PredecessorUse> uses(const Contract& contract, const device::Job& job) {
  const campaign::CaseSchema schema = campaign::case_schema(contract);
  std::vector<device::PredecessorUse> all;
  const auto add = [&](const std::vector<std::string>& names, bool writes) {
    for (const std::string& name : names) {
      for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        if (is_named(schema, job.buffers[i], name)) all.push_back({i, writes});
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
