// The values on which conditional nodes of graphs depend. A kernel sets them by
// cudaGraphSetConditional(): a handle is the address of the value in the memory of the device.
#pragma once

#include "runtime/work/graph.hpp"

namespace warpcheck::runtime {

cudaError_t create_condition(Runtime& runtime, cudaGraphConditionalHandle& handle, unsigned value,
                             unsigned flags);
[[nodiscard]] bool is_condition(cudaGraphConditionalHandle handle);

/// Assigns the defaults of the conditions of a graph, and of those in it, that is launched.
void assign_defaults(Runtime& runtime, const CUgraph_st& graph);

/// The graph that a conditional node executes next, after `runs` others; null: none. A value that
/// nothing set is a finding.
[[nodiscard]] const CUgraph_st* next_body(Runtime& runtime, const ConditionalWork& work,
                                          std::uint64_t runs);

}  // namespace warpcheck::runtime
