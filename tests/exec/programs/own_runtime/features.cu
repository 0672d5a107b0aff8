// Textures, template kernels, printf, atomics and dynamic shared memory.
#include "programs.h"

__global__ void sample(cudaTextureObject_t texture, int* sums) {
  int sum = 0;
  for (int x = 0; x < 16; ++x) sum += tex2D<int>(texture, x, threadIdx.x);
  sums[threadIdx.x] = sum;  // finding: textures
}

bool textures(bool defect) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  const std::vector<int> texels(16 * 8, 3);
  cudaArray_t array;
  require(cudaMallocArray(&array, &channels, 16, 8));
  require(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 16 * sizeof(int), 16 * sizeof(int),
                              defect ? 7 : 8, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  require(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  int* const sums = device_array<int>(8);
  sample<<<1, 8>>>(texture, sums);
  const bool right = take(sums, 8) == std::vector<int>(8, 48);
  require(cudaDestroyTextureObject(texture));
  require(cudaFreeArray(array));
  return right;
}

template <typename Vector>
__global__ void copy(const int* from, int* to) {
  const auto* const vectors = reinterpret_cast<const Vector*>(from);
  reinterpret_cast<Vector*>(to)[threadIdx.x] = vectors[threadIdx.x];  // finding: templates
}

bool templates(bool defect) {
  int* const from = device_array(sequence(260));
  int* const to = device_array<int>(256);
  copy<int4><<<1, 64>>>(defect ? from + 1 : from, to);
  const bool right = take(to, 256) == sequence(256);
  require(cudaFree(from));
  return right;
}

__global__ void print(const int* values) {
  if (values[threadIdx.x] == 7) printf("value %d\n", values[threadIdx.x]);  // finding: prints
}

bool prints(bool defect) {
  int* const values = device_array<int>(32);
  require(cudaMemset(values, 0, (defect ? 31 : 32) * sizeof(int)));
  const int seven = 7;
  require(cudaMemcpy(values + 3, &seven, sizeof seven, cudaMemcpyHostToDevice));
  print<<<1, 32>>>(values);
  require(cudaDeviceSynchronize());
  require(cudaFree(values));
  return true;
}

__global__ void keep_even(const int* values, int* kept, int* count) {
  const int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 2 != 0) return;
  kept[atomicAdd(count, 1)] = value;  // finding: atomics
}

bool atomics(bool defect) {
  int* const values = device_array(sequence(512));
  int* const kept = device_array<int>(defect ? 255 : 256);
  int* const count = device_array(std::vector<int>(1));
  keep_even<<<2, 256>>>(values, kept, count);
  const bool right = take(count, 1)[0] == 256;
  require(cudaFree(values));
  require(cudaFree(kept));
  return right;
}

__global__ void reverse(int* values) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = values[threadIdx.x];  // finding: dynamic_shared
  __syncthreads();
  values[threadIdx.x] = staged[blockDim.x - 1 - threadIdx.x];
}

bool dynamic_shared(bool defect) {
  const int bytes = 1024 * static_cast<int>(sizeof(int));
  require(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16));
  int* const values = device_array(sequence(1024));
  reverse<<<1, 1024, defect ? bytes - 4 : bytes>>>(values);
  return take(values, 1024) == sequence(1024, 1023, -1);
}

constexpr Program kPrograms[] = {{"textures", textures},
                                 {"templates", templates},
                                 {"prints", prints},
                                 {"atomics", atomics},
                                 {"dynamic_shared", dynamic_shared}};

int main(int arguments, char** argument) { return run_program(kPrograms, arguments, argument); }
