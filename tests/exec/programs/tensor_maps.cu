// Blocks transpose tiles of a matrix that bulk copies load and store through tensor maps. With
// DEFECT, the store reads the tile while no fence orders it after the threads' writes.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__global__ void transpose(const __grid_constant__ CUtensorMap from,
                          const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(128) int tile[kTile][kTile];
  __shared__ alignas(128) int turned[kTile][kTile];
  __shared__ uint64_t loaded;
  const int x = blockIdx.x * kTile;
  const int y = blockIdx.y * kTile;
  const bool leads = threadIdx.x == 0 && threadIdx.y == 0;
  if (leads) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(
                     shared_address(&loaded))
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&loaded)),
                 "n"(sizeof tile)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
        "{%2, %3}], [%4];" ::"r"(shared_address(tile)),
        "l"(&from), "r"(x), "r"(y), "r"(shared_address(&loaded))
        : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(&loaded))
        : "memory");
  }
  turned[threadIdx.x][threadIdx.y] = tile[threadIdx.y][threadIdx.x];
#ifndef DEFECT
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  if (!leads) return;
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
      "r"(y), "r"(x), "r"(shared_address(turned))  // finding here
      : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                            CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                            CUtensorMapFloatOOBfill);

CUtensorMap map_of(Encode encode, int* matrix, cuuint64_t columns, cuuint64_t rows) {
  CUtensorMap map;
  const cuuint64_t dims[] = {columns, rows};
  const cuuint64_t strides[] = {columns * sizeof(int)};
  const cuuint32_t box[] = {kTile, kTile};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, dims, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::printf("refused: %d\n", static_cast<int>(result));
  return map;
}

int main(int argc, char**) {
  constexpr int rows = 40;
  constexpr int columns = 24;
  std::vector<int> host(rows * columns);
  for (int i = 0; i < rows * columns; ++i) host[i] = i;
  int *from, *to;
  cudaMalloc(&from, host.size() * sizeof(int));
  cudaMalloc(&to, host.size() * sizeof(int));
  cudaMemcpy(from, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(to, 0, host.size() * sizeof(int));
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                   &found);
  const auto typed = reinterpret_cast<Encode>(encode);
  if (argc > 1) map_of(typed, from + 1, columns, rows);  // 4 bytes past a multiple of 16
  const CUtensorMap source = map_of(typed, from, columns, rows);
  const CUtensorMap target = map_of(typed, to, rows, columns);
  const dim3 blocks((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose<<<blocks, dim3(kTile, kTile)>>>(source, target);
  std::vector<int> turned(host.size());
  cudaMemcpy(turned.data(), to, turned.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool correct = true;
  for (int i = 0; i < rows * columns; ++i) {
    correct = correct && turned[i % columns * rows + i / columns] == host[i];
  }
  std::puts(correct ? "correct" : "wrong");
  cudaFree(from);
  cudaFree(to);
}
