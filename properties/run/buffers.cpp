#include "properties/run/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel_for.hpp"
#include "properties/case/errors.hpp"
#include "properties/run/element.hpp"
#include "properties/run/launches.hpp"

namespace warpcheck::properties::run {
namespace {

/// Returns the contents of a buffer: the values in the lines and poison in the gaps.
std::vector<std::byte> filled(const Placement& place, std::span<const double> values,
                              std::byte padding) {
  const device::Extent extent = place.extent();
  std::vector<std::byte> bytes(place.packed ? extent.packed_bytes() : extent.bytes(), padding);
  const auto fill = [&](std::size_t number) {
    const auto row = static_cast<std::int64_t>(number);
    const std::span line = values.subspan(number * static_cast<std::size_t>(place.columns),
                                          static_cast<std::size_t>(place.columns));
    if (line.empty()) return;
    encode(line, place.type, bytes.data() + place.index_of(row, 0), place.column_distance(row));
  };
  for_each_row(static_cast<std::size_t>(place.all_rows()), static_cast<std::size_t>(place.columns),
               fill);
  return bytes;
}

/// Returns the contents of a buffer: one byte repeated in the lines and another one in the gaps.
std::vector<std::byte> filled(const Placement& place, std::byte value, std::byte padding) {
  const device::Extent extent = place.extent();
  if (place.packed) return std::vector<std::byte>(extent.packed_bytes(), value);
  std::vector<std::byte> bytes(extent.bytes(), padding);
  if (bytes.empty()) return bytes;
  for (std::size_t line = 0; line < extent.slices * extent.rows; ++line) {
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(extent.row_begin(line)),
                extent.row_bytes, value);
  }
  return bytes;
}

device::Buffer buffer(const Placement& place, std::vector<std::byte> bytes, device::Access access,
                      bool initialized) {
  const std::size_t element = size_of(place.type);
  device::Buffer result;
  result.name = place.name;
  result.extent = place.extent();
  result.element_bytes = element;
  result.shift_bytes = static_cast<std::size_t>(place.offset) % 256 * element % 256;
  result.access = access;
  result.initialized = initialized;
  result.packed = place.packed;
  result.bytes = std::move(bytes);
  return result;
}

/// Returns a workspace as the contract describes it. Throws if it takes more than a matrix may.
device::Buffer workspace(const Problem& problem, const contract::Workspace& described) {
  const contract::Contract& contract = problem.variant->contract;
  const auto element = static_cast<std::int64_t>(size_of(contract.accumulate));
  const std::int64_t bytes =
      described.bytes ? evaluated(problem, *described.bytes, "the workspace expression")
      : contract.tensors != nullptr
          ? 0
          : contract.split_k * problem.line.batch * problem.line.m * problem.line.n * element;
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

/// Appends buffers with their roles.
class BufferAdder {
 public:
  explicit BufferAdder(Problem& problem) : problem_(problem) {}

  /// Adds an operand with values.
  void add_values(Operand operand, const Placement& place, const reference::Matrix& values,
                  device::Access access) {
    add(operand,
        buffer(place, filled(place, values.values, problem_.poison.padding), access, true));
  }

  /// Adds an operand with poison, which the kernel must not read unless `readable`.
  void add_poison(Operand operand, const Placement& place, device::Access access,
                  bool readable = false) {
    const Poison& poison = problem_.poison;
    add(operand, buffer(place, filled(place, poison.output, poison.padding), access,
                        readable || !poison.output_reads_are_findings));
  }

  /// Adds a tensor, which has values or poison.
  void add_tensor(std::size_t number, const Placement& place, const reference::TensorData* values,
                  device::Access access) {
    const Poison& poison = problem_.poison;
    if (values == nullptr) {
      add({}, buffer(place, filled(place, poison.output, poison.padding), access,
                     !poison.output_reads_are_findings));
    } else {
      add({}, buffer(place, filled(place, values->values, poison.padding), access, true));
    }
    problem_.roles.back().tensor = number;
  }

  void add(std::optional<Operand> operand, device::Buffer buffer) {
    problem_.roles.push_back({operand, Call::checked});
    problem_.job.buffers.push_back(std::move(buffer));
  }

 private:
  Problem& problem_;
};

void add_tensors(Problem& problem, BufferAdder& adder) {
  const std::vector<Placement>& tensors = problem.layouts.tensors;
  const contract::TypedOperation& typed = *problem.variant->contract.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const bool is_output = i >= typed.operation.inputs.size();
    const auto values =
        problem.operands.tensors.find(is_output ? typed.tensors[i].updates : typed.tensors[i].name);
    adder.add_tensor(i, tensors[i],
                     values == problem.operands.tensors.end() ? nullptr : &values->second,
                     is_output ? device::Access::read_write : device::Access::read_only);
    if (!is_output) continue;
    if (i + 1 == tensors.size()) {
      problem.output = i;
    } else {
      problem.other_outputs.push_back(i);
    }
  }
}

/// Adds the matrices of gemm.
void add_matrices(Problem& problem, BufferAdder& adder) {
  using device::Access;
  const contract::Contract& contract = problem.variant->contract;
  const Layouts& layouts = problem.layouts;
  const Operands& values = problem.operands;
  adder.add_values(Operand::a, layouts.a, values.a, Access::read_only);
  adder.add_values(Operand::b, layouts.b, values.b, Access::read_only);
  if (!layouts.d || contract.takes(contract::ArgumentWord::c)) {
    const Access access = layouts.d ? Access::read_only : Access::read_write;
    if (problem.c_has_values()) {
      adder.add_values(Operand::c, layouts.c, values.c, access);
    } else {
      adder.add_poison(Operand::c, layouts.c, access, problem.may_read_c());
    }
  }
  if (layouts.d) adder.add_poison(Operand::d, *layouts.d, Access::read_write);
  problem.output = problem.job.buffers.size() - 1;
  if (layouts.bias) {
    adder.add_values(Operand::bias, *layouts.bias, values.bias, Access::read_only);
  }
}

}  // namespace

void add_buffers(Problem& problem) {
  BufferAdder adder(problem);
  const contract::Contract& contract = problem.variant->contract;
  if (contract.tensors != nullptr) {
    add_tensors(problem, adder);
  } else {
    add_matrices(problem, adder);
  }
  for (const contract::Workspace& described : contract.workspaces) {
    adder.add({}, workspace(problem, described));
  }
}

}  // namespace warpcheck::properties::run
