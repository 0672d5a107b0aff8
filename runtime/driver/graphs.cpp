// Graphs of the driver. Their handles are those of the runtime.
#include <cstring>

#include "runtime/api/graph/handles.hpp"
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

using Node = CUgraphNode;

cudaKernelNodeParams runtime_form(const CUDA_KERNEL_NODE_PARAMS& from) {
  void* const kernel = from.func != nullptr ? static_cast<void*>(from.func) : from.kern;
  return {kernel,
          {from.gridDimX, from.gridDimY, from.gridDimZ},
          {from.blockDimX, from.blockDimY, from.blockDimZ},
          from.sharedMemBytes,
          from.kernelParams,
          from.extra};
}

cudaMemsetParams runtime_form(const CUDA_MEMSET_NODE_PARAMS& from) {
  return {pointer_to_device(from.dst),
          from.pitch,
          from.value,
          from.elementSize,
          from.width,
          from.height};
}

cudaHostNodeParams runtime_form(const CUDA_HOST_NODE_PARAMS& from) {
  return {from.fn, from.userData};
}

const cudaGraphEdgeData* runtime_form(const CUgraphEdgeData* edges) {
  static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));
  return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}
cudaGraphEdgeData* runtime_form(CUgraphEdgeData* edges) {
  return reinterpret_cast<cudaGraphEdgeData*>(edges);
}

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

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return forward("cuGraphCreate", [&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return forward("cuGraphClone", [&] { return cudaGraphClone(clone, graph); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return forward("cuGraphDestroy", [&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphDestroyNode(Node node) {
  return forward("cuGraphDestroyNode", [&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphAddKernelNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* parameters) {
  const cudaKernelNodeParams own = runtime_form(*parameters);
  return forward("cuGraphAddKernelNode",
                 [&] { return cudaGraphAddKernelNode(node, graph, dependencies, count, &own); });
}
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
CUresult cuGraphKernelNodeSetParams(Node node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  const cudaKernelNodeParams own = runtime_form(*parameters);
  return forward("cuGraphKernelNodeSetParams",
                 [&] { return cudaGraphKernelNodeSetParams(node, &own); });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, Node node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  const cudaKernelNodeParams own = runtime_form(*parameters);
  return forward("cuGraphExecKernelNodeSetParams",
                 [&] { return cudaGraphExecKernelNodeSetParams(exec, node, &own); });
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

CUresult cuGraphAddMemsetNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  const cudaMemsetParams own = runtime_form(*parameters);
  return forward("cuGraphAddMemsetNode",
                 [&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, &own); });
}
CUresult cuGraphMemsetNodeSetParams(Node node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  const cudaMemsetParams own = runtime_form(*parameters);
  return forward("cuGraphMemsetNodeSetParams",
                 [&] { return cudaGraphMemsetNodeSetParams(node, &own); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, Node node,
                                        const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  const cudaMemsetParams own = runtime_form(*parameters);
  return forward("cuGraphExecMemsetNodeSetParams",
                 [&] { return cudaGraphExecMemsetNodeSetParams(exec, node, &own); });
}

CUresult cuGraphAddHostNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  const cudaHostNodeParams own = runtime_form(*parameters);
  return forward("cuGraphAddHostNode",
                 [&] { return cudaGraphAddHostNode(node, graph, dependencies, count, &own); });
}
CUresult cuGraphHostNodeSetParams(Node node, const CUDA_HOST_NODE_PARAMS* parameters) {
  const cudaHostNodeParams own = runtime_form(*parameters);
  return forward("cuGraphHostNodeSetParams",
                 [&] { return cudaGraphHostNodeSetParams(node, &own); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, Node node,
                                      const CUDA_HOST_NODE_PARAMS* parameters) {
  const cudaHostNodeParams own = runtime_form(*parameters);
  return forward("cuGraphExecHostNodeSetParams",
                 [&] { return cudaGraphExecHostNodeSetParams(exec, node, &own); });
}

CUresult cuGraphAddChildGraphNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                                  CUgraph child) {
  return forward("cuGraphAddChildGraphNode", [&] {
    return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child);
  });
}
CUresult cuGraphChildGraphNodeGetGraph(Node node, CUgraph* graph) {
  return forward("cuGraphChildGraphNodeGetGraph",
                 [&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, Node node, CUgraph child) {
  return forward("cuGraphExecChildGraphNodeSetParams",
                 [&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}
CUresult cuGraphAddEmptyNode(Node* node, CUgraph graph, const Node* dependencies, size_t count) {
  return forward("cuGraphAddEmptyNode",
                 [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
CUresult cuGraphAddEventRecordNode(Node* node, CUgraph graph, const Node* dependencies,
                                   size_t count, CUevent event) {
  return forward("cuGraphAddEventRecordNode", [&] {
    return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event);
  });
}
CUresult cuGraphAddEventWaitNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                                 CUevent event) {
  return forward("cuGraphAddEventWaitNode", [&] {
    return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event);
  });
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
CUresult cuGraphAddMemFreeNode(Node* node, CUgraph graph, const Node* dependencies, size_t count,
                               CUdeviceptr address) {
  return forward("cuGraphAddMemFreeNode", [&] {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer_to_device(address));
  });
}

CUresult cuGraphAddNode(Node* node, CUgraph graph, const Node* dependencies,
                        const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* parameters) {
  const CUresult wrong = driver_call([&](Runtime& runtime) {
    return check_edges(runtime, "cuGraphAddNode", runtime_form(edges), count);
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
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned value, unsigned flags) {
  return forward("cuGraphConditionalHandleCreate", [&] {
    return cudaGraphConditionalHandleCreate(reinterpret_cast<cudaGraphConditionalHandle*>(handle),
                                            graph, value, flags);
  });
}

CUresult cuGraphGetNodes(CUgraph graph, Node* nodes, size_t* count) {
  return forward("cuGraphGetNodes", [&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, Node* nodes, size_t* count) {
  return forward("cuGraphGetRootNodes", [&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphGetEdges(CUgraph graph, Node* from, Node* to, CUgraphEdgeData* edges,
                         size_t* count) {
  return forward("cuGraphGetEdges",
                 [&] { return cudaGraphGetEdges(graph, from, to, runtime_form(edges), count); });
}
CUresult cuGraphNodeGetDependencies(Node node, Node* nodes, CUgraphEdgeData* edges, size_t* count) {
  return forward("cuGraphNodeGetDependencies", [&] {
    return cudaGraphNodeGetDependencies(node, nodes, runtime_form(edges), count);
  });
}
CUresult cuGraphNodeGetDependentNodes(Node node, Node* nodes, CUgraphEdgeData* edges,
                                      size_t* count) {
  return forward("cuGraphNodeGetDependentNodes", [&] {
    return cudaGraphNodeGetDependentNodes(node, nodes, runtime_form(edges), count);
  });
}
CUresult cuGraphAddDependencies(CUgraph graph, const Node* from, const Node* to,
                                const CUgraphEdgeData* edges, size_t count) {
  return forward("cuGraphAddDependencies", [&] {
    return cudaGraphAddDependencies(graph, from, to, runtime_form(edges), count);
  });
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const Node* from, const Node* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  return forward("cuGraphRemoveDependencies", [&] {
    return cudaGraphRemoveDependencies(graph, from, to, runtime_form(edges), count);
  });
}
CUresult cuGraphNodeGetType(Node node, CUgraphNodeType* type) {
  return forward("cuGraphNodeGetType", [&] {
    return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type));
  });
}
CUresult cuGraphNodeFindInClone(Node* found, Node node, CUgraph clone) {
  return forward("cuGraphNodeFindInClone",
                 [&] { return cudaGraphNodeFindInClone(found, node, clone); });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return forward("cuGraphInstantiateWithFlags",
                 [&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return forward("cuGraphInstantiateWithParams", [&] {
    static_assert(sizeof(cudaGraphInstantiateParams) == sizeof *parameters);
    return cudaGraphInstantiateWithParams(
        exec, graph, reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
  });
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return forward("cuGraphExecGetFlags", [&] {
    return cudaGraphExecGetFlags(exec, reinterpret_cast<unsigned long long*>(flags));
  });
}
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return forward("cuGraphExecUpdate", [&] {
    static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof *info);
    return cudaGraphExecUpdate(exec, graph, reinterpret_cast<cudaGraphExecUpdateResultInfo*>(info));
  });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, Node node, unsigned enabled) {
  return forward("cuGraphNodeSetEnabled",
                 [&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, Node node, unsigned* enabled) {
  return forward("cuGraphNodeGetEnabled",
                 [&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return forward("cuGraphUpload", [&] { return cudaGraphUpload(exec, stream); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return forward_unlocked("cuGraphLaunch", [&] { return cudaGraphLaunch(exec, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return forward("cuGraphExecDestroy", [&] { return cudaGraphExecDestroy(exec); });
}
