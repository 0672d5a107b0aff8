// The beginning of each exported program.
#pragma once

#include <string_view>

namespace warpcheck::workflows::reproducer {

/// The declarations that all programs share; {} is the file of the kernel.
inline constexpr std::string_view kProgramBegin = R"cu(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#define main main_of_the_kernel_file
#include "{}"
#undef main

namespace reproducer {{

struct Expected {{
  const char* name;
  size_t byte;
  double value, tolerance;
  bool may_be_nan, may_be_infinity, may_be_minus_infinity;
}};

inline void require(cudaError_t error, const char* call) {{
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}}

// The folder of the files that the program reads: its first argument, or else its own.
inline std::string& folder() {{
  static std::string path;
  return path;
}}

inline std::vector<unsigned char> read(const char* name, size_t bytes) {{
  std::vector<unsigned char> content(bytes);
  std::ifstream file(folder() + name, std::ios::binary);
  if (file.read(reinterpret_cast<char*>(content.data()), bytes)) return content;
  std::printf("%s%s has no %zu bytes that can be read\n", folder().c_str(), name, bytes);
  std::exit(2);
}}

// Each element has its byte, its value, its tolerance and its flags, 8 bytes each; the names follow.
inline std::vector<Expected> expected_in(const std::vector<unsigned char>& content, size_t count) {{
  std::vector<Expected> all;
  const char* name = reinterpret_cast<const char*>(&content[32 * count]);
  for (size_t i = 0; i < count; ++i) {{
    double numbers[4];
    std::memcpy(numbers, &content[32 * i], sizeof numbers);
    unsigned long long byte, flags;
    std::memcpy(&byte, &numbers[0], sizeof byte);
    std::memcpy(&flags, &numbers[3], sizeof flags);
    all.push_back({{name, size_t(byte), numbers[1], numbers[2], (flags & 1) != 0, (flags & 2) != 0,
                   (flags & 4) != 0}});
    name += std::strlen(name) + 1;
  }}
  return all;
}}

// The first byte has the distance from a 256-byte boundary that it has in the case.
inline unsigned char* allocate(size_t bytes, size_t shift) {{
  void* memory = nullptr;
  require(cudaMalloc(&memory, std::max<size_t>(bytes + shift, 1)), "cudaMalloc");
  return static_cast<unsigned char*>(memory) + shift;
}}

// Rows of a buffer, slices of them and so on at constant distances. They are contiguous on the host.
struct Rows {{
  struct Level {{
    size_t count, distance;
  }};
  size_t bytes;
  std::vector<Level> levels;  // the rows first
}};

inline void copy(const Rows& all, unsigned char* device, unsigned char* host, cudaMemcpyKind kind) {{
  size_t rows = 1;
  for (const Rows::Level& level : all.levels) rows *= level.count;
  for (size_t row = 0; row < rows; ++row, host += all.bytes) {{
    unsigned char* place = device;
    size_t rest = row;
    for (const Rows::Level& level : all.levels) {{
      place += rest % level.count * level.distance;
      rest /= level.count;
    }}
    require(kind == cudaMemcpyHostToDevice ? cudaMemcpy(place, host, all.bytes, kind)
                                           : cudaMemcpy(host, place, all.bytes, kind),
            "cudaMemcpy");
  }}
}}

template <class T>
double value_of(const unsigned char* bytes) {{
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(static_cast<float>(value));
}}

template <>
inline double value_of<double>(const unsigned char* bytes) {{
  double value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}}

template <>
inline double value_of<int>(const unsigned char* bytes) {{
  int value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}}

template <>
inline double value_of<long long>(const unsigned char* bytes) {{
  long long value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}}

inline bool is_right(const Expected& expected, double got) {{
  if (std::isnan(got)) return expected.may_be_nan;
  if (std::isinf(got)) return got > 0 ? expected.may_be_infinity : expected.may_be_minus_infinity;
  if (std::isinf(expected.tolerance)) return true;
  return got == expected.value || std::abs(got - expected.value) <= expected.tolerance;
}}

inline double badness(const Expected& expected, double got) {{
  const double error = std::abs(got - expected.value);
  return std::isnan(error) ? INFINITY : error / std::max(expected.tolerance, 1e-300);
}}

// Prints the worst elements. Returns the number of wrong ones.
template <class T>
size_t compare(const std::vector<unsigned char>& bytes, const Expected* all, size_t count) {{
  std::vector<std::pair<double, const Expected*>> wrong;
  for (size_t i = 0; i < count; ++i) {{
    const Expected& one = all[i];
    const double got = value_of<T>(&bytes[one.byte]);
    if (!is_right(one, got)) wrong.emplace_back(badness(one, got), &one);
  }}
  std::sort(wrong.begin(), wrong.end(),
            [](const auto& one, const auto& two) {{ return one.first > two.first; }});
  if (!wrong.empty()) {{
    std::printf("%zu of %zu elements are wrong\n%-20s %24s %24s %24s\n", wrong.size(), count,
                "element", "got", "expected", "bound");
  }}
  for (size_t i = 0; i < std::min<size_t>(wrong.size(), 10); ++i) {{
    const Expected& one = *wrong[i].second;
    std::printf("%-20s %24.17g %24.17g %24.17g\n", one.name, value_of<T>(&bytes[one.byte]),
                one.value, one.tolerance);
  }}
  return wrong.size();
}}

)cu";

}  // namespace warpcheck::workflows::reproducer
