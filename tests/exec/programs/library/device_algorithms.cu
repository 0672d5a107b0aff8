// Algorithms of CUB for the device: segments, runs and a merge sort of records. The defect: the
// last segment ends beyond the values.
#include <cub/cub.cuh>
#include <vector>

#include "../samples/common.h"

struct Record {
  float key;
  int index;
};

struct ByKey {
  __device__ bool operator()(const Record& a, const Record& b) const { return a.key < b.key; }
};

template <typename Value>
Value* device(const std::vector<Value>& from) {
  Value* to;
  CHECK(cudaMalloc(&to, from.size() * sizeof(Value)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(Value), cudaMemcpyHostToDevice));
  return to;
}

template <typename Value>
std::vector<Value> host(Value* from, std::size_t count) {
  std::vector<Value> to(count);
  CHECK(cudaMemcpy(to.data(), from, count * sizeof(Value), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  return to;
}

template <typename Algorithm>
void run(Algorithm algorithm) {
  std::size_t bytes = 0;
  void* storage = nullptr;
  CHECK(algorithm(nullptr, bytes));
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(algorithm(storage, bytes));  // finding here
  CHECK(cudaFree(storage));
}

int main(int argc, char** argv) {
  const Timing timing;
  constexpr int n = 5000;
  std::vector<int> values(n), zeros(n);
  std::vector<Record> records(n);
  for (int i = 0; i < n; ++i) {
    values[i] = i / 7 % 11;
    records[i] = {static_cast<float>(i * 733 % n), i};
  }
  int* const in = device(values);
  int* const offsets =
      device(std::vector<int>{0, 10, 10, 2000, has_defect(argc, argv) ? n + 1 : n});
  int* const sums = device(zeros);
  run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, in, sums, 4, offsets, offsets + 1);
  });
  int *const runs = device(zeros), *const lengths = device(zeros), *const count = device(zeros);
  run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, in, runs, lengths, count, n);
  });
  Record* const sorted = device(records);
  run([&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, sorted, n, ByKey{});
  });
  CHECK(cudaDeviceSynchronize());
  int first = 0;
  for (int i = 0; i < 10; ++i) first += values[i];
  const auto all = host(sorted, n);
  bool right = host(sums, n)[0] == first && host(count, 1)[0] == (n + 6) / 7 &&
               host(runs, n)[3] == 3 && host(lengths, n)[0] == 7;
  for (int i = 0; i < n; ++i) right = right && all[i].key == static_cast<float>(i);
  std::puts(right ? "correct" : "wrong");
  CHECK(cudaFree(in));
  CHECK(cudaFree(offsets));
}
