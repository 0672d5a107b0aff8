#include "runtime/work/conditions.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>

namespace warpcheck::runtime {
namespace {

struct Condition {
  unsigned value = 0;  // value at the launch of the graph if `is_default` is set
  bool is_default = false;
};

std::map<cudaGraphConditionalHandle, Condition>& conditions() {
  static auto* const all = new std::map<cudaGraphConditionalHandle, Condition>();
  return *all;
}

/// Iterations of a loop, after which the graph is not executed further.
constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 20;

std::optional<unsigned> value_of(Runtime& runtime, cudaGraphConditionalHandle handle) {
  unsigned value = 0;
  std::size_t undefined = 0;
  const auto error =
      runtime.session().read(handle, std::as_writable_bytes(std::span(&value, 1)), &undefined);
  if (!error && undefined == 0) return value;
  runtime.report(FindingClass::uninitialized_read,
                 "cudaGraphLaunch: the condition of a node is undefined: it has no default, and no "
                 "kernel called cudaGraphSetConditional");
  return std::nullopt;
}

}  // namespace

cudaError_t create_condition(Runtime& runtime, cudaGraphConditionalHandle& handle, unsigned value,
                             unsigned flags) {
  const std::string name = fmt::format("condition {} of a graph", conditions().size() + 1);
  const auto address = runtime.session().allocate({sizeof value, {}, name});
  if (!address) return cudaErrorMemoryAllocation;
  handle = *address;
  conditions()[handle] = {value, (flags & cudaGraphCondAssignDefault) != 0};
  return cudaSuccess;
}

bool is_condition(cudaGraphConditionalHandle handle) { return conditions().contains(handle); }

void assign_defaults(Runtime& runtime, const CUgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      assign_defaults(runtime, *child->graph);
    }
    const auto* const conditional = std::get_if<ConditionalWork>(&node->work);
    if (conditional == nullptr) continue;
    const Condition& condition = conditions().at(conditional->condition);
    if (condition.is_default) {
      static_cast<void>(runtime.session().write(conditional->condition,
                                                std::as_bytes(std::span(&condition.value, 1))));
    }
    for (const auto& body : conditional->bodies) assign_defaults(runtime, *body);
  }
}

const CUgraph_st* next_body(Runtime& runtime, const ConditionalWork& work, std::uint64_t runs) {
  const bool is_loop = work.type == cudaGraphCondTypeWhile;
  if (runs != 0 && !is_loop) return nullptr;
  if (runs == kMostRuns) {
    static_cast<void>(runtime.unsupported(
        "cudaGraphLaunch",
        fmt::format("a conditional node was not executed to its end: it executed its graph {} "
                    "times, the limit",
                    runs)));
    return nullptr;
  }
  const auto value = value_of(runtime, work.condition);
  if (!value) return nullptr;
  const bool is_switch = work.type == cudaGraphCondTypeSwitch;
  const std::size_t index = is_switch ? *value : *value != 0 ? 0 : 1;
  if (is_loop && index != 0) return nullptr;
  return index < work.bodies.size() ? work.bodies[index].get() : nullptr;
}

}  // namespace warpcheck::runtime
