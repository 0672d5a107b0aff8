// Queries of graphs: their nodes and the edges between them.
#include <algorithm>

#include "runtime/api/graph/handles.hpp"

using namespace warpcheck::runtime;

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// Copies handles as the queries do: without an array, only their number; elements of the array
/// without a handle become null.
void give(const Nodes& nodes, cudaGraphNode_t* array, std::size_t* count) {
  if (array != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) array[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
}

void give_default_edges(cudaGraphEdgeData* edges, std::size_t count) {
  if (edges != nullptr) std::fill(edges, edges + count, cudaGraphEdgeData{});
}

}  // namespace

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph("cudaGraphGetNodes", graph, [&](Runtime&) {
    Nodes all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    give(all, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph("cudaGraphGetRootNodes", graph, [&](Runtime&) {
    Nodes roots;
    for (const auto& node : graph->nodes) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    give(roots, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  return with_graph("cudaGraphGetEdges", graph, [&](Runtime&) {
    Nodes sources;
    Nodes targets;
    for (const auto& node : graph->nodes) {
      sources.insert(sources.end(), node->dependencies.begin(), node->dependencies.end());
      targets.resize(sources.size(), node.get());
    }
    std::size_t source_count = *count;
    give(sources, from, &source_count);
    give(targets, to, count);
    give_default_edges(edges, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edges, size_t* count) {
  return with_node("cudaGraphNodeGetDependencies", node, [&](Runtime&) {
    give(node->dependencies, dependencies, count);
    give_default_edges(edges, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return with_node("cudaGraphNodeGetDependentNodes", node, [&](Runtime&) {
    Nodes found;
    for (const auto& other : node->graph->nodes) {
      if (std::count(other->dependencies.begin(), other->dependencies.end(), node) > 0) {
        found.push_back(other.get());
      }
    }
    give(found, dependents, count);
    give_default_edges(edges, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count) {
  return with_graph("cudaGraphAddDependencies", graph, [&](Runtime& runtime) {
    if (const auto error = check_edges(runtime, "cudaGraphAddDependencies", edges, count)) {
      return error;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!exists(from[i]) || !exists(to[i]) || from[i]->graph != graph || to[i]->graph != graph) {
        return wrong_graph_call(runtime, "cudaGraphAddDependencies",
                                "an edge joins nodes that are not both of the graph");
      }
      to[i]->dependencies.push_back(from[i]);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return with_graph("cudaGraphRemoveDependencies", graph, [&](Runtime& runtime) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!exists(to[i]) || std::erase(to[i]->dependencies, from[i]) == 0) {
        return wrong_graph_call(runtime, "cudaGraphRemoveDependencies", "there is no such edge");
      }
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return with_node("cudaGraphNodeGetType", node, [&](Runtime&) {
    *type = type_of(node->work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return with_graph("cudaGraphNodeFindInClone", clone, [&](Runtime& runtime) {
    *found = find_in_clone(*clone, original);
    return *found != nullptr ? cudaSuccess
                             : wrong_graph_call(runtime, "cudaGraphNodeFindInClone",
                                                "the graph has no clone of the node");
  });
}
