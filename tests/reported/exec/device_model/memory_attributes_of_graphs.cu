// The memory of graphs, as an H200 counts it: in units of 32 MiB, until it is trimmed.
// exits: 0
// prints: captured: 0 0 0 0
// prints: launched: 33554432 33554432 33554432 33554432
// prints: trimmed: 0 33554432 0 33554432
// prints: reset: 0 0 0 0
// prints: 0 findings
#include <cstdio>

void show(const char* when) {
  std::printf("%s:", when);
  for (int i = 0; i < 4; ++i) {
    unsigned long long value = 77;
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttributeType(i), &value);
    std::printf(" %llu", value);
  }
  std::puts("");
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  void *freed, *kept;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&freed, 1000000, stream);
  cudaMemsetAsync(freed, 0, 1000000, stream);
  cudaFreeAsync(freed, stream);
  cudaMallocAsync(&kept, 3000000, stream);
  cudaMemsetAsync(kept, 0, 3000000, stream);
  cudaStreamEndCapture(stream, &graph);
  show("captured");
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  show("launched");
  cudaFreeAsync(kept, stream);
  cudaStreamSynchronize(stream);
  cudaDeviceGraphMemTrim(0);
  show("trimmed");
  unsigned long long zero = 0;
  cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero);
  cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero);
  show("reset");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return 0;
}
