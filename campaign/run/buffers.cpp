#include "campaign/run/buffers.hpp"

#include <fmt/format.h>

#include "campaign/case/errors.hpp"
#include "campaign/run/buffer_adder.hpp"
#include "campaign/run/launches.hpp"
#include "campaign/run/run_model.hpp"

namespace warpcheck::campaign::run {
namespace {

/// Returns a workspace as the contract describes it. Throws if it takes more than a matrix may.
device::Buffer workspace(const Problem& problem, const contract::Workspace& described) {
  const contract::Contract& contract = problem.variant->contract;
  const auto element = static_cast<std::int64_t>(size_of(contract.accumulate));
  const std::int64_t bytes =
      described.bytes ? evaluated(problem, *described.bytes, "the workspace expression")
                      : model_of<RunModel>(contract).workspace_bytes(contract, problem.line);
  if (bytes < 0 || static_cast<std::size_t>(bytes) > kBufferLimitBytes) {
    throw case_error(problem.line, "m",
                     fmt::format("the {} takes {} bytes: the limit is {}", described.name, bytes,
                                 kBufferLimitBytes));
  }
  device::Buffer buffer;
  buffer.name = described.name;
  buffer.extent = {1, static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes)};
  buffer.element_bytes = static_cast<std::size_t>(element);
  buffer.initialized = described.zeroed;
  buffer.bytes.assign(buffer.extent.bytes(),
                      described.zeroed ? std::byte{0} : problem.poison.output);
  return buffer;
}

}  // namespace

void add_buffers(Problem& problem) {
  BufferAdder adder(problem);
  const contract::Contract& contract = problem.variant->contract;
  model_of<RunModel>(contract).add_operands(problem, adder);
  for (const contract::Workspace& described : contract.workspaces) {
    adder.add({}, workspace(problem, described));
  }
}

}  // namespace warpcheck::campaign::run
