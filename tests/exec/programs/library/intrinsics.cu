// Intrinsics of warps and of packed types. The defect: a lane reads the value of one
// that has returned.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../samples/common.h"

__global__ void warps(const int* keys, unsigned* out, bool defect) {
  constexpr unsigned mask = 0x7fffffff;
  const unsigned lane = threadIdx.x;
  if (lane == 31) return;
  const int key = __ldg(keys + lane);
  const unsigned same = __match_any_sync(mask, key);
  int all = 0;
  __match_all_sync(mask, 1, &all);
  const unsigned count = __reduce_add_sync(mask, 1U);
  const unsigned any = __reduce_or_sync(mask, 1U << lane);
  __nanosleep(20);
  const unsigned from = __shfl_xor_sync(mask, lane, 3, 16);
  const unsigned next = __shfl_down_sync(mask, key, 1);
  out[lane] = __popc(same) + count + (any == mask) + all + __popc(__activemask()) +
              (lane < 16 && from < 32);
  if (defect || lane < 30) out[lane] += next < 3;  // finding here
}

__global__ void packed(const __half2* a, const __nv_bfloat162* b, const int* bytes, float* out) {
  const unsigned at = threadIdx.x;
  const __half2 product = __hfma2(a[at], a[at], __float2half2_rn(1.0f));
  const __nv_bfloat162 sum = __hadd2(b[at], b[at]);
  const int dot = __dp4a(bytes[at], 0x01010101, 5);
  const unsigned mixed =
      __byte_perm(bytes[at], 0x44332211, 0x7650) ^ __funnelshift_l(bytes[at], 1, 8);
  const unsigned maxima = __vmaxu4(bytes[at], 0x02020202);
  __stcs(out + at, __low2float(product) + __low2float(sum) + dot + __clz(1) + (__brev(1) >> 31) +
                       (mixed != 0) + (maxima >> 24) + __ffsll(8) + __hadd(1, 3) + __sad(1, 4, 2u));
  __threadfence_system();
}

int main(int argc, char** argv) {
  const Timing timing;
  int* keys;
  unsigned* out;
  float* results;
  __half2* halves;
  __nv_bfloat162* brains;
  CHECK(cudaMallocManaged(&keys, 32 * sizeof(int)));
  CHECK(cudaMallocManaged(&out, 32 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&results, 32 * sizeof(float)));
  CHECK(cudaMallocManaged(&halves, 32 * sizeof(__half2)));
  CHECK(cudaMallocManaged(&brains, 32 * sizeof(__nv_bfloat162)));
  for (int i = 0; i < 32; ++i) {
    keys[i] = i % 3;
    halves[i] = __half2(__float2half(i), __float2half(0));
    brains[i] = __nv_bfloat162(__float2bfloat16(i), __float2bfloat16(0));
  }
  warps<<<1, 32>>>(keys, out, has_defect(argc, argv));
  packed<<<1, 32>>>(halves, brains, keys, results);
  CHECK(cudaDeviceSynchronize());
  // 11 lanes of key 0, 31 lanes, all bits, all equal, 31 active lanes, a lane, a key
  const bool warped = out[0] == 11 + 31 + 1 + 1 + 31 + 1 + 1;
  // 1 + 0 + 5 + 31 + 1 + 1 + 2 + 4 + 2 + 5
  std::puts(warped && results[0] == 52.0f ? "correct" : "wrong");
  for (void* one : {static_cast<void*>(keys), static_cast<void*>(out), static_cast<void*>(results),
                    static_cast<void*>(halves), static_cast<void*>(brains)})
    CHECK(cudaFree(one));
}
