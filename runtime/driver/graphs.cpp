// Graphs of the driver. Their handles are those of the runtime.
#include <cstring>

#include "runtime/api/graph/handles.hpp"
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

using Node = CUgraphNode;

/// A copy of a graph as the runtime does it.
CUresult set_copy(const char* function, const CUDA_MEMCPY3D& copy, CUgraphNode_st* node) {
  return context_call(function, [&](Runtime& runtime) {
    if (!exists(node)) return wrong_graph_call(runtime, function, "the node does not exist");
    CopyWork work;
    const cudaError_t error = read_copy(runtime, function, copy, work);
    return error == cudaSuccess ? set_work(runtime, function, *node, work) : error;
  });
}

CUresult add_conditional(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                         CUDA_CONDITIONAL_NODE_PARAMS& parameters) {
  cudaGraphNodeParams all{};
  all.type = cudaGraphNodeTypeConditional;
  all.conditional.handle = parameters.handle;
  all.conditional.type = static_cast<cudaGraphConditionalNodeType>(parameters.type);
  all.conditional.size = parameters.size;
  const CUresult result = forward("cuGraphAddNode", [&] {
    return cudaGraphAddNode(node, graph, dependencies, nullptr, count, &all);
  });
  parameters.phGraph_out = all.conditional.phGraph_out;
  return result;
}

}  // namespace

CUresult cuGraphKernelNodeGetParams(Node node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return forward("cuGraphKernelNodeGetParams", [&] {
    cudaKernelNodeParams own{};
    const cudaError_t error = cudaGraphKernelNodeGetParams(node, &own);
    *parameters = {static_cast<CUfunction>(own.func),
                   own.gridDim.x,
                   own.gridDim.y,
                   own.gridDim.z,
                   own.blockDim.x,
                   own.blockDim.y,
                   own.blockDim.z,
                   own.sharedMemBytes,
                   own.kernelParams,
                   own.extra,
                   nullptr,
                   nullptr};
    return error;
  });
}

CUresult cuGraphAddMemcpyNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                              const CUDA_MEMCPY3D* copy, CUcontext) {
  constexpr const char* kFunction = "cuGraphAddMemcpyNode";
  return context_call(kFunction, [&](Runtime& runtime) {
    CopyWork work;
    if (const auto error = read_copy(runtime, kFunction, *copy, work)) return error;
    return add_node(runtime, kFunction, node, graph, {dependencies, count}, work);
  });
}
CUresult cuGraphMemcpyNodeSetParams(Node node, const CUDA_MEMCPY3D* copy) {
  return set_copy("cuGraphMemcpyNodeSetParams", *copy, node);
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, Node node, const CUDA_MEMCPY3D* copy,
                                        CUcontext) {
  CUgraphNode_st* found = nullptr;
  const cudaError_t error = with_exec_node("cuGraphExecMemcpyNodeSetParams", exec, node,
                                           [&](Runtime&, CUgraphNode_st& one) {
                                             found = &one;
                                             return cudaSuccess;
                                           });
  if (error != cudaSuccess) return result_of(error);
  return set_copy("cuGraphExecMemcpyNodeSetParams", *copy, found);
}

CUresult cuGraphAddMemAllocNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return forward("cuGraphAddMemAllocNode", [&] {
    cudaMemAllocNodeParams own{};
    own.bytesize = parameters->bytesize;
    const cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &own);
    parameters->dptr = address_of(own.dptr);
    return error;
  });
}

CUresult cuGraphAddNode(Node* node, CUgraph graph, const Node* dependencies,
                        const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* parameters) {
  const CUresult wrong = driver_call([&](Runtime& runtime) {
    static_assert(sizeof(cudaGraphEdgeData) == sizeof *edges);
    const auto* const own = reinterpret_cast<const cudaGraphEdgeData*>(edges);
    return check_edges(runtime, "cuGraphAddNode", own, count);
  });
  if (wrong != CUDA_SUCCESS) return wrong;
  switch (parameters->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      CUDA_KERNEL_NODE_PARAMS kernel;
      static_assert(sizeof kernel <= sizeof parameters->kernel);
      std::memcpy(&kernel, &parameters->kernel, sizeof kernel);
      return cuGraphAddKernelNode(node, graph, dependencies, count, &kernel);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphAddMemcpyNode(node, graph, dependencies, count, &parameters->memcpy.copyParams,
                                  nullptr);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const auto& set = parameters->memset;
      const CUDA_MEMSET_NODE_PARAMS plain{set.dst,         set.pitch, set.value,
                                          set.elementSize, set.width, set.height};
      return cuGraphAddMemsetNode(node, graph, dependencies, count, &plain, nullptr);
    }
    case CU_GRAPH_NODE_TYPE_HOST: {
      const CUDA_HOST_NODE_PARAMS plain{parameters->host.fn, parameters->host.userData};
      return cuGraphAddHostNode(node, graph, dependencies, count, &plain);
    }
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return cuGraphAddChildGraphNode(node, graph, dependencies, count, parameters->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return cuGraphAddEmptyNode(node, graph, dependencies, count);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return cuGraphAddEventWaitNode(node, graph, dependencies, count, parameters->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphAddEventRecordNode(node, graph, dependencies, count,
                                       parameters->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return add_conditional(node, graph, dependencies, count, parameters->conditional);
    default:
      return driver_call([&](Runtime& runtime) {
        return runtime.unsupported("cuGraphAddNode", "warpcheck exec has no graph nodes of type " +
                                                         std::to_string(parameters->type));
      });
  }
}
