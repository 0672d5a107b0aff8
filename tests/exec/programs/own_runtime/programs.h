// Several small programs in one file. The first argument is the name of the one to run, the second
// one, "defect", makes it wrong.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Program {
  const char* name;
  bool (*run)(bool defect);  // true: the results are right
};

inline void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorName(error));
  std::exit(3);
}

template <typename T>
T* device_array(int count) {
  T* array = nullptr;
  require(cudaMalloc(&array, count * sizeof(T)));
  return array;
}

template <typename T>
T* device_array(const std::vector<T>& values) {
  T* const array = device_array<T>(static_cast<int>(values.size()));
  require(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

/// The values of an array, which it frees.
template <typename T>
std::vector<T> take(T* array, int count) {
  std::vector<T> values(count);
  require(cudaMemcpy(values.data(), array, count * sizeof(T), cudaMemcpyDeviceToHost));
  require(cudaFree(array));
  return values;
}

/// first, first + step, first + 2 step ...
inline std::vector<int> sequence(int count, int first = 0, int step = 1) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = first + i * step;
  return values;
}

template <std::size_t count>
int run_program(const Program (&programs)[count], int arguments, char** argument) {
  const bool defect = arguments > 2 && std::strcmp(argument[2], "defect") == 0;
  for (const Program& program : programs) {
    if (arguments < 2 || std::strcmp(program.name, argument[1]) != 0) continue;
    const bool right = program.run(defect);
    std::puts(right ? "correct" : "wrong");
    return right ? 0 : 1;
  }
  return 2;
}
