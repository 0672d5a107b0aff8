// Calls that a stream capture does not permit. Prints the error of each, and that of the end of the
// capture.
#include <cstdio>

__global__ void nothing() {}

cudaStream_t stream, other;
cudaEvent_t event;

template <typename Call>
void try_in_capture(const char* name, Call call) {
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  nothing<<<1, 1, 0, stream>>>();
  const cudaError_t error = call();
  const cudaError_t end = cudaStreamEndCapture(stream, &graph);
  std::printf("%s: %s, %s\n", name, cudaGetErrorName(error), cudaGetErrorName(end));
  if (graph != nullptr) cudaGraphDestroy(graph);
}

int main() {
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEventCreate(&event);
  void* memory;
  try_in_capture("allowed", [] { return cudaSuccess; });
  try_in_capture("synchronize", [] { return cudaStreamSynchronize(stream); });
  try_in_capture("device", [] { return cudaDeviceSynchronize(); });
  try_in_capture("malloc", [&] { return cudaMalloc(&memory, 4); });
  try_in_capture("legacy", [] {
    nothing<<<1, 1>>>();
    return cudaGetLastError();
  });
  try_in_capture("no bytes", [] { return cudaMemsetAsync(nullptr, 0, 0, nullptr); });
  try_in_capture("begin",
                 [] { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); });
  try_in_capture("end", [&] {
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    return cudaStreamEndCapture(other, nullptr);
  });
  try_in_capture("query", [] {
    cudaEventRecord(event, stream);
    return cudaEventQuery(event);
  });
  try_in_capture("unjoined", [] {
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    nothing<<<1, 1, 0, other>>>();
    return cudaSuccess;
  });
  cudaEventRecord(event, other);
  try_in_capture("isolation", [] { return cudaStreamWaitEvent(stream, event, 0); });
  cudaMallocHost(&memory, 4);
  try_in_capture("relaxed", [&] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t error = cudaFreeHost(memory);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
  });
  const cudaError_t error = cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);
  std::printf("null: %s\n", cudaGetErrorName(error));
  std::printf("not begun: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, nullptr)));
}
