// Graphs and executable graphs.
#include "runtime/api/graph/handles.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return api_call([&](Runtime&) {
    *graph = graphs().emplace_back(std::make_unique<CUgraph_st>()).get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  return with_graph("cudaGraphClone", graph, [&](Runtime&) {
    *copy = graphs().emplace_back(clone(*graph)).get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call([&](Runtime& runtime) {
    const auto is_it = [&](const auto& one) { return one.get() == graph && !one->owned; };
    return std::erase_if(graphs(), is_it) != 0
               ? cudaSuccess
               : wrong_graph_call(runtime, "cudaGraphDestroy",
                                  "the graph does not exist or was destroyed");
  });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return with_graph("cudaGraphInstantiate", graph, [&](Runtime& runtime) {
    if (const auto error = check_safe_call(runtime, "cudaGraphInstantiate")) return error;
    runtime.order().activate();
    auto made = std::make_unique<CUgraphExec_st>();
    made->graph = clone(*graph);
    made->order = topological_order(*made->graph);
    made->flags = parameters->flags;
    parameters->errNode_out = nullptr;
    parameters->result_out = cudaGraphInstantiateInvalidStructure;
    if (made->order.size() != made->graph->nodes.size()) {
      return wrong_graph_call(runtime, "cudaGraphInstantiate",
                              "the edges of the graph are a cycle");
    }
    parameters->result_out = cudaGraphInstantiateSuccess;
    *exec = graph_execs().emplace_back(std::move(made)).get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  cudaGraphInstantiateParams parameters{};
  parameters.flags = flags;
  return cudaGraphInstantiateWithParams(exec, graph, &parameters);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return with_exec("cudaGraphExecGetFlags", exec, [&](Runtime&) {
    *flags = exec->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return with_exec("cudaGraphExecDestroy", exec, [&](Runtime& runtime) {
    if (const auto error = check_safe_call(runtime, "cudaGraphExecDestroy")) return error;
    std::erase_if(graph_execs(), [&](const auto& one) { return one.get() == exec; });
    return cudaSuccess;
  });
}

/// A program may try an update that is not possible: that is no misuse.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return with_exec("cudaGraphExecUpdate", exec, [&](Runtime&) {
    cudaGraphNode_t changed = nullptr;
    const cudaGraphExecUpdateResult result = update(*exec->graph, *graph, changed);
    if (info != nullptr) *info = {result, changed, nullptr};
    return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return with_exec("cudaGraphUpload", exec, [&](Runtime& runtime) {
    return check_stream(runtime, "cudaGraphUpload", stream);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  const cudaError_t error = with_exec("cudaGraphLaunch", exec, [&](Runtime& runtime) {
    const cudaError_t wrong = check_stream(runtime, "cudaGraphLaunch", stream);
    return wrong == cudaSuccess ? check_not_capturing(runtime, "cudaGraphLaunch", stream) : wrong;
  });
  return error == cudaSuccess ? run(*exec, stream) : error;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return with_exec_node("cudaGraphNodeSetEnabled", exec, node,
                        [&](Runtime&, CUgraphNode_st& found) {
                          found.enabled = enabled != 0;
                          return cudaSuccess;
                        });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return with_exec_node("cudaGraphNodeGetEnabled", exec, node,
                        [&](Runtime&, CUgraphNode_st& found) {
                          *enabled = found.enabled ? 1 : 0;
                          return cudaSuccess;
                        });
}
