// Variables of a module: constant arrays, pointers to variables, packed pointers, shared memory.
struct Nested {
  int rows[2][3];
  float scale;
  const void* where;
};

__device__ int counter = 5;
__device__ int table[8] = {1, -2, 3};
__constant__ float weights[2][3] = {{1.0f, 2.5f}, {-0.0f, 1e-40f, 3e38f}};
__constant__ double halves[] = {0.5, -0.25, 1e300};
__device__ const char greeting[] = "hello\t\\ world";
__device__ int* cursor = &table[3];
__constant__ int* const both[2] = {&counter, table + 2};
__device__ Nested nested = {{{1, 2, 3}, {4, 5, 6}}, 0.5f, &weights};
__device__ long long big = -9000000000000000000ll;
__device__ short shorts[5] = {-1, 2, -3, 4, -5};
__managed__ int managed = 17;
extern __shared__ float dynamic[];

__global__ void __launch_bounds__(128, 2) variables(float* out, int n) {
  __shared__ float tile[16][17];
  __shared__ int4 quads[4];
  int i = threadIdx.x;
  tile[i / 16][i % 16] = weights[i & 1][i % 3] + static_cast<float>(halves[i % 3]);
  dynamic[i] = static_cast<float>(atomicAdd(&counter, 1) + *cursor + *both[n & 1]);
  if (i < 4) quads[i] = make_int4(i, table[i], shorts[i], greeting[i]);
  float local[20];
  for (int k = 0; k < 20; ++k) local[k] = out[k * n];
  __syncthreads();
  out[i] = tile[i % 16][i / 16] + dynamic[127 - i] + local[n % 20] + quads[n & 3].z +
           nested.rows[n & 1][i % 3] + nested.scale * (nested.where != nullptr) +
           static_cast<float>(big) + managed;
}
