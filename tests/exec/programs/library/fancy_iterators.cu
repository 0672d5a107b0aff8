// Thrust with records, zipped and counting iterators, segments and memory that the host shares. The
// defect: an index is beyond the values.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>

#include "../samples/common.h"

struct Particle {
  float mass;
  float3 place;
};

struct Heavier {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const {
    return a.mass > b.mass;
  }
};

struct Take {
  const float* values;
  __device__ float operator()(int index) const { return values[index]; }  // finding here
};

int main(int argc, char** argv) {
  const Timing timing;
  constexpr int n = 700;
  thrust::device_vector<Particle> particles(n);
  thrust::counting_iterator<int> numbers(0);
  thrust::transform(numbers, numbers + n, particles.begin(), [] __device__(int i) {
    return Particle{static_cast<float>(i * 13 % n), {1.0f, 2.0f, 3.0f}};
  });
  thrust::sort(particles.begin(), particles.end(), Heavier());
  const Particle heaviest = particles.front();
  thrust::universal_vector<int> keys(n), sums(n), unique(n);
  for (int i = 0; i < n; ++i) keys[i] = i / 100;
  const auto ends = thrust::reduce_by_key(thrust::device, keys.begin(), keys.end(), numbers,
                                          unique.begin(), sums.begin());
  cudaDeviceSynchronize();
  const bool segments = ends.first - unique.begin() == 7 && sums[1] == 14950;
  thrust::device_vector<float> values(n, 2.0f);
  thrust::device_vector<int> order(thrust::make_counting_iterator(0),
                                   thrust::make_counting_iterator(n));
  if (has_defect(argc, argv)) order[5] = n;
  const float total = thrust::transform_reduce(order.begin(), order.end(),
                                               Take{thrust::raw_pointer_cast(values.data())}, 0.0f,
                                               thrust::plus<float>());
  const auto zipped = thrust::make_zip_iterator(order.begin(), values.begin());
  const auto small = thrust::count_if(
      zipped, zipped + n, [] __device__(const auto& pair) { return thrust::get<0>(pair) < 10; });
  const bool right = heaviest.mass == n - 1 && segments && total == 2.0f * n && small == 10;
  std::puts(right ? "correct" : "wrong");
}
