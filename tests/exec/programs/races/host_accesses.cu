// Accesses of the host to memory that the device accesses too. The argument selects one: those that
// begin with "race" do not wait.
#include <cstdio>
#include <cstring>
#include <string>

__global__ void twice(int* values) { values[threadIdx.x] *= 2; }
__global__ void read(const int* values, int* copy) { copy[threadIdx.x] = values[threadIdx.x]; }
__global__ void finish(int* values, volatile int* flag) {
  values[threadIdx.x] = 7;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

__managed__ int counters[1024];
__global__ void count() { counters[threadIdx.x] = 1; }

constexpr int kCount = 1024;
constexpr int kBytes = kCount * sizeof(int);

int main(int, char** arguments) {
  const std::string mode = arguments[1];
  int *device, *pinned, *managed, *flag;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaMalloc(&device, kBytes);
  cudaMallocHost(&pinned, kBytes);
  cudaMallocManaged(&managed, kBytes);
  cudaMallocHost(&flag, sizeof(int));
  std::memset(managed, 0, kBytes);
  std::memset(pinned, 0, kBytes);
  *flag = 0;
  cudaMemset(device, 0, kBytes);
  int sum = 0;
  if (mode == "race-copy") {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);
    sum += pinned[5];  // race-copy
  } else if (mode == "race-reuse") {
    cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream);
    pinned[6] = 1;  // race-reuse
  } else if (mode == "race-managed") {
    twice<<<1, kCount>>>(managed);
    sum += managed[0];  // race-managed
  } else if (mode == "race-variable") {
    count<<<1, kCount>>>();
    sum += counters[2];  // race-variable
  } else if (mode == "race-event") {
    twice<<<1, kCount, 0, stream>>>(managed);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(nullptr, event);
    managed[1] = 1;  // race-event
  } else if (mode == "race-library") {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);
    int copy[kCount];
    std::memcpy(copy, pinned, kBytes);  // race-library
    sum += copy[1];
  } else if (mode == "right") {
    cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream);
    sum += pinned[5];  // both read
    cudaMemcpyAsync(managed, device, kBytes / 2, cudaMemcpyDefault, stream);
    managed[kCount - 1] = 1;  // the other half
    read<<<1, kCount, 0, stream>>>(managed, device);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    managed[0] = pinned[0] = 1;
    twice<<<1, kCount>>>(managed);
    cudaMemcpy(pinned, managed, kBytes, cudaMemcpyDefault);
    sum += managed[0] + pinned[0];
    finish<<<1, kCount>>>(managed, flag);
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    sum += managed[3];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(
        stream, [](void* data) { *static_cast<int*>(data) += 1; }, pinned);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    sum += pinned[0];
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  } else if (mode == "crash") {
    twice<<<1, kCount>>>(managed);
    *static_cast<volatile int*>(nullptr) = 1;
  }
  cudaDeviceSynchronize();
  std::printf("done %d\n", sum >= 0);
  for (int* memory : {device, managed}) cudaFree(memory);
  for (int* memory : {pinned, flag}) cudaFreeHost(memory);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}
