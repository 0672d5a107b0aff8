// The other file of main.cu.
__device__ int total = 100;
__constant__ int factor = 2;
__managed__ int calls = 1;
static __device__ int hidden = 10;  // not that of the other file

__device__ void add(int* out, int i, int value) {
  atomicAdd(&calls, 1);
#ifdef DEFECT
  ++i;
#endif
  out[i] += value;  // finding here
}

__global__ void sum(int* out) { out[threadIdx.x] += total + hidden; }

void finish(int* out) { sum<<<1, 32>>>(out); }
