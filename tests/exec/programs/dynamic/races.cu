// Launches by threads. The argument selects one: 0 is right, the others have a defect.
#include <cstdio>
#include <cstdlib>

__global__ void read(const int* value, int* copy) { *copy = *value; }
__global__ void add(int* value) { *value += 1; }
__global__ void store_far(int* values) { values[1 << 20] = 1; }
__global__ void copy_first(const int* values, int* copy) { *copy = values[0]; }

__global__ void parent(int* values, int* copy, int mode) {
  __shared__ int shared[32];
  const unsigned at = threadIdx.x;
  shared[at] = 1;
  values[at] = static_cast<int>(at);
  if (mode != 1) __syncthreads();
  if (at != 0) return;
  switch (mode) {
    case 0:
      read<<<1, 1, 0, cudaStreamFireAndForget>>>(&values[31], copy);
      break;
    case 1:  // no barrier orders the store of thread 1
      read<<<1, 1, 0, cudaStreamFireAndForget>>>(&values[1], copy);
      break;
    case 2:  // the store comes after the launch
      read<<<1, 1, 0, cudaStreamFireAndForget>>>(&values[31], copy);
      values[31] = 0;
      break;
    case 3:  // nothing orders the two grids
      add<<<1, 1, 0, cudaStreamFireAndForget>>>(&values[0]);
      add<<<1, 1, 0, cudaStreamFireAndForget>>>(&values[0]);
      break;
    case 4:
      store_far<<<1, 1>>>(values);
      break;
    case 5:
      copy_first<<<1, 1>>>(shared, copy);
      break;
    case 6:
      read<<<1, 2048>>>(values, copy);
      if (cudaGetLastError() != cudaErrorInvalidConfiguration) std::printf("no error\n");
      break;
    case 7: {
      int* const size = values;
      cudaDeviceGetAttribute(size, cudaDevAttrWarpSize, 0);
      break;
    }
    default:
      break;
  }
}

__global__ void nested(int* value, int depth) {
  *value += 1;
  if (depth > 1) nested<<<1, 1>>>(value, depth - 1);
}

// The first one that arrives hands a value over, which others use too early in some schedules.
__global__ void hand_over(int* values, int* state) {
  if (threadIdx.x % 32 != 0) return;
  if (threadIdx.x == 0) {
    atomicExch(state, 1);
    *values = 5;  // races in one schedule
    atomicExch(state, 2);
  } else if (atomicAdd(state, 0) == 1) {
    atomicAdd(values + 1, *values);
  }
}

__global__ void launch_hand_over(int* values, int* state) { hand_over<<<1, 256>>>(values, state); }

__global__ void launch_many(int* values) { add<<<1, 1>>>(&values[threadIdx.x]); }

int main(int count, char** arguments) {
  const int mode = std::atoi(arguments[1]);
  int *values, *copy;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&copy, sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  if (mode == 8) {
    cudaMemset(copy, 0, sizeof(int));
    launch_hand_over<<<1, 1>>>(values, copy);
  } else if (mode == 9) {  // 2560 launches; one argument more sets the limit
    if (count > 2) cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
    launch_many<<<80, 32>>>(values);
  } else if (mode < 10) {
    parent<<<1, 32>>>(values, copy, mode);
  } else {
    nested<<<1, 1>>>(values, mode);
  }
  cudaError_t error = cudaDeviceSynchronize();
  int first = 0;
  cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", cudaGetErrorName(error), first);
}
