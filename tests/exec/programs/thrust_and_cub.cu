// Sorts and sums with Thrust, and scans with CUB.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cstdio>
#include <cub/cub.cuh>

int main() {
  constexpr int n = 1000;
  thrust::device_vector<int> values(n);
  thrust::sequence(values.begin(), values.end(), n, -1);
  thrust::sort(values.begin(), values.end());
  if (values[0] != 1 || values[n - 1] != n) return 7;
  if (thrust::reduce(values.begin(), values.end()) != n * (n + 1) / 2) return 8;
  thrust::device_vector<int> sums(n);
  int* const in = thrust::raw_pointer_cast(values.data());
  int* const out = thrust::raw_pointer_cast(sums.data());
  std::size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n);
  thrust::device_vector<char> storage(bytes);
  cub::DeviceScan::InclusiveSum(thrust::raw_pointer_cast(storage.data()), bytes, in, out, n);
  if (sums[n - 1] != n * (n + 1) / 2) return 9;
  std::puts("correct");
}
