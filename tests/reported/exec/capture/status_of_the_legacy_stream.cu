// A query whether the legacy stream is captured fails while a blocking stream is, and leaves that
// capture valid.
// exits: 0
// prints: legacy: 906, per thread: 0 0, own: 0 1
// prints: end: 0
// prints: 0 findings
#include <cstdio>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

int main() {
  int* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  increment<<<1, 32, 0, stream>>>(x);
  cudaStreamCaptureStatus unused, thread, own;
  const int legacy = cudaStreamIsCapturing(nullptr, &unused);
  const int of_thread = cudaStreamIsCapturing(cudaStreamPerThread, &thread);
  const int of_own = cudaStreamIsCapturing(stream, &own);
  std::printf("legacy: %d, per thread: %d %d, own: %d %d\n", legacy, of_thread, thread, of_own,
              own);
  std::printf("end: %d\n", cudaStreamEndCapture(stream, &graph));
}
