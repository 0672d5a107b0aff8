// Two threads of the host capture their own default streams at the same time, with the names that
// nvcc -default-stream per-thread gives them. The defect: a kernel of one graph uses the buffer of
// the other.
#include <thread>

#include "../samples/common.h"

constexpr int n = 128;

__global__ void add(int* data, int by) { data[threadIdx.x] += by; }

struct Captured {
  cudaGraphExec_t exec = nullptr;
  unsigned long long stream = 0;
  std::size_t nodes = 0;
};

void capture(int* data, int* other, int kernels, Captured* result) {
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamGetId(cudaStreamPerThread, &result->stream));
  CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kernels; ++i) add<<<1, n>>>(i == 1 ? other : data, 1);
  CHECK(cudaStreamIsCapturing(cudaStreamPerThread, &status));
  if (status != cudaStreamCaptureStatusActive) std::exit(EXIT_FAILURE);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK(cudaGraphGetNodes(graph, nullptr, &result->nodes));
  CHECK(cudaGraphInstantiate(&result->exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char** argv) {
  const Timing timing;
  int *a, *b;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMemset(a, 0, n * sizeof(int)));
  CHECK(cudaMemset(b, 0, n * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  Captured one, two;
  {
    std::thread first(capture, a, a, 3, &one);
    std::thread second(capture, b, has_defect(argc, argv) ? a : b, 2, &two);
    first.join();
    second.join();
  }
  unsigned long long legacy = 0, created = 0;
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  CHECK(cudaStreamGetId(streams[0], &created));
  CHECK(cudaGraphLaunch(one.exec, streams[0]));
  CHECK(cudaGraphLaunch(two.exec, streams[1]));  // finding here
  CHECK(cudaDeviceSynchronize());
  int results[2];
  CHECK(cudaMemcpy(&results[0], a, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&results[1], b, sizeof(int), cudaMemcpyDeviceToHost));
  const bool ids = one.stream != two.stream && one.stream != legacy && two.stream != legacy &&
                   created != one.stream && created != two.stream && created != legacy;
  const bool right = ids && one.nodes == 3 && two.nodes == 2 && results[0] == 3 && results[1] == 2;
  std::puts(right ? "correct" : "wrong");
  for (const Captured& captured : {one, two}) CHECK(cudaGraphExecDestroy(captured.exec));
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
