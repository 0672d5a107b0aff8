// Graphs that a program builds node by node with the driver API: copies, a fill, kernels, a
// function of the host, a loop. With DEFECT, the kernel does not depend on the copy that it reads.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#include "check.h"

constexpr unsigned n = 64;

extern "C" __global__ void add(const int* from, int* to) { to[threadIdx.x] += from[threadIdx.x]; }

extern "C" __global__ void count_down(int* left, cudaGraphConditionalHandle handle) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left != 0);
}

CUfunction function_of(const void* kernel) {
  cudaFunction_t function;
  if (cudaGetFuncBySymbol(&function, kernel) != cudaSuccess) std::exit(7);
  return function;
}

CUDA_KERNEL_NODE_PARAMS kernel(const void* function, unsigned threads, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS parameters{};
  parameters.func = function_of(function);
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = threads;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

CUDA_MEMCPY3D copy_to_device(CUdeviceptr to, const void* from, size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

void increment(void* calls) { ++*static_cast<int*>(calls); }

bool copies_and_sums(CUcontext context) {
  const size_t bytes = n * sizeof(int);
  int host[n], others[n], sums[n], calls = 0;
  for (unsigned i = 0; i < n; ++i) {
    host[i] = static_cast<int>(i);
    others[i] = 100;
  }
  CUdeviceptr from, to;
  CHECK(cuMemAlloc(&from, bytes));
  CHECK(cuMemAlloc(&to, bytes));
  CUmemorytype of_device;
  CHECK(cuPointerGetAttribute(&of_device, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, from));
  CUgraph graph;
  CUgraphNode copy, fill, launch, call, last;
  CHECK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D copying = copy_to_device(from, host, bytes);
  CHECK(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &copying, context));
  CUDA_MEMSET_NODE_PARAMS filling{to, 0, 7, 4, n, 1};
  CHECK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &filling, context));
  void* arguments[] = {&from, &to};
  CUDA_KERNEL_NODE_PARAMS adding = kernel(reinterpret_cast<void*>(add), n, arguments);
  CHECK(cuGraphAddKernelNode(&launch, graph, &fill, 1, &adding));
#ifndef DEFECT
  CHECK(cuGraphAddDependencies(graph, &copy, &launch, nullptr, 1));
#endif
  CUDA_HOST_NODE_PARAMS calling{increment, &calls};
  CHECK(cuGraphAddHostNode(&call, graph, &launch, 1, &calling));
  CHECK(cuGraphAddEmptyNode(&last, graph, &call, 1));
  size_t nodes = 0, roots = 0;
  CUgraphNodeType type;
  CHECK(cuGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cuGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cuGraphNodeGetType(launch, &type));
  CHECK(cuGraphKernelNodeGetParams(launch, &adding));
  CUgraph clone;
  CHECK(cuGraphClone(&clone, graph));
  CUgraphExec exec;
  CHECK(cuGraphInstantiate(&exec, clone, 0));
  CHECK(cuGraphLaunch(exec, nullptr));  // finding here
  CHECK(cuMemcpyDtoH(sums, to, bytes));
  const bool first = sums[9] == 7 + 9 && calls == 1;
  CUgraphNode in_clone;
  CHECK(cuGraphNodeFindInClone(&in_clone, copy, clone));
  copying.srcHost = others;
  CHECK(cuGraphExecMemcpyNodeSetParams(exec, in_clone, &copying, context));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuMemcpyDtoH(sums, to, bytes));
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(clone));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuMemFree(from));
  CHECK(cuMemFree(to));
  const bool described = nodes == 5 && type == CU_GRAPH_NODE_TYPE_KERNEL && adding.blockDimX == n &&
                         of_device == CU_MEMORYTYPE_DEVICE;
  return first && described && roots >= 2 && sums[9] == 107 && calls == 2;
}

bool loop(CUcontext context) {
  CUgraph graph;
  CHECK(cuGraphCreate(&graph, 0));
  CUgraphConditionalHandle handle;
  CHECK(cuGraphConditionalHandleCreate(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  parameters.conditional.handle = handle;
  parameters.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
  parameters.conditional.size = 1;
  parameters.conditional.ctx = context;
  CUgraphNode node, inner;
  CHECK(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  CUdeviceptr left;
  int value = 5;
  CHECK(cuMemAlloc(&left, sizeof value));
  CHECK(cuMemcpyHtoD(left, &value, sizeof value));
  void* arguments[] = {&left, &handle};
  const CUDA_KERNEL_NODE_PARAMS counting =
      kernel(reinterpret_cast<void*>(count_down), 1, arguments);
  CHECK(cuGraphAddKernelNode(&inner, parameters.conditional.phGraph_out[0], nullptr, 0, &counting));
  CUgraphExec exec;
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, nullptr));
  CHECK(cuMemcpyDtoH(&value, left, sizeof value));
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuMemFree(left));
  return value == 0;
}

int main() {
  cudaFree(nullptr);
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  const bool right = copies_and_sums(context) && loop(context);
  std::puts(right ? "correct" : "wrong");
}
