// Algorithms of Thrust and CUB. With the argument "defect", the functor of a transformation reads
// beyond its table.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#include "timing.hpp"

constexpr int n = 1000;

struct LookUp {
  const int* table;
  __device__ int operator()(int i) const {
    return table[i];  // finding here
  }
};

struct IsEven {
  __device__ bool operator()(int value) const { return value % 2 == 0; }
};

template <typename Value>
Value* raw(thrust::device_vector<Value>& values) {
  return thrust::raw_pointer_cast(values.data());
}

/// Calls an algorithm of CUB twice: for the size of its storage, and with the storage.
template <typename Algorithm>
bool run(Algorithm algorithm) {
  std::size_t bytes = 0;
  if (algorithm(nullptr, bytes) != cudaSuccess) return false;
  thrust::device_vector<char> storage(bytes);
  return algorithm(raw(storage), bytes) == cudaSuccess;
}

int thrust_algorithms(int first) {
  thrust::device_vector<int> values(n);
  thrust::sequence(values.begin(), values.end(), n, -1);
  thrust::sort(values.begin(), values.end());
  if (values[0] != 1 || values[n - 1] != n) return 7;
  if (thrust::reduce(values.begin(), values.end()) != n * (n + 1) / 2) return 8;
  thrust::device_vector<int> sums(n);
  thrust::inclusive_scan(values.begin(), values.end(), sums.begin());
  if (sums[n - 1] != n * (n + 1) / 2) return 9;
  thrust::sequence(values.begin(), values.end(), first);
  thrust::device_vector<int> found(n);
  thrust::transform(values.begin(), values.end(), found.begin(), LookUp{raw(sums)});
  if (first == 0 && found[9] != 55) return 10;
  std::vector<int> repeated(n);
  for (int i = 0; i < n; ++i) repeated[i] = i / 4;
  values = repeated;
  if (thrust::unique_copy(values.begin(), values.end(), found.begin()) - found.begin() != n / 4)
    return 11;
  return thrust::unique(values.begin(), values.end()) - values.begin() == n / 4 ? 0 : 12;
}

int cub_algorithms() {
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 7 % n;
  thrust::device_vector<int> in = host;
  thrust::device_vector<int> out(n);
  thrust::device_vector<int> count(1);
  int* const from = raw(in);
  int* const to = raw(out);
  if (!run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(storage, bytes, from, to, n);
      }) ||
      out[n - 1] != n * (n - 1) / 2) {
    return 12;
  }
  if (!run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Max(storage, bytes, from, raw(count), n);
      }) ||
      count[0] != n - 1) {
    return 13;
  }
  if (!run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(storage, bytes, from, to, n);
      }) ||
      out[0] != 0 || out[n - 1] != n - 1) {
    return 14;
  }
  thrust::device_vector<int> bins(10);
  if (!run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(storage, bytes, from, raw(bins), 11, 0, n, n);
      }) ||
      bins[3] != n / 10) {
    return 15;
  }
  if (!run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceSelect::If(storage, bytes, from, to, raw(count), n, IsEven());
      }) ||
      count[0] != n / 2) {
    return 16;
  }
  return 0;
}

int main(int count, char**) {
  const Timing timing;
  if (count > 1) {
    thrust_algorithms(1);
    return 0;
  }
  int status = thrust_algorithms(0);
  if (status == 0) status = cub_algorithms();
  if (status == 0) std::puts("correct");
  return status;
}
