// A stream or an event that has joined a capture may be destroyed before the capture ends.
// exits: 0
// prints: nothing destroyed: cudaSuccess
// prints: stream after the join: cudaSuccess
// prints: stream before the join: cudaSuccess
// prints: stream without work: cudaSuccess
// prints: events: cudaSuccess
// prints: memory: cudaSuccess
// prints: streams made before: cudaSuccess
// prints: 26 26
// prints: 0 findings
#include <cstdio>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

enum Mode { kNothing, kStream, kEarly, kIdle, kEvents, kMemory, kBefore };

void capture(const char* name, Mode mode, int* x) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  if (mode != kBefore) cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  if (mode == kBefore) cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  increment<<<1, 32, 0, first>>>(x);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  if (mode != kIdle) {
    increment<<<1, 32, 0, second>>>(x);
    cudaEventRecord(join, second);
    if (mode == kEarly) cudaStreamDestroy(second);
    cudaStreamWaitEvent(first, join, 0);
  }
  if (mode == kStream || mode == kIdle) cudaStreamDestroy(second);
  if (mode == kEvents) {
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
  }
  int* y;
  if (mode == kMemory) {
    cudaMallocAsync(&y, 128, first);
    cudaFreeAsync(y, first);
  }
  std::printf("%s: %s\n", name, cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, first);
  cudaGraphLaunch(exec, first);
  cudaStreamSynchronize(first);
}

int main() {
  int* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  capture("nothing destroyed", kNothing, x);
  capture("stream after the join", kStream, x);
  capture("stream before the join", kEarly, x);
  capture("stream without work", kIdle, x);
  capture("events", kEvents, x);
  capture("memory", kMemory, x);
  capture("streams made before", kBefore, x);
  // Two launches of graphs with two kernels each, or one.
  int host[32];
  cudaMemcpy(host, x, 128, cudaMemcpyDefault);
  std::printf("%d %d\n", host[0], host[31]);
}
