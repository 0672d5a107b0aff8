// Builds a graph by capture, with a fork and a join, and one node by node. Launches, updates and
// clones them. With DEFECT, memory is freed before a graph that uses it is launched.
#include <cstdio>

#include "timing.hpp"

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

__global__ void add(const int* a, const int* b, int* out) {
  out[threadIdx.x] += a[threadIdx.x] + b[threadIdx.x];  // finding here
}

constexpr int n = 64;
constexpr int bytes = n * sizeof(int);
int *a, *b, *out;

/// fill(a) and fill(b) on two streams, then add().
cudaGraph_t captured(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t forked, joined;
  cudaEventCreate(&forked);
  cudaEventCreate(&joined);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(out, 0, bytes, stream);
  cudaEventRecord(forked, stream);
  cudaStreamWaitEvent(other, forked, 0);
  fill<<<1, n, 0, stream>>>(a, 3);
  fill<<<1, n, 0, other>>>(b, 4);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(stream, joined, 0);
  add<<<1, n, 0, stream>>>(a, b, out);
  cudaStreamEndCapture(stream, &graph);
  cudaEventDestroy(forked);
  cudaEventDestroy(joined);
  return graph;
}

int calls = 0;
void count(void* by) { calls += *static_cast<int*>(by); }

/// A copy of `from` to out, then a kernel that adds b twice, and a function of the host.
bool explicit_graph(cudaStream_t stream) {
  static int host[n];
  int by = 5;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaGraph_t graph;
  cudaGraphNode_t copy, kernel, call, last;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&b, &b, &out};
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void*>(add);
  launch.gridDim = 1;
  launch.blockDim = n;
  launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch);
  cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, out, host, bytes, cudaMemcpyHostToDevice);
  cudaGraphAddDependencies(graph, &copy, &kernel, nullptr,
                           1);  // the reverse of the order of creation
  cudaHostNodeParams function{count, &by};
  cudaGraphAddHostNode(&call, graph, &kernel, 1, &function);
  cudaGraphAddEmptyNode(&last, graph, &call, 1);
  size_t nodes = 0, edges = 0, roots = 1;
  cudaGraphNode_t root;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraphGetRootNodes(graph, &root, &roots);
  if (nodes != 4 || edges != 3 || roots != 1 || root != copy) return false;
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  int result[n];
  cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost);
  if (result[7] != 7 + 2 * 4 || calls != 5) return false;
  void* others[] = {&a, &b, &out};
  launch.kernelParams = others;
  cudaGraphExecKernelNodeSetParams(exec, kernel, &launch);
  cudaGraphLaunch(exec, stream);
  cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost);
  cudaGraphKernelNodeGetParams(kernel, &launch);  // those of the graph are unchanged
  const bool unchanged = *static_cast<int**>(launch.kernelParams[0]) == b;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return result[7] == 7 + 3 + 4 && calls == 10 && unchanged;
}

bool capture_graph(cudaStream_t stream, cudaStream_t other) {
  const cudaGraph_t graph = captured(stream, other);
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraph_t clone;
  cudaGraphClone(&clone, graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, clone, 0);
  cudaGraph_t parent;  // has the graph as its child, twice
  cudaGraphNode_t first, second;
  cudaGraphCreate(&parent, 0);
  cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, graph);
  cudaGraphAddChildGraphNode(&second, parent, &first, 1, graph);
  cudaGraphExec_t twice;
  cudaGraphInstantiate(&twice, parent, 0);
  cudaGraphExecUpdateResultInfo info;
  const bool differs =
      cudaGraphExecUpdate(exec, parent, &info) == cudaErrorGraphExecUpdateFailure &&
      info.result == cudaGraphExecUpdateErrorTopologyChanged &&
      cudaGetLastError() == cudaErrorGraphExecUpdateFailure;
  const bool same = cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess;
#ifdef DEFECT
  cudaFree(a);
#endif
  cudaGraphLaunch(exec, stream);
  cudaGraphLaunch(twice, stream);
  cudaStreamSynchronize(stream);
  int result[n];
  cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost);
  for (const cudaGraphExec_t one : {exec, twice}) cudaGraphExecDestroy(one);
  for (const cudaGraph_t one : {graph, clone, parent}) cudaGraphDestroy(one);
  return nodes == 4 && edges == 4 && differs && same && result[9] == 7;
}

int main() {
  const Timing timing;
  for (int** one : {&a, &b, &out}) cudaMalloc(one, bytes);
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  if (!capture_graph(stream, other)) return 7;
  if (!explicit_graph(stream)) return 8;
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
#ifndef DEFECT
  cudaFree(a);
#endif
  cudaFree(b);
  cudaFree(out);
  std::puts("correct");
}
