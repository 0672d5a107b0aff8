// The instructions of bulk copies, mbarrier objects and clusters as functions.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace bulk {

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// The same place in the shared memory of another block of the cluster.
__device__ __forceinline__ uint32_t in_block(const void* pointer, uint32_t rank) {
  uint32_t mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(mapped)
               : "r"(shared_address(pointer)), "r"(rank));
  return mapped;
}

__device__ __forceinline__ uint32_t block_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ void init(uint64_t* object, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(object)), "r"(count)
               : "memory");
}

__device__ __forceinline__ void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void fence_proxies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void arrive(uint64_t* object) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(object)) : "memory");
}

/// Arrives without a release at the scope of the cluster, which would wait for the thread's stores:
/// enough where the thread has only read.
__device__ __forceinline__ void arrive_after_reads(uint64_t* object, uint32_t rank) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(in_block(object, rank))
               : "memory");
}

__device__ __forceinline__ void arrive_in_block(uint64_t* object, uint32_t rank) {
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_block(object, rank))
      : "memory");
}

__device__ __forceinline__ void expect_bytes(uint64_t* object, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(object)),
               "r"(bytes)
               : "memory");
}

/// Waits for the phase of this parity to complete: for bytes, and for threads of this block.
__device__ __forceinline__ void wait(uint64_t* object, uint32_t parity) {
  uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(object)), "r"(parity)
        : "memory");
  }
}

/// Also orders what the threads of other blocks did before they arrived. It empties the L1 cache.
__device__ __forceinline__ void wait_for_cluster(uint64_t* object, uint32_t parity) {
  uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
        "selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(object)), "r"(parity)
        : "memory");
  }
}

__device__ __forceinline__ void load(void* to, const CUtensorMap& map, int x, int y,
                                     uint64_t* object) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%2, %3}], [%4];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(object))
      : "memory");
}

__device__ __forceinline__ void load_to_blocks(void* to, const CUtensorMap& map, int x, int y,
                                               uint64_t* object, uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(object)), "h"(blocks)
      : "memory");
}

__device__ __forceinline__ void store(const CUtensorMap& map, int x, int y, const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
          &map),
      "r"(x), "r"(y), "r"(shared_address(from))
      : "memory");
}

__device__ __forceinline__ void commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until at most `pending` of the thread's groups of copies have still to be read.
template <int pending = 0>
__device__ __forceinline__ void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

__device__ __forceinline__ void synchronize(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ __forceinline__ void synchronize_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

}  // namespace bulk
