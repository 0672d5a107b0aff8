// Calls that may wait fail while any stream is captured, for other streams and events too. Each row
// has the results in a global, a thread-local and a relaxed capture, as recorded on an H200: the
// error of the call, the status of the stream, and the error of the end.
// exits: 1
// build: -arch=sm_80 -std=c++17
// prints: synchronize stream: 900 2 901, 900 2 901, 900 2 901
// prints: synchronize other stream: 900 2 901, 900 2 901, 0 1 0
// prints: query other stream: 900 2 901, 900 2 901, 0 1 0
// prints: query legacy stream: 900 2 901, 900 2 901, 0 1 0
// prints: synchronize other event: 900 2 901, 900 2 901, 0 1 0
// prints: query other event: 900 2 901, 900 2 901, 0 1 0
// prints: query new event: 900 2 901, 900 2 901, 0 1 0
// prints: in another thread: 900 2 901, 0 1 0, 0 1 0
// prints: in a relaxed thread: 0 1 0, 0 1 0, 0 1 0
// prints: synchronize device: 900 2 901, 900 2 901, 900 2 901
// prints: free nothing: 900 2 901, 900 2 901, 0 1 0
// prints: array: 900 2 901, 900 2 901, 0 1 0
// prints: allocate in other stream: 900 2 901, 900 2 901, 0 1 0
// prints: free in other stream: 900 2 901, 900 2 901, 0 1 0
// prints: instantiate: 900 2 901, 900 2 901, 0 1 0
// prints: launch graph: 900 2 901, 900 2 901, 900 2 901
// prints: launch graph in other stream: 0 1 0, 0 1 0, 0 1 0
// prints: prefetch: 900 2 901, 900 2 901, 900 2 901
// prints: set limit: 900 2 901, 900 2 901, 0 1 0
// prints: read time: 907 1 0, 907 1 0, 907 1 0
// prints: query event: 907 2 901, 907 2 901, 907 2 901
// prints: copy: 0 1 0, 0 1 0, 0 1 0
// prints: create and destroy: 0 1 0, 0 1 0, 0 1 0
#include <cstdio>
#include <thread>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

cudaStream_t stream, other;
cudaEvent_t captured, recorded, unused;
cudaGraphExec_t exec;
int *x, *y, *pinned;

template <typename Call>
void try_call(const char* name, Call call) {
  std::printf("%s:", name);
  for (int mode = 0; mode < 3; ++mode) {
    cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode));
    increment<<<1, 32, 0, stream>>>(x);
    cudaEventRecord(captured, stream);
    const int error = call();
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(stream, &status);
    cudaGraph_t graph;
    const int end = cudaStreamEndCapture(stream, &graph);
    std::printf("%s %d %d %d", mode == 0 ? "" : ",", error, status, end);
    cudaGetLastError();
  }
  std::printf("\n");
}

int main() {
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaMallocHost(&pinned, 128);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  for (cudaEvent_t* event : {&captured, &recorded, &unused}) cudaEventCreate(event);
  cudaEventRecord(recorded, other);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaDeviceSynchronize();
  try_call("synchronize stream", [] { return cudaStreamSynchronize(stream); });
  try_call("synchronize other stream", [] { return cudaStreamSynchronize(other); });
  try_call("query other stream", [] { return cudaStreamQuery(other); });
  try_call("query legacy stream", [] { return cudaStreamQuery(nullptr); });
  try_call("synchronize other event", [] { return cudaEventSynchronize(recorded); });
  try_call("query other event", [] { return cudaEventQuery(recorded); });
  try_call("query new event", [] { return cudaEventQuery(unused); });
  try_call("in another thread", [] {
    cudaError_t error;
    std::thread([&] { error = cudaStreamSynchronize(other); }).join();
    return error;
  });
  try_call("in a relaxed thread", [] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t error = cudaEventQuery(recorded);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
  });
  try_call("synchronize device", [] { return cudaDeviceSynchronize(); });
  try_call("free nothing", [] { return cudaFree(nullptr); });
  try_call("array", [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    return cudaMallocArray(&array, &format, 8, 8);
  });
  try_call("allocate in other stream", [] { return cudaMallocAsync(&y, 128, other); });
  try_call("free in other stream", [] { return cudaFreeAsync(y, other); });
  try_call("instantiate", [] {
    cudaGraph_t empty;
    cudaGraphCreate(&empty, 0);
    return cudaGraphInstantiate(&exec, empty, 0);
  });
  try_call("launch graph", [] { return cudaGraphLaunch(exec, stream); });
  try_call("launch graph in other stream", [] { return cudaGraphLaunch(exec, other); });
  try_call("prefetch", [] {
    return cudaMemPrefetchAsync(x, 128, {cudaMemLocationTypeDevice, 0}, 0, stream);
  });
  try_call("set limit", [] { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); });
  try_call("read time", [] {
    float time;
    return cudaEventElapsedTime(&time, recorded, captured);
  });
  try_call("query event", [] { return cudaEventQuery(captured); });
  try_call("copy", [] { return cudaMemcpy(pinned, x, 64, cudaMemcpyDefault); });
  try_call("create and destroy", [] {
    cudaStream_t created;
    cudaStreamCreate(&created);
    return cudaStreamDestroy(created);
  });
}
