// A hash table with linear probing. The defect: nothing initialises the table.
#include <vector>

#include "common.h"

struct KeyValue {
  unsigned key, value;
};
const unsigned kCapacity = 1 << 12, kEmpty = 0xffffffff;

__device__ unsigned hash(unsigned k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k & (kCapacity - 1);
}

__global__ void gpu_insert(KeyValue* table, const KeyValue* kvs, unsigned n) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  unsigned key = kvs[id].key, value = kvs[id].value, slot = hash(key);
  while (true) {
    unsigned prev = atomicCAS(&table[slot].key, kEmpty, key);  // finding here
    if (prev == kEmpty || prev == key) {
      table[slot].value = value;
      return;
    }
    slot = (slot + 1) & (kCapacity - 1);
  }
}

__global__ void gpu_lookup(const KeyValue* table, KeyValue* kvs, unsigned n) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  unsigned slot = hash(kvs[id].key);
  for (unsigned i = 0; i < kCapacity; ++i) {
    if (table[slot].key == kvs[id].key) {
      kvs[id].value = table[slot].value;
      return;
    }
    if (table[slot].key == kEmpty) {
      kvs[id].value = kEmpty;
      return;
    }
    slot = (slot + 1) & (kCapacity - 1);
  }
}

int main(int argc, char** argv) {
  const Timing timing;
  const unsigned n = 2000;
  std::vector<KeyValue> h(n), q(n);
  for (unsigned i = 0; i < n; ++i) h[i] = {i * 2654435761u >> 4, i}, q[i] = {h[i].key, 0};
  KeyValue *table, *kvs;
  CHECK(cudaMalloc(&table, sizeof(KeyValue) * kCapacity));
  CHECK(cudaMalloc(&kvs, sizeof(KeyValue) * n));
  if (!has_defect(argc, argv)) CHECK(cudaMemset(table, 0xff, sizeof(KeyValue) * kCapacity));
  CHECK(cudaMemcpy(kvs, h.data(), sizeof(KeyValue) * n, cudaMemcpyHostToDevice));
  int mingrid, threads;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&mingrid, &threads, gpu_insert, 0, 0));
  gpu_insert<<<(n + threads - 1) / threads, threads>>>(table, kvs, n);
  CHECK(cudaMemcpy(kvs, q.data(), sizeof(KeyValue) * n, cudaMemcpyHostToDevice));
  gpu_lookup<<<(n + threads - 1) / threads, threads>>>(table, kvs, n);
  CHECK(cudaMemcpy(q.data(), kvs, sizeof(KeyValue) * n, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (unsigned i = 0; i < n; ++i) ok &= q[i].value == i;
  CHECK(cudaFree(table));
  CHECK(cudaFree(kvs));
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
