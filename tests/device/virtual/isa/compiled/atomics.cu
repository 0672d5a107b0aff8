// Atomics. The PTX beside this file is the output of nvcc 13.0, -std=c++17.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/atomic>
extern "C" __global__ void at(int* i, unsigned* u, unsigned long long* l, long long* ll, float* f,
                              double* d, __half* h, __half2* h2, __nv_bfloat16* b,
                              __nv_bfloat162* b2, unsigned short* us) {
  __shared__ int s[32];
  __shared__ float sf[32];
  __shared__ unsigned long long sl[4];
  s[threadIdx.x] = 0;
  sf[threadIdx.x] = 0;
  sl[0] = 0;
  __syncthreads();
  i[1] = atomicAdd(i, 1);
  u[1] = atomicAdd(u, 2u);
  l[1] = atomicAdd(l, 3ull);
  f[1] = atomicAdd(f, 1.f);
  d[1] = atomicAdd(d, 1.0);
  h[1] = atomicAdd(h, h[3]);
  h2[1] = atomicAdd(h2, h2[3]);
  b[1] = atomicAdd(b, b[3]);
  b2[1] = atomicAdd(b2, b2[3]);
  i[2] = atomicSub(i, 1);
  i[3] = atomicMin(i, 4);
  u[3] = atomicMax(u, 4u);
  ll[3] = atomicMin(ll, 5ll);
  l[4] = atomicMax(l, 6ull);
  i[4] = atomicAnd(i, 7);
  l[5] = atomicOr(l, 8ull);
  i[5] = atomicXor(i, 9);
  i[6] = atomicExch(i, 3);
  f[6] = atomicExch(f, 2.f);
  l[6] = atomicExch(l, 3ull);
  i[7] = atomicCAS(i, 1, 2);
  l[7] = atomicCAS(l, 1ull, 2ull);
  us[1] = atomicCAS(us, (unsigned short)1, (unsigned short)2);
  u[8] = atomicInc(u, 9);
  u[9] = atomicDec(u, 9);
  atomicAdd(&s[0], 1);
  atomicAdd(&sf[0], 1.f);
  i[10] = atomicAdd(&s[1], 2);
  i[11] = atomicCAS(&s[2], 1, 2);
  atomicMax(&sl[0], l[9]);
  i[12] = atomicExch(&s[3], 5);
  atomicAdd(i + 20, 1);
  atomicAdd(f + 20, 1.f);
  atomicMin(i + 21, 1);
  atomicOr(u + 21, 1u);
  atomicAdd(d + 20, 1.);
  atomicAdd(h2 + 20, h2[0]);
  atomicAdd_block(i + 30, 1);
  atomicAdd_system(i + 31, 1);
  i[32] = atomicCAS_system(i + 33, 1, 2);
  i[34] = atomicMax_block(i + 35, 3);
  cuda::atomic_ref<int, cuda::thread_scope_device> r(i[40]);
  r.fetch_add(1, cuda::memory_order_release);
  i[41] = r.load(cuda::memory_order_acquire);
  r.store(3, cuda::memory_order_relaxed);
  i[42] = r.exchange(4);
  int e = 5;
  i[43] = r.compare_exchange_strong(e, 6, cuda::memory_order_acq_rel);
  r.fetch_min(2);
  cuda::atomic_ref<float, cuda::thread_scope_block> rf(f[40]);
  rf.fetch_add(1.f);
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device> rc(((unsigned char*)i)[200]);
  rc.fetch_add(1);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void av(float2* f, float4* g) {
  f[1] = atomicAdd(f, make_float2(1, 2));
  g[1] = atomicAdd(g, make_float4(1, 2, 3, 4));
}
#endif
