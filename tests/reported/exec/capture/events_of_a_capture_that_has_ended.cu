// An event that was last recorded in a capture cannot be used after the capture, or after it became
// invalid, until it is recorded again. Errors and states are those of an H200.
// exits: 1
// prints: ended: 1 1 1 1, 0
// prints: recorded again: 0 0
// prints: in the next capture: 1 2 901
// prints: invalid: 901 1 77
// prints: in another thread: 908 0 401
// prints: unknown mode: 1
#include <cstdio>
#include <thread>

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

cudaStream_t stream, other;
cudaEvent_t event, recorded;
cudaGraph_t graph;
int* x;

void begin() {
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  increment<<<1, 32, 0, stream>>>(x);
  cudaEventRecord(event, stream);
}

int status_of(cudaStream_t captured) {
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(captured, &status);
  return status;
}

int main() {
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaEventCreate(&recorded);
  cudaEventRecord(recorded, other);
  cudaDeviceSynchronize();
  float time;

  begin();
  cudaStreamEndCapture(stream, &graph);
  const int query = cudaEventQuery(event), synchronize = cudaEventSynchronize(event);
  const int wait = cudaStreamWaitEvent(other, event, 0);
  const int elapsed = cudaEventElapsedTime(&time, recorded, event);
  std::printf("ended: %d %d %d %d, %d\n", query, synchronize, wait, elapsed, status_of(other));
  const int record = cudaEventRecord(event, other);
  std::printf("recorded again: %d %d\n", record, cudaEventSynchronize(event));

  begin();
  cudaStreamEndCapture(stream, &graph);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const int old = cudaStreamWaitEvent(stream, event, 0);
  const int status = status_of(stream);
  std::printf("in the next capture: %d %d %d\n", old, status, cudaStreamEndCapture(stream, &graph));

  begin();
  cudaStreamQuery(stream);  // not permitted
  unsigned long long id = 77;
  cudaStreamCaptureStatus invalid;
  cudaStreamGetCaptureInfo(stream, &invalid, &id);
  const int own = cudaStreamWaitEvent(stream, event, 0);
  std::printf("invalid: %d %d %llu\n", own, cudaStreamWaitEvent(other, event, 0), id);
  cudaStreamEndCapture(stream, &graph);

  begin();
  int end;
  std::thread([&] { end = cudaStreamEndCapture(stream, &graph); }).join();
  const int left = status_of(stream);
  std::printf("in another thread: %d %d %d\n", end, left, cudaStreamEndCapture(stream, &graph));
  std::printf("unknown mode: %d\n",
              cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(5)));
}
