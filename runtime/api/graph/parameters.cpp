// Parameters of the nodes of graphs and of executable graphs.
#include "runtime/api/graph/handles.hpp"
#include "runtime/arrays.hpp"
#include "runtime/work/graph_parameters.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

/// Copies the parameters of a node whose work is a `Kind`.
template <typename Kind, typename Parameters>
cudaError_t get(const char* function, cudaGraphNode_t node, Parameters* parameters) {
  return with_node(function, node, [&](Runtime& runtime) {
    if (!std::holds_alternative<Kind>(node->work)) {
      return wrong_graph_call(runtime, function, "the node has another type");
    }
    write_parameters(*node, *parameters);
    return cudaSuccess;
  });
}

template <typename Parameters>
cudaError_t set(Runtime& runtime, const char* function, CUgraphNode_st& node,
                const Parameters& parameters) {
  Work work;
  const cudaError_t error = read_parameters(runtime, parameters, work);
  return error == cudaSuccess ? set_work(runtime, function, node, std::move(work)) : error;
}

template <typename Parameters>
cudaError_t set(const char* function, cudaGraphNode_t node, const Parameters& parameters) {
  return with_node(function, node,
                   [&](Runtime& runtime) { return set(runtime, function, *node, parameters); });
}

template <typename Parameters>
cudaError_t set(const char* function, cudaGraphExec_t exec, cudaGraphNode_t node,
                const Parameters& parameters) {
  return with_exec_node(function, exec, node, [&](Runtime& runtime, CUgraphNode_st& found) {
    return set(runtime, function, found, parameters);
  });
}

template <typename EventWork>
cudaError_t get_event(const char* function, cudaGraphNode_t node, cudaEvent_t* event) {
  return with_node(function, node, [&](Runtime& runtime) {
    const auto* const work = std::get_if<EventWork>(&node->work);
    if (work == nullptr) return wrong_graph_call(runtime, function, "the node has another type");
    *event = work->event;
    return cudaSuccess;
  });
}

template <typename EventWork>
cudaError_t set_event(const char* function, cudaGraphNode_t node, cudaEvent_t event) {
  return with_node(function, node, [&](Runtime& runtime) {
    const cudaError_t error = check_event(runtime, function, event);
    return error == cudaSuccess ? set_work(runtime, function, *node, EventWork{event}) : error;
  });
}

template <typename EventWork>
cudaError_t set_event(const char* function, cudaGraphExec_t exec, cudaGraphNode_t node,
                      cudaEvent_t event) {
  return with_exec_node(function, exec, node, [&](Runtime& runtime, CUgraphNode_st& found) {
    const cudaError_t error = check_event(runtime, function, event);
    return error == cudaSuccess ? set_work(runtime, function, found, EventWork{event}) : error;
  });
}

}  // namespace

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return get<LaunchWork>("cudaGraphKernelNodeGetParams", node, parameters);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return set("cudaGraphKernelNodeSetParams", node, *parameters);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set("cudaGraphExecKernelNodeSetParams", exec, node, *parameters);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return with_node("cudaGraphMemcpyNodeGetParams", node, [&](Runtime& runtime) {
    const auto* const work = std::get_if<CopyWork>(&node->work);
    if (work != nullptr && (is_in_array(work->from.address) || is_in_array(work->to.address))) {
      return runtime.unsupported("cudaGraphMemcpyNodeGetParams", "the node copies a CUDA array");
    }
    return get<CopyWork>("cudaGraphMemcpyNodeGetParams", node, parameters);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set("cudaGraphMemcpyNodeSetParams", node, *parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set("cudaGraphExecMemcpyNodeSetParams", exec, node, *parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return with_node("cudaGraphMemcpyNodeSetParams1D", node, [&](Runtime& runtime) {
    return set_work(runtime, "cudaGraphMemcpyNodeSetParams1D", *node,
                    plain_copy(to, from, bytes, kind));
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  constexpr const char* kFunction = "cudaGraphExecMemcpyNodeSetParams1D";
  return with_exec_node(kFunction, exec, node, [&](Runtime& runtime, CUgraphNode_st& found) {
    return set_work(runtime, kFunction, found, plain_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get<FillWork>("cudaGraphMemsetNodeGetParams", node, parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set("cudaGraphMemsetNodeSetParams", node, *parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set("cudaGraphExecMemsetNodeSetParams", exec, node, *parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get<HostWork>("cudaGraphHostNodeGetParams", node, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set("cudaGraphHostNodeSetParams", node, *parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set("cudaGraphExecHostNodeSetParams", exec, node, *parameters);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return set("cudaGraphNodeSetParams", node, *parameters);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return set("cudaGraphExecNodeSetParams", exec, node, *parameters);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<RecordWork>("cudaGraphEventRecordNodeGetEvent", node, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<RecordWork>("cudaGraphEventRecordNodeSetEvent", node, event);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_event<RecordWork>("cudaGraphExecEventRecordNodeSetEvent", exec, node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<WaitWork>("cudaGraphEventWaitNodeGetEvent", node, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<WaitWork>("cudaGraphEventWaitNodeSetEvent", node, event);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_event<WaitWork>("cudaGraphExecEventWaitNodeSetEvent", exec, node, event);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return with_node("cudaGraphChildGraphNodeGetGraph", node, [&](Runtime& runtime) {
    const auto* const child = std::get_if<ChildWork>(&node->work);
    if (child == nullptr) {
      return wrong_graph_call(runtime, "cudaGraphChildGraphNodeGetGraph",
                              "the node has another type");
    }
    *graph = child->graph.get();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  constexpr const char* kFunction = "cudaGraphExecChildGraphNodeSetParams";
  return with_exec_node(kFunction, exec, node, [&](Runtime& runtime, CUgraphNode_st& found) {
    return set_work(runtime, kFunction, found, ChildWork{clone(*child)});
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return with_node("cudaGraphMemAllocNodeGetParams", node, [&](Runtime& runtime) {
    const auto* const work = std::get_if<AllocateWork>(&node->work);
    if (work == nullptr) {
      return wrong_graph_call(runtime, "cudaGraphMemAllocNodeGetParams",
                              "the node has another type");
    }
    *parameters = {};
    parameters->bytesize = work->memory->bytes();
    parameters->dptr = work->memory->address();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* address) {
  return with_node("cudaGraphMemFreeNodeGetParams", node, [&](Runtime& runtime) {
    const auto* const work = std::get_if<FreeWork>(&node->work);
    if (work == nullptr) {
      return wrong_graph_call(runtime, "cudaGraphMemFreeNodeGetParams",
                              "the node has another type");
    }
    *static_cast<void**>(address) = work->address;
    return cudaSuccess;
  });
}
