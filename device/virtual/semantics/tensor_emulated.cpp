// m8n8k4 of f16, an instruction that only the tensor cores of Volta execute.
#include <array>

#include "device/virtual/semantics/convert.hpp"
#include "device/virtual/semantics/float.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::semantics {
namespace {

constexpr int kDepth = 4;
using Factors = std::array<float, kDepth>;

float from_half(std::uint32_t bits) { return widen(f16{static_cast<std::uint16_t>(bits)}); }

float chain(const Factors& a, const Factors& b, float c) {
  float sum = 0.0F;
  for (int k = 0; k < kDepth; ++k) sum = fma(a[k], b[k], sum);
  return add(sum, c);
}

/// Adds two pairs of products to c. Products of f16 are exact in f32.
float pairs(const Factors& a, const Factors& b, float c) {
  const float first = fma(a[1], b[1], mul(a[0], b[0]));
  const float second = fma(a[3], b[3], mul(a[2], b[2]));
  return add(add(c, first), second);
}

}  // namespace

void mma_by_fma(MmaShape shape, const std::uint32_t* a, const std::uint32_t* b,
                MmaAccumulator result, const std::uint32_t* c, std::uint32_t* d) {
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      Factors row{};
      Factors column{};
      for (int k = 0; k < kDepth; ++k) {
        row[k] = from_half(a[i * kDepth + k]);
        column[k] = from_half(b[k * shape.n + j]);
      }
      const int at = i * shape.n + j;
      const auto sum = from_bits<float>(c[at]);
      d[at] = to_bits(result == MmaAccumulator::f16 ? pairs(row, column, sum)
                                                    : chain(row, column, sum));
    }
  }
}

}  // namespace warpcheck::semantics
