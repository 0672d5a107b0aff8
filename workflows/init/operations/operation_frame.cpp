#include "workflows/init/operations/operation_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text/replaced_all.hpp"
#include "workflows/init/operations/operation_geometry.hpp"
#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

DraftTensor tensor(const OperationKernel& kernel, const Roles& roles, std::size_t parameter,
                   const Dimensions& dimensions, const std::vector<std::string>& extents) {
  DraftTensor made{roles.names[parameter], {}, *kernel.parameters[parameter].type.element, {}};
  for (const char dimension : dimensions) {
    made.shape.push_back(extents[static_cast<std::size_t>(dimension - '0')]);
  }
  if (made.shape.empty()) made.shape = {"1"};
  return made;
}

/// The operation without its definition. Its inputs are in the order of the parameters.
DraftOperation operation_of(const OperationKernel& kernel, const Roles& roles,
                            const KnownOperation& known, const Assignment& assignment) {
  const std::vector<std::size_t>& inputs = assignment.inputs;
  DraftOperation operation;
  operation.extents = assignment.extents;
  for (const std::size_t buffer : roles.buffers) {
    const auto at = std::find(inputs.begin(), inputs.end(), buffer);
    if (at == inputs.end()) continue;
    const Dimensions& dimensions = known.inputs[static_cast<std::size_t>(at - inputs.begin())];
    operation.inputs.push_back(tensor(kernel, roles, buffer, dimensions, assignment.extents));
    if (known.counts && at == inputs.begin()) {
      operation.inputs.back().range = fmt::format("[0, \"{} - 1\"]", assignment.extents[1]);
    }
  }
  operation.outputs = {tensor(kernel, roles, assignment.output, known.output, assignment.extents)};
  if (known.updates) {
    DraftTensor before = operation.outputs.front();
    before.name = usable_name(before.name + "_before", roles.names);
    operation.outputs.front().updates = before.name;
    operation.inputs.push_back(std::move(before));
  }
  for (const std::size_t one : roles.scalars) operation.scalars.push_back(roles.names[one]);
  return operation;
}

/// A stride whose name has no tensor is the length of a row without padding.
std::vector<std::string> arguments_of(const OperationKernel& kernel, const Roles& roles,
                                      const std::string& columns) {
  std::vector<std::string> arguments = roles.names;
  for (const std::size_t stride : roles.strides) {
    std::string word = columns;
    const std::string lower = lower_case(kernel.parameters[stride].name);
    for (const std::size_t buffer : roles.buffers) {
      const std::string name = lower_case(roles.names[buffer]);
      if (lower.ends_with(name) || lower.starts_with(name + "_")) {
        word = "stride_" + roles.names[buffer];
      }
    }
    arguments[stride] = word;
  }
  return arguments;
}

}  // namespace

bool suits(const KnownOperation& known, const Roles& roles) {
  const std::size_t inputs = roles.buffers.size() - 1;
  return known.inputs.size() == inputs + (known.updates ? 1 : 0) &&
         known.scalars == roles.scalars.size();
}

std::vector<Frame> frames_of(const OperationKernel& kernel, const Roles& roles,
                             const KnownOperation& known, const Assignment& assignment) {
  Frame frame{kernel.base, {}, 1};
  frame.draft.operation = operation_of(kernel, roles, known, assignment);
  frame.draft.arguments = arguments_of(kernel, roles, columns_of(assignment.extents));
  for (const std::size_t one : assignment.inputs) frame.inputs.push_back(roles.names[one]);
  if (known.updates) frame.inputs.push_back(frame.draft.operation->inputs.back().name);
  std::vector<Frame> frames;
  for (PossibleGeometry& one : possible_geometries(kernel, roles, assignment.extents)) {
    frame.draft.block = std::move(one.geometry.block);
    frame.draft.grid = std::move(one.geometry.grid);
    frame.draft.shared_text = std::move(one.geometry.shared);
    frame.per_thread = one.per_thread;
    frames.push_back(frame);
  }
  return frames;
}

std::string definition(const KnownOperation& known, const Frame& frame) {
  const DraftOperation& operation = *frame.draft.operation;
  std::string text = replaced_all(known.define, "$y", operation.outputs.front().name);
  for (std::size_t i = 0; i < frame.inputs.size(); ++i) {
    text = replaced_all(text, fmt::format("${}", i), frame.inputs[i]);
  }
  if (!operation.scalars.empty()) text = replaced_all(text, "$s", operation.scalars.front());
  if (operation.scalars.size() > 1) text = replaced_all(text, "$t", operation.scalars[1]);
  text = replaced_all(text, "$m", operation.extents.front());
  return replaced_all(text, "$n", columns_of(operation.extents));
}

std::vector<std::vector<std::string>> conditions_of_vectors(const Draft& draft) {
  std::vector<std::vector<std::string>> all;
  const std::string& columns = columns_of(draft.operation->extents);
  for (const std::size_t width : {2, 4, 8}) {
    std::vector<std::string> conditions = {fmt::format("{} % {} == 0", columns, width)};
    for (const auto* tensors : {&draft.operation->inputs, &draft.operation->outputs}) {
      for (const DraftTensor& one : *tensors) {
        const bool is_argument = draft.takes(one.name);
        if (!is_argument || one.shape.back() != columns) continue;
        conditions.push_back(fmt::format("aligned({}, {})", one.name, width * size_of(one.type)));
        if (draft.takes("stride_" + one.name)) {
          conditions.push_back(fmt::format("stride_{} % {} == 0", one.name, width));
        }
      }
    }
    all.push_back(std::move(conditions));
  }
  return all;
}

std::vector<std::vector<std::string>> conditions_of_tiles(const Draft& draft) {
  std::vector<std::vector<std::string>> all;
  for (const int tile : {32, 256}) {
    std::vector<std::string> conditions;
    for (const std::string& one : draft.operation->extents) {
      conditions.push_back(fmt::format("{} % {} == 0", one, tile));
    }
    all.push_back(std::move(conditions));
  }
  return all;
}

Assignment first_assignment(const Roles& roles, std::size_t output) {
  Assignment assignment{output, roles.buffers, roles.extent_names()};
  std::erase(assignment.inputs, output);
  return assignment;
}

std::vector<std::vector<std::size_t>> orders_of(std::size_t extents) {
  std::vector<std::size_t> order(extents);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> all;
  do {
    all.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

}  // namespace warpcheck::workflows::init
