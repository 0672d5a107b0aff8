// wgmma of PTX for one shape: 64 x 64 x 16 of f16 or bf16, with sums in f32 (PTX ISA 9.7.15). The
// operands lie in shared memory as core matrices of 8 x 16 bytes. A descriptor gives the first one
// and the distances between them, or a swizzle.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace wgmma {

constexpr int threads = 128;  // a warpgroup
constexpr int rows = 64;
constexpr int columns = 64;
constexpr int depth = 16;
constexpr int core = 8;  // rows of a core matrix, and its elements in 16 bytes
constexpr int sums = rows * columns / threads;

/// `leading` and `stride` are in bytes. A: `leading` along k, `stride` along m. B, with its rows in
/// memory: `leading` along k, `stride` along n.
__device__ __forceinline__ uint64_t descriptor(const void* first, int leading, int stride) {
  const uint64_t address = __cvta_generic_to_shared(first);
  const auto encoded = [](uint64_t bytes) { return (bytes & 0x3ffff) >> 4; };
  return encoded(address) | encoded(leading) << 16 | encoded(stride) << 32;
}

/// A tile whose lines along k take 128 bytes each and are swizzled, as a tensor map with a swizzle
/// of 128 bytes writes it to a multiple of 1024 bytes. `first` is in its first line.
__device__ __forceinline__ uint64_t swizzled_descriptor(const void* first) {
  constexpr uint64_t swizzle_of_128_bytes = uint64_t{1} << 62;
  return descriptor(first, 0, 8 * 128) | swizzle_of_128_bytes;
}

__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int pending>
__device__ __forceinline__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
/// Makes what the thread has written to shared memory visible to wgmma.
__device__ __forceinline__ void fence_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Registers of each thread of the warpgroup, which another warpgroup gives or gets.
template <int registers>
__device__ __forceinline__ void shrink_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void grow_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

#define WGMMA_64_64_16(TYPE)                                                                       \
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32." TYPE "." TYPE                         \
               " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "          \
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, " \
               "%32, %33, 1, 1, 1, 0, %34;"                                                        \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),           \
                 "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),         \
                 "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),     \
                 "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),     \
                 "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),     \
                 "+f"(d[30]), "+f"(d[31])                                                          \
               : "l"(a), "l"(b), "n"(b_by_rows))

/// Adds the product of A, whose rows lie along k in memory, and B, whose rows lie along n or, if
/// not `b_by_rows`, whose columns lie along k. T is __half or __nv_bfloat16.
template <typename T, int b_by_rows = 1>
__device__ __forceinline__ void multiply(float (&d)[sums], uint64_t a, uint64_t b) {
  if constexpr (std::is_same_v<T, __half>) {
    WGMMA_64_64_16("f16");
  } else {
    WGMMA_64_64_16("bf16");
  }
}
#undef WGMMA_64_64_16

/// Row and column of the thread's sum number `i`.
__device__ inline int row_of(int i) {
  return threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
__device__ inline int column_of(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

}  // namespace wgmma
