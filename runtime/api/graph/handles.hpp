// Checks of the handles of graphs.
#pragma once

#include <string>

#include "runtime/work/graph.hpp"

namespace warpcheck::runtime {

inline cudaError_t wrong_graph_call(Runtime& runtime, const char* function, const char* reason) {
  return runtime.misuse(cudaErrorInvalidValue, std::string(function) + ": " + reason);
}

/// Calls body(runtime) if the handle is not null. Graphs inside of others are valid too.
template <typename Body>
cudaError_t with_graph(const char* function, cudaGraph_t graph, Body body) {
  return api_call([&](Runtime& runtime) {
    return graph == nullptr ? wrong_graph_call(runtime, function, "the graph is null")
                            : body(runtime);
  });
}

template <typename Body>
cudaError_t with_node(const char* function, cudaGraphNode_t node, Body body) {
  return api_call([&](Runtime& runtime) {
    return exists(node) ? body(runtime)
                        : wrong_graph_call(runtime, function, "the node does not exist");
  });
}

template <typename Body>
cudaError_t with_exec(const char* function, cudaGraphExec_t exec, Body body) {
  return api_call([&](Runtime& runtime) {
    for (const auto& one : graph_execs()) {
      if (one.get() == exec) return body(runtime);
    }
    return wrong_graph_call(runtime, function, "the executable graph does not exist");
  });
}

/// The same for the node of an executable graph that stands for a node of its graph:
/// body(runtime, node).
template <typename Body>
cudaError_t with_exec_node(const char* function, cudaGraphExec_t exec, cudaGraphNode_t node,
                           Body body) {
  return with_exec(function, exec, [&](Runtime& runtime) {
    CUgraphNode_st* const found = find_in_clone(*exec->graph, node);
    return found != nullptr
               ? body(runtime, *found)
               : wrong_graph_call(runtime, function, "the executable graph has no such node");
  });
}

struct Dependencies {
  const cudaGraphNode_t* first = nullptr;
  std::size_t count = 0;
};

/// Reports edges that let a node begin before its predecessor ends. `edges` may be null.
inline cudaError_t check_edges(Runtime& runtime, const char* function,
                               const cudaGraphEdgeData* edges, std::size_t count) {
  for (std::size_t i = 0; edges != nullptr && i < count; ++i) {
    if (edges[i].from_port == 0 && edges[i].to_port == 0 && edges[i].type == 0) continue;
    return runtime.unsupported(function, "an edge that is not a full dependency");
  }
  return cudaSuccess;
}

/// Adds a node to a graph that is not null.
cudaError_t add_node(Runtime& runtime, const char* function, cudaGraphNode_t* added,
                     cudaGraph_t graph, const Dependencies& dependencies, Work work);

/// Replaces the work of a node by work of the same type.
inline cudaError_t set_work(Runtime& runtime, const char* function, CUgraphNode_st& node,
                            Work work) {
  if (node.work.index() != work.index()) {
    return wrong_graph_call(runtime, function, "the node has another type");
  }
  node.work = std::move(work);
  return cudaSuccess;
}

}  // namespace warpcheck::runtime
