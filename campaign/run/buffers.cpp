#include "campaign/run/buffers.hpp"

#include <fmt/format.h>

#include "campaign/case/errors.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/buffer_adder.hpp"
#include "campaign/run/launches.hpp"
#include "campaign/run/product_buffers.hpp"

namespace warpcheck::campaign::run {
namespace {

/// Returns a workspace as the contract describes it. Throws if it takes more than a matrix may.
device::Buffer workspace(const Problem& problem, const contract::Workspace& described) {
  const contract::Contract& contract = problem.variant->contract;
  const contract::Expression size =
      described.bytes ? *described.bytes : case_schema(contract).default_workspace_bytes;
  const std::int64_t bytes = evaluated(problem, size, "the workspace expression");
  if (bytes < 0 || static_cast<std::size_t>(bytes) > kBufferLimitBytes) {
    throw case_error(problem.line, "m",
                     fmt::format("the {} takes {} bytes: the limit is {}", described.name, bytes,
                                 kBufferLimitBytes));
  }
  device::Buffer buffer;
  buffer.name = described.name;
  buffer.extent = {1, static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes)};
  buffer.element_bytes = size_of(contract.accumulate);
  buffer.initialized = described.zeroed;
  buffer.bytes.assign(buffer.extent.bytes(),
                      described.zeroed ? std::byte{0} : problem.poison.output);
  return buffer;
}

void add_tensors(Problem& problem, BufferAdder& adder) {
  receive_scalars(problem);
  const std::size_t tensors = problem.layouts.operands.size();
  const contract::TypedOperation& typed = *problem.variant->contract.tensors;
  for (std::size_t i = 0; i < tensors; ++i) {
    const bool is_output = i >= typed.operation.inputs.size();
    const auto values =
        problem.operands.tensors.find(is_output ? typed.tensors[i].updates : typed.tensors[i].name);
    const auto access = is_output ? device::Access::read_write : device::Access::read_only;
    if (values == problem.operands.tensors.end()) {
      adder.add_poison(i, access);
    } else {
      adder.add_values(i, values->second.values, access);
    }
    if (!is_output) continue;
    if (i + 1 == tensors) {
      problem.output = i;
    } else {
      problem.other_outputs.push_back(i);
    }
  }
}

}  // namespace

void add_buffers(Problem& problem) {
  BufferAdder adder(problem);
  const contract::Contract& contract = problem.variant->contract;
  if (is_product(contract)) {
    add_matrices(problem, adder);
  } else {
    add_tensors(problem, adder);
  }
  for (const contract::Workspace& described : contract.workspaces) {
    adder.add({}, workspace(problem, described));
  }
}

}  // namespace warpcheck::campaign::run
