// Races of works of streams that nothing orders.
#pragma once

#include <vector>

#include "runtime/order/stream_order.hpp"
#include "runtime/work/work.hpp"

namespace warpcheck::runtime {

/// The stream in the order of works. Call this with the runtime locked.
[[nodiscard]] OrderedStream ordered(cudaStream_t stream);

/// Executes work that is not recorded, in the order of its stream, and reports its races.
cudaError_t execute_in_order(Runtime& runtime, cudaStream_t stream, const Work& work);

/// The same for a node of a graph after `dependencies`.
cudaError_t execute_node(Runtime& runtime, GraphOrder& graph, const void* node,
                         const std::vector<const void*>& dependencies, const Work& work);

/// A stream allocates or frees the memory: no other stream may use it without an order. `verb`:
/// "allocates" or "frees".
void note_lifetime(Runtime& runtime, const char* function, const char* verb, const void* address,
                   cudaStream_t stream);

}  // namespace warpcheck::runtime
