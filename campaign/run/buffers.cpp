#include "campaign/run/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/case/errors.hpp"
#include "campaign/case/operation_cases.hpp"
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

/// An output without values of its own may update those of an input.
Contents tensor_contents(const Problem& problem, std::string_view name) {
  const contract::TypedOperation& typed = *problem.variant->contract.tensors;
  const auto tensor = std::find_if(typed.tensors.begin(), typed.tensors.end(),
                                   [&](const auto& one) { return one.name == name; });
  const auto& all = problem.operands.tensors;
  const auto values = all.find(typed.is_output(name) ? tensor->updates : tensor->name);
  if (values == all.end()) return {};
  return {values->second.values};
}

/// Adds the buffers of the operands, whose numbers are those of the layout.
void add_operands(Problem& problem, BufferAdder& adder) {
  const contract::Contract& contract = problem.variant->contract;
  const bool has_matrices = is_product(contract);
  if (has_matrices) {
    receive_factors(problem);
  } else {
    receive_scalars(problem);
  }
  std::size_t number = 0;
  for (const OperandFields& operand : operation_cases(contract).operands(contract, {})) {
    if (!operand.is_taken) continue;
    const Contents contents = has_matrices ? matrix_contents(problem, operand.name)
                                           : tensor_contents(problem, operand.name);
    const auto access = operand.is_output ? device::Access::read_write : device::Access::read_only;
    if (contents.values) {
      adder.add_values(number, *contents.values, access);
    } else {
      adder.add_poison(number, access, contents.is_readable);
    }
    const bool is_other = operand.is_output && number != problem.layouts.last_output;
    if (is_other) problem.other_outputs.push_back(number);
    ++number;
  }
  problem.output = problem.layouts.last_output;
}

}  // namespace

void add_buffers(Problem& problem) {
  BufferAdder adder(problem);
  add_operands(problem, adder);
  for (const contract::Workspace& described : problem.variant->contract.workspaces) {
    adder.add({}, workspace(problem, described));
  }
}

}  // namespace warpcheck::campaign::run
