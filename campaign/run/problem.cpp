#include "campaign/run/problem.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/data/data.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "campaign/run/buffers.hpp"
#include "campaign/run/launches.hpp"

namespace warpcheck::campaign::run {

Poison usual_poison(const Case& problem) {
  Poison poison;
  if (problem.seed % 2 != 0) poison.output = kLargePoison;
  return poison;
}

std::uint64_t instruction_budget(const contract::Contract& contract, const Case& problem) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const auto most = case_schema(contract).most_instructions.evaluate(bindings(contract, problem));
  return static_cast<std::uint64_t>(std::min(most.value_or(kMost), kMost));
}

std::uint64_t compulsory_bytes(const Problem& problem) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < problem.job.buffers.size(); ++i) {
    const device::Buffer& buffer = problem.job.buffers[i];
    if (!problem.roles[i].operand) continue;
    if (buffer.initialized) all += buffer.extent.packed_bytes();
    if (buffer.access == device::Access::read_write) all += buffer.extent.packed_bytes();
  }
  return all;
}

Problem make_problem(const contract::Variant& variant, const Case& line, Operands values,
                     const Poison& poison, std::size_t limit_bytes) {
  Problem problem;
  problem.variant = &variant;
  problem.line = normalized(variant.contract, line);
  problem.layouts = lay_out(variant.contract, problem.line, limit_bytes);
  problem.operands = std::move(values);
  problem.poison = poison;
  add_buffers(problem);
  problem.job.schedule_seed = problem.line.seed;
  problem.job.instruction_budget = instruction_budget(variant.contract, problem.line);
  if (!launches_nothing(line)) add_launches(problem);
  return problem;
}

Problem usual_problem(const contract::Variant& variant, const Case& line) {
  return make_problem(variant, line, operands(variant.contract, line), usual_poison(line));
}

Problem with_earlier_call(Problem earlier, Problem problem) {
  std::vector<device::Buffer>& buffers = problem.job.buffers.own();
  const std::size_t count = buffers.size();
  for (std::size_t i = 0; i < earlier.job.buffers.size(); ++i) {
    device::Buffer& buffer = buffers.emplace_back(std::move(earlier.job.buffers[i]));
    buffer.name = in_call(std::move(buffer.name), Call::earlier);
    BufferRole& role = problem.roles.emplace_back(earlier.roles[i]);
    role.call = Call::earlier;
  }
  for (device::Launch& launch : earlier.job.launches) {
    for (device::Argument& argument : launch.arguments) {
      if (auto* address = std::get_if<device::BufferAddress>(&argument)) address->buffer += count;
      if (auto* map = std::get_if<device::TensorMapArgument>(&argument))
        map->target.buffer += count;
      if (auto* value = std::get_if<device::ByteArgument>(&argument)) {
        for (auto& pointer : value->pointers) pointer.target.buffer += count;
      }
    }
  }
  std::vector<device::Launch>& launches = problem.job.launches;
  launches.insert(launches.begin(), earlier.job.launches.begin(), earlier.job.launches.end());
  return problem;
}

reference::TensorProblem tensor_problem(const Problem& problem) {
  reference::TensorProblem tensors =
      generate::tensor_problem(problem.variant->contract, problem.line, problem.operands.tensors);
  tensors.scalars = problem.scalars;
  return tensors;
}

namespace {

reference::Gemm without_matrices(const Problem& problem) {
  const contract::Contract& contract = problem.variant->contract;
  reference::Gemm gemm;
  gemm.bias = problem.operands.bias;
  gemm.alpha = problem.alpha;
  gemm.beta = problem.beta;
  gemm.type_a = contract.type_a;
  gemm.type_b = contract.type_b;
  gemm.type_c = contract.type_c;
  gemm.accumulate = contract.accumulate;
  gemm.tensor_cores = contract.tensor_cores;
  gemm.split_k = contract.split_k;
  gemm.mean_zero = generate::mean_zero(problem.line.data);
  return gemm;
}

}  // namespace

reference::Gemm reference_problem(const Problem& problem, std::int64_t number) {
  const std::int64_t m = problem.line.whole("m");
  const std::int64_t k = problem.line.whole("k");
  reference::Gemm gemm = without_matrices(problem);
  gemm.a = rows_of(problem.operands.a, number * m, m);
  gemm.b = rows_of(problem.operands.b, number * k, k);
  if (problem.reads_c()) gemm.c = rows_of(problem.operands.c, number * m, m);
  return gemm;
}

reference::Gemm take_reference_problem(Problem& problem, std::int64_t number) {
  if (problem.line.number("batch") != 1.0) return reference_problem(problem, number);
  reference::Gemm gemm = without_matrices(problem);
  gemm.a = std::move(problem.operands.a);
  gemm.b = std::move(problem.operands.b);
  if (problem.reads_c()) gemm.c = std::move(problem.operands.c);
  return gemm;
}

}  // namespace warpcheck::campaign::run
