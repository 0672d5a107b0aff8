// Records what wgmma reads through descriptors of matrices: 4 swizzles, transposed or not, A in
// shared memory or in registers, start addresses within the swizzled pattern.
//
//   nvcc -gencode arch=compute_90a,code=[sm_90a,compute_90a] -std=c++17 -cudart shared
//   descriptors.cu
//   ./a.out SEED CASES
//
// A line of the output is a case and a hash of D: form, descriptors of A and B, hash. Shared memory
// holds numbers that depend on their address and are small, so that all sums are exact. The same
// program runs under `warpcheck exec`.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr int kBytes = 32768;  // bytes of shared memory
constexpr int kColumns = 16;
constexpr int kSums = 64 * kColumns / 128;

enum Form { kPlain, kTransposedA, kTransposedB, kBoth, kRegisters, kTf32, kFp8, kInt8, kForms };

/// A number of -4 to 4 for a place in memory.
__device__ int number_at(unsigned place) {
  unsigned h = place * 2654435761u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  return static_cast<int>(h % 9) - 4;
}

template <int form>
__device__ void fill(unsigned char* memory) {
  for (int i = threadIdx.x; i < kBytes; i += blockDim.x) {
    if (form == kFp8) {
      reinterpret_cast<__nv_fp8_e4m3*>(memory)[i] = __nv_fp8_e4m3(float(number_at(i)));
    } else if (form == kInt8) {
      memory[i] = static_cast<unsigned char>(number_at(i));
    } else if (form == kTf32) {
      if (i < kBytes / 4) reinterpret_cast<float*>(memory)[i] = float(number_at(i));
    } else if (i < kBytes / 2) {
      reinterpret_cast<__nv_bfloat16*>(memory)[i] = __nv_bfloat16(float(number_at(i)));
    }
  }
}

#define D_FLOAT \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
#define BF16 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
#define LIST " {%0, %1, %2, %3, %4, %5, %6, %7}, "

template <int form>
__global__ void multiply(std::uint64_t descriptor_a, std::uint64_t descriptor_b, float* result) {
  extern __shared__ __align__(1024) unsigned char memory[];
  fill<form>(memory);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const std::uint64_t first =
      (static_cast<std::uint64_t>(__cvta_generic_to_shared(memory)) & 0x3ffff) >> 4;
  const std::uint64_t a = descriptor_a + first;
  const std::uint64_t b = descriptor_b + first;
  float d[kSums] = {};
  int sums[kSums] = {};
  unsigned registers[4];
  for (int i = 0; i < 4; ++i) {
    const int place = 8 * (threadIdx.x + 128 * i);
    registers[i] = *reinterpret_cast<unsigned*>(memory + place);
  }
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if constexpr (form == kPlain) {
    asm volatile(BF16 LIST "%8, %9, 1, 1, 1, 0, 0;" : D_FLOAT : "l"(a), "l"(b));
  } else if constexpr (form == kTransposedA) {
    asm volatile(BF16 LIST "%8, %9, 1, -1, 1, 1, 0;" : D_FLOAT : "l"(a), "l"(b));
  } else if constexpr (form == kTransposedB) {
    asm volatile(BF16 LIST "%8, %9, 1, 1, -1, 0, 1;" : D_FLOAT : "l"(a), "l"(b));
  } else if constexpr (form == kBoth) {
    asm volatile(BF16 LIST "%8, %9, 1, 1, 1, 1, 1;" : D_FLOAT : "l"(a), "l"(b));
  } else if constexpr (form == kRegisters) {
    asm volatile(BF16 LIST "{%8, %9, %10, %11}, %12, 1, 1, 1, 1;"
                 : D_FLOAT
                 : "r"(registers[0]), "r"(registers[1]), "r"(registers[2]), "r"(registers[3]),
                   "l"(b));
  } else if constexpr (form == kTf32) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " LIST "%8, %9, 1, 1, 1;"
                 : D_FLOAT
                 : "l"(a), "l"(b));
  } else if constexpr (form == kFp8) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 " LIST "%8, %9, 1, 1, 1;"
                 : D_FLOAT
                 : "l"(a), "l"(b));
  } else {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 " LIST "%8, %9, 1;"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]), "+r"(sums[4]),
                   "+r"(sums[5]), "+r"(sums[6]), "+r"(sums[7])
                 : "l"(a), "l"(b));
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < kSums; ++i) {
    result[threadIdx.x * kSums + i] = form == kInt8 ? float(sums[i]) : d[i];
  }
}

using Kernel = void (*)(std::uint64_t, std::uint64_t, float*);

Kernel kernel_of(int form) {
  constexpr Kernel kKernels[] = {multiply<kPlain>, multiply<kTransposedA>, multiply<kTransposedB>,
                                 multiply<kBoth>,  multiply<kRegisters>,   multiply<kTf32>,
                                 multiply<kFp8>,   multiply<kInt8>};
  return kKernels[form];
}

/// A descriptor whose matrix lies in the first 32 KB from a base of 1024 bytes.
std::uint64_t descriptor(std::mt19937& random) {
  const auto below = [&](unsigned count) { return static_cast<std::uint64_t>(random() % count); };
  const std::uint64_t swizzle = below(4);
  // Without a swizzle any multiple of 16 bytes; else steps along k within the pattern.
  const std::uint64_t start = swizzle == 0 ? below(64) : 2 * below(4);
  const std::uint64_t leading = 8 * (1 + below(24));
  const std::uint64_t stride = swizzle == 0 ? 8 * (1 + below(24)) : 64 * (1 + below(3));
  return start | leading << 16 | stride << 32 | swizzle << 62;
}

}  // namespace

int main(int count, char** arguments) {
  std::mt19937 random(count > 1 ? std::atoi(arguments[1]) : 1);
  const int cases = count > 2 ? std::atoi(arguments[2]) : 200;
  float* result = nullptr;
  if (cudaMallocManaged(&result, 128 * kSums * sizeof(float)) != cudaSuccess) return 1;
  for (int i = 0; i < cases; ++i) {
    const int form = i % kForms;
    const std::uint64_t a = descriptor(random);
    const std::uint64_t b = descriptor(random);
    const Kernel kernel = kernel_of(form);
    kernel<<<1, 128, kBytes>>>(a, b, result);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      std::printf("%d %016llx %016llx %s\n", form, static_cast<unsigned long long>(a),
                  static_cast<unsigned long long>(b), cudaGetErrorName(error));
      return 1;
    }
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
    for (int j = 0; j < 128 * kSums; ++j) {
      hash = (hash ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(result[j]))) *
             1099511628211ULL;
    }
    std::printf("%d %016llx %016llx %016llx\n", form, static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b), static_cast<unsigned long long>(hash));
  }
  return 0;
}
