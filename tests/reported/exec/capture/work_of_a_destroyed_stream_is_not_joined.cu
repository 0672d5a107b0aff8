// Work of a stream that was destroyed must be joined too. The capture is valid until it ends.
// exits: 1
// prints: never joined: status 1, cudaErrorStreamCaptureUnjoined
// prints: joined before the last work: status 1, cudaErrorStreamCaptureUnjoined
// prints: the origin: status 0, launch cudaSuccess
// prints: error[api-misuse]: cudaStreamEndCapture: another stream of the capture has work
#include <cstdio>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

cudaStream_t first, second;
int* x;

void begin() {
  cudaEvent_t fork;
  cudaEventCreate(&fork);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  increment<<<1, 32, 0, first>>>(x);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  increment<<<1, 32, 0, second>>>(x);
}

int status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  return status;
}

void destroy_and_end(const char* name) {
  cudaGraph_t graph;
  cudaStreamDestroy(second);
  const int status = status_of(first);
  std::printf("%s: status %d, %s\n", name, status,
              cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
}

int main() {
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  begin();
  destroy_and_end("never joined");
  begin();
  cudaEvent_t join;
  cudaEventCreate(&join);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  increment<<<1, 32, 0, second>>>(x);
  destroy_and_end("joined before the last work");
  begin();
  cudaGetLastError();
  cudaStreamDestroy(first);  // ends the capture
  increment<<<1, 32, 0, second>>>(x);
  std::printf("the origin: status %d, launch %s\n", status_of(second),
              cudaGetErrorName(cudaGetLastError()));
}
