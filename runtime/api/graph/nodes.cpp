// Nodes of graphs.
#include "runtime/api/graph/handles.hpp"
#include "runtime/work/conditions.hpp"
#include "runtime/work/graph_parameters.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

/// Adds a node with parameters of the CUDA runtime.
template <typename Parameters>
cudaError_t add_with(const char* function, cudaGraphNode_t* added, cudaGraph_t graph,
                     const Dependencies& dependencies, const Parameters& parameters) {
  return with_graph(function, graph, [&](Runtime& runtime) {
    Work work;
    const cudaError_t error = read_parameters(runtime, parameters, work);
    return error == cudaSuccess ? add_node(runtime, function, added, graph, dependencies, work)
                                : error;
  });
}

template <typename EventWork>
cudaError_t add_event(const char* function, cudaGraphNode_t* added, cudaGraph_t graph,
                      const Dependencies& dependencies, cudaEvent_t event) {
  return with_graph(function, graph, [&](Runtime& runtime) {
    const cudaError_t error = check_event(runtime, function, event);
    return error == cudaSuccess
               ? add_node(runtime, function, added, graph, dependencies, EventWork{event})
               : error;
  });
}

/// Adds a conditional node, and passes its empty graphs to the program.
cudaError_t add_conditional(cudaGraphNode_t* node, cudaGraph_t graph,
                            const Dependencies& dependencies,
                            cudaConditionalNodeParams& parameters) {
  constexpr const char* kFunction = "cudaGraphAddNode";
  return with_graph(kFunction, graph, [&](Runtime& runtime) {
    if (!is_condition(parameters.handle)) {
      return wrong_graph_call(runtime, kFunction, "the handle is no condition");
    }
    const bool is_switch = parameters.type == cudaGraphCondTypeSwitch;
    const unsigned most = parameters.type == cudaGraphCondTypeIf ? 2 : 1;
    if (parameters.size == 0 || (!is_switch && parameters.size > most)) {
      return wrong_graph_call(runtime, kFunction,
                              "a conditional node with a wrong number of graphs");
    }
    ConditionalWork work{parameters.handle, parameters.type, {}};
    std::vector<cudaGraph_t> bodies;
    for (unsigned i = 0; i < parameters.size; ++i) {
      work.bodies.push_back(std::make_shared<CUgraph_st>());
      work.bodies.back()->owned = true;
      bodies.push_back(work.bodies.back().get());
    }
    const cudaError_t error =
        add_node(runtime, kFunction, node, graph, dependencies, std::move(work));
    if (error != cudaSuccess) return error;
    (*node)->bodies = std::move(bodies);
    parameters.phGraph_out = (*node)->bodies.data();
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t warpcheck::runtime::add_node(Runtime& runtime, const char* function,
                                         cudaGraphNode_t* added, cudaGraph_t graph,
                                         const Dependencies& dependencies, Work work) {
  if (graph == nullptr) return wrong_graph_call(runtime, function, "the graph is null");
  auto node = std::make_unique<CUgraphNode_st>(graph, std::move(work));
  for (std::size_t i = 0; i < dependencies.count; ++i) {
    CUgraphNode_st* const one = dependencies.first[i];
    if (!exists(one) || one->graph != graph) {
      return wrong_graph_call(runtime, function, "a dependency is no node of the graph");
    }
    node->dependencies.push_back(one);
  }
  *added = graph->nodes.emplace_back(std::move(node)).get();
  return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  return with_graph("cudaGraphConditionalHandleCreate", graph, [&](Runtime& runtime) {
    return create_condition(runtime, *handle, value, flags);
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_with("cudaGraphAddKernelNode", node, graph, {dependencies, count}, *parameters);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_with("cudaGraphAddMemcpyNode", node, graph, {dependencies, count}, *parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return with_graph("cudaGraphAddMemcpyNode1D", graph, [&](Runtime& runtime) {
    return add_node(runtime, "cudaGraphAddMemcpyNode1D", node, graph, {dependencies, count},
                    plain_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  void* to = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&to, symbol)) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, static_cast<char*>(to) + offset,
                                  from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  void* from = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&from, symbol)) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to,
                                  static_cast<char*>(from) + offset, bytes, kind);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_with("cudaGraphAddMemsetNode", node, graph, {dependencies, count}, *parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_with("cudaGraphAddHostNode", node, graph, {dependencies, count}, *parameters);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                             size_t count, cudaGraphNodeParams* parameters) {
  const cudaError_t wrong = api_call(
      [&](Runtime& runtime) { return check_edges(runtime, "cudaGraphAddNode", edges, count); });
  if (wrong != cudaSuccess) return wrong;
  if (parameters->type == cudaGraphNodeTypeMemAlloc) {
    cudaMemAllocNodeParams alloc{};
    alloc.bytesize = parameters->alloc.bytesize;
    const cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &alloc);
    parameters->alloc.dptr = alloc.dptr;
    return error;
  }
  if (parameters->type == cudaGraphNodeTypeMemFree) {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, parameters->free.dptr);
  }
  if (parameters->type == cudaGraphNodeTypeConditional) {
    return add_conditional(node, graph, {dependencies, count}, parameters->conditional);
  }
  return add_with("cudaGraphAddNode", node, graph, {dependencies, count}, *parameters);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return with_graph("cudaGraphAddChildGraphNode", graph, [&](Runtime& runtime) {
    return add_node(runtime, "cudaGraphAddChildGraphNode", node, graph, {dependencies, count},
                    ChildWork{clone(*child)});
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return with_graph("cudaGraphAddEmptyNode", graph, [&](Runtime& runtime) {
    return add_node(runtime, "cudaGraphAddEmptyNode", node, graph, {dependencies, count},
                    EmptyWork{});
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_event<RecordWork>("cudaGraphAddEventRecordNode", node, graph, {dependencies, count},
                               event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_event<WaitWork>("cudaGraphAddEventWaitNode", node, graph, {dependencies, count},
                             event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  constexpr const char* kFunction = "cudaGraphAddMemAllocNode";
  return with_graph(kFunction, graph, [&](Runtime& runtime) {
    const cudaError_t error =
        allocate(runtime, kFunction, &parameters->dptr, parameters->bytesize, MemoryUse::device);
    if (error != cudaSuccess) return error;
    auto memory = std::make_shared<GraphMemory>(parameters->dptr, parameters->bytesize);
    return add_node(runtime, kFunction, node, graph, {dependencies, count},
                    AllocateWork{std::move(memory)});
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* address) {
  return with_graph("cudaGraphAddMemFreeNode", graph, [&](Runtime& runtime) {
    return add_node(runtime, "cudaGraphAddMemFreeNode", node, graph, {dependencies, count},
                    FreeWork{address});
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return with_node("cudaGraphDestroyNode", node, [&](Runtime&) {
    auto& nodes = node->graph->nodes;
    for (const auto& other : nodes) std::erase(other->dependencies, node);
    std::erase_if(nodes, [&](const auto& one) { return one.get() == node; });
    return cudaSuccess;
  });
}
