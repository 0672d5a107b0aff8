#include "device/virtual/semantics/tensor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "device/virtual/semantics/float.hpp"

namespace warpcheck::semantics {
namespace {

constexpr int kColumns = 8;        // summed side by side
constexpr int kMostProducts = 32;  // of a block
constexpr int kAbsent = -10'000;   // the exponent of a term that does not affect the largest one

using Words = std::array<std::uint32_t, kColumns>;
using Numbers = std::array<std::int32_t, kColumns>;
using Sums = std::array<std::int64_t, kColumns>;

/// One element: magnitude * 2^(exponent - fraction bits of its format), negated if `negative` is
/// -1. The values of an infinity or a NaN are not used.
struct Number {
  std::uint32_t magnitude;
  std::int32_t exponent;
  std::int32_t negative;
  bool special;  // infinity or NaN
};

/// `zero_exponent`: the exponent of a zero.
template <class T>
Number decode(std::uint32_t bits, std::int32_t zero_exponent) {
  using F = Format<T>;
  constexpr std::uint32_t hidden = 1U << F::fraction_bits;
  constexpr std::uint32_t largest = (1U << F::exponent_bits) - 1;
  const std::uint32_t encoding = bits >> F::padding;
  const std::uint32_t fraction = encoding & (hidden - 1);
  const std::uint32_t exponent = encoding >> F::fraction_bits & largest;
  Number number{};
  number.magnitude = fraction | (exponent != 0 ? hidden : 0);
  const auto scale = static_cast<std::int32_t>(exponent != 0 ? exponent : 1) - F::bias;
  number.exponent = number.magnitude != 0 ? scale : zero_exponent;
  number.negative = -static_cast<std::int32_t>(encoding >> (F::fraction_bits + F::exponent_bits));
  number.special = (encoding & (Format<T>::sign - 1U) >> F::padding) >= F::infinity;
  return number;
}

enum class Class : std::uint8_t { zero, finite, infinite, nan };

template <class T>
Class classify(std::uint32_t bits) {
  using F = Format<T>;
  const std::uint32_t magnitude = (bits & (F::sign - 1U)) >> F::padding;
  if (magnitude == 0) return Class::zero;
  if constexpr (std::same_as<T, e4m3>) return magnitude == F::infinity ? Class::nan : Class::finite;
  if (magnitude < F::infinity) return Class::finite;
  return magnitude == F::infinity ? Class::infinite : Class::nan;
}

template <class T>
bool has_sign(std::uint32_t bits) {
  return (bits & Format<T>::sign) != 0;
}

/// The numbers of a block: columns of B, or a row of A as one column.
template <int columns>
struct Operand {
  std::array<std::array<std::uint32_t, columns>, kMostProducts> magnitude;
  std::array<std::array<std::int32_t, columns>, kMostProducts> exponent;
  std::array<std::array<std::int32_t, columns>, kMostProducts> negative;
  bool special;  // an infinity or NaN among them
};

template <class T, int columns>
void decode(const std::uint32_t* bits, int rows, int row_words, std::int32_t zero_exponent,
            Operand<columns>& operand) {
  std::uint32_t special = 0;
  for (int k = 0; k < rows; ++k) {
    for (int j = 0; j < columns; ++j) {
      const Number number = decode<T>(bits[k * row_words + j], zero_exponent);
      operand.magnitude[k][j] = number.magnitude;
      operand.exponent[k][j] = number.exponent;
      operand.negative[k][j] = number.negative;
      special |= number.special ? 1 : 0;
    }
  }
  operand.special = special != 0;
}

/// The largest exponent of each column, and the sum of the truncated terms in units of 2^(largest -
/// fraction_bits).
struct Block {
  Numbers largest;
  Sums sum;
};

template <int product_fraction_bits, int accumulator_fraction_bits>
Block add_up(const BlockSum& sum, int products, const Operand<1>& a, const Operand<kColumns>& b,
             const Operand<kColumns>& c, std::int32_t least_exponent) {
  Block block{};
  Numbers& largest = block.largest;
  for (int j = 0; j < kColumns; ++j) largest[j] = std::max(c.exponent[0][j], least_exponent);
  for (int k = 0; k < products; ++k) {
    const std::int32_t exponent = a.exponent[k][0];
    for (int j = 0; j < kColumns; ++j) {
      largest[j] = std::max(largest[j], exponent + b.exponent[k][j]);
    }
  }
  const int up = std::max(sum.fraction_bits - product_fraction_bits, 0);
  const int down = std::max(product_fraction_bits - sum.fraction_bits, 0);
  Sums& sums = block.sum;
  for (int k = 0; k < products; ++k) {
    const std::uint32_t factor = a.magnitude[k][0] << up;
    const std::int32_t exponent = a.exponent[k][0];
    const std::int32_t negative = a.negative[k][0];
    for (int j = 0; j < kColumns; ++j) {
      const std::uint32_t product = factor * b.magnitude[k][j];
      const int shift = std::min(largest[j] - exponent - b.exponent[k][j] + down, 31);
      const auto cut = static_cast<std::int32_t>(product >> shift);
      const std::int32_t sign = negative ^ b.negative[k][j];
      sums[j] += (cut ^ sign) - sign;
    }
  }
  const int c_up = std::max(sum.fraction_bits - accumulator_fraction_bits, 0);
  const int c_down = std::max(accumulator_fraction_bits - sum.fraction_bits, 0);
  for (int j = 0; j < kColumns; ++j) {
    const int shift = std::min(largest[j] - c.exponent[0][j] + c_down, 31);
    const auto cut = static_cast<std::int32_t>((c.magnitude[0][j] << c_up) >> shift);
    sums[j] += (cut ^ c.negative[0][j]) - c.negative[0][j];
  }
  return block;
}

/// sum * 2^unit as f32, truncated to `fraction_bits`.
std::uint32_t to_f32(std::int64_t sum, int unit, int fraction_bits, const TensorModel& model) {
  if (sum == 0) return 0;
  const std::uint32_t sign = sum < 0 ? 0x8000'0000U : 0U;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int exponent = 63 - std::countl_zero(magnitude) + unit;
  if (exponent > 127) return sign | (model.overflow_to_infinity ? 0x7f80'0000U : 0x7f7f'ffffU);
  const int last = std::max(exponent, -126) - fraction_bits;  // exponent of the last bit
  const std::uint64_t kept =
      last >= unit ? magnitude >> std::min(last - unit, 63) : magnitude << (unit - last);
  if (kept == 0) return model.negative_underflow ? sign : 0;
  const auto field = static_cast<std::uint32_t>(std::max(exponent, -126) + 126);
  return sign | ((field << 23) + (static_cast<std::uint32_t>(kept) << (23 - fraction_bits)));
}

/// sum * 2^unit as f16, rounded to nearest even. Every such sum is exact in f64.
std::uint32_t to_f16(std::int64_t sum, int unit, const TensorModel& model) {
  const double value = std::ldexp(static_cast<double>(sum), unit);
  const std::uint32_t bits = narrow<f16, Rounding::rn>(value).bits;
  return bits == 0x8000 && !model.negative_underflow ? 0 : bits;
}

/// Properties of the terms that determine the result without the sum: infinities, NaN, and only
/// negative zeros.
struct Kinds {
  bool nan = false;
  bool infinite[2] = {false, false};  // positive, negative
  bool only_negative_zeros = true;

  void add(Class kind, bool negative) {
    nan |= kind == Class::nan;
    if (kind == Class::infinite) infinite[negative ? 1 : 0] = true;
    only_negative_zeros &= kind == Class::zero && negative;
  }
};

Class product_class(Class a, Class b) {
  if (a == Class::nan || b == Class::nan) return Class::nan;
  if (a == Class::infinite || b == Class::infinite) {
    return a == Class::zero || b == Class::zero ? Class::nan : Class::infinite;
  }
  return a == Class::zero || b == Class::zero ? Class::zero : Class::finite;
}

template <class A, class B, class C>
Kinds kinds_of(int products, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t c) {
  Kinds kinds;
  kinds.add(classify<C>(c), has_sign<C>(c));
  for (int k = 0; k < products; ++k) {
    const std::uint32_t y = b[std::ptrdiff_t{k} * kColumns];
    kinds.add(product_class(classify<A>(a[k]), classify<B>(y)),
              has_sign<A>(a[k]) != has_sign<B>(y));
  }
  return kinds;
}

template <class C>
std::uint32_t special_result(const Kinds& kinds, std::uint32_t sum, const TensorModel& model) {
  using F = Format<C>;
  if (kinds.nan || (kinds.infinite[0] && kinds.infinite[1])) return F::canonical_nan;
  if (kinds.infinite[0]) return F::infinity;
  if (kinds.infinite[1]) return F::sign | F::infinity;
  if (kinds.only_negative_zeros && model.negative_zero) return F::sign;
  return sum;
}

/// Adds a block of products to `sum` in eight columns of one row; `sum` is C before and D
/// afterwards.
template <class A, class B, class C>
void add_block(const TensorModel& model, const BlockSum& how, int products, const Operand<1>& a,
               const std::uint32_t* a_bits, const Operand<kColumns>& b, const std::uint32_t* b_bits,
               Words& sum) {
  constexpr int product_fraction_bits = Format<A>::fraction_bits + Format<B>::fraction_bits;
  Operand<kColumns> c;
  decode<C>(sum.data(), 1, 0, model.least_exponent, c);
  const Block block = add_up<product_fraction_bits, Format<C>::fraction_bits>(
      how, products, a, b, c, model.least_exponent);
  const bool special = a.special || b.special || c.special;
  for (int j = 0; j < kColumns; ++j) {
    const int unit = block.largest[j] - how.fraction_bits;
    std::uint32_t result = 0;
    if constexpr (std::same_as<C, f16>)
      result = to_f16(block.sum[j], unit, model);
    else
      result = to_f32(block.sum[j], unit, how.result_fraction_bits, model);
    if (special || (model.negative_zero && result == 0)) {
      const Kinds kinds = kinds_of<A, B, C>(products, a_bits, b_bits + j, sum[j]);
      result = special_result<C>(kinds, result, model);
    }
    sum[j] = result;
  }
}

struct Call {
  const TensorModel& model;
  const BlockSum& how;
  MmaShape shape;
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
};

/// Adds block by block along k over all of D, so that B is decoded once.
template <class A, class B, class C>
void sum_blocks(const Call& call) {
  const std::ptrdiff_t m = call.shape.m;
  const std::ptrdiff_t n = call.shape.n;
  const std::ptrdiff_t k = call.shape.k;
  const std::int32_t zero_a = call.model.zero_factor_has_exponent ? 1 - Format<A>::bias : kAbsent;
  const std::int32_t zero_b = call.model.zero_factor_has_exponent ? 1 - Format<B>::bias : kAbsent;
  Operand<1> row;
  Operand<kColumns> columns;
  std::array<std::uint32_t, kMostProducts * kColumns> b_bits{};
  if (call.d != call.c) std::copy_n(call.c, m * n, call.d);
  const int length = std::min(call.how.block_length, kMostProducts);
  for (std::ptrdiff_t at = 0; at < k; at += length) {
    const auto products = static_cast<int>(std::min<std::ptrdiff_t>(length, k - at));
    for (std::ptrdiff_t left = 0; left < n; left += kColumns) {
      const std::ptrdiff_t width = std::min<std::ptrdiff_t>(kColumns, n - left);
      for (std::ptrdiff_t l = 0; l < products; ++l) {
        std::copy_n(call.b + (at + l) * n + left, width, b_bits.data() + l * kColumns);
      }
      decode<B>(b_bits.data(), products, kColumns, zero_b, columns);
      for (std::ptrdiff_t i = 0; i < m; ++i) {
        const std::uint32_t* a_bits = call.a + i * k + at;
        decode<A>(a_bits, products, 1, zero_a, row);
        Words sum{};
        std::copy_n(call.d + i * n + left, width, sum.data());
        add_block<A, B, C>(call.model, call.how, products, row, a_bits, columns, b_bits.data(),
                           sum);
        std::copy_n(sum.data(), width, call.d + i * n + left);
      }
    }
  }
}

template <class A, class B>
void sum(MmaAccumulator type, const Call& call) {
  if (type == MmaAccumulator::f16) {
    sum_blocks<A, B, f16>(call);
  } else {
    sum_blocks<A, B, float>(call);
  }
}

std::uint32_t as_f16(MmaInput type, std::uint32_t bits) {
  const auto byte = static_cast<std::uint8_t>(bits);
  const float value = type == MmaInput::e4m3 ? widen(e4m3{byte}) : widen(e5m2{byte});
  return narrow<f16, Rounding::rn>(static_cast<double>(value)).bits;
}

/// The position of product number k of 8-bit inputs in Fp8Path::through_f16: products with k mod 4
/// below 2 come first.
int place_in_halves(int k, int extent) {
  const int half = (k % 4) / 2;
  return half * extent / 2 + k / 4 * 2 + k % 2;
}

void sum_through_f16(const TensorModel& model, MmaShape shape, MmaInput a_type,
                     const std::uint32_t* a, MmaInput b_type, const std::uint32_t* b,
                     MmaAccumulator type, const std::uint32_t* c, std::uint32_t* d) {
  const auto [m, n, k] = shape;
  std::vector<std::uint32_t> half_a(static_cast<std::size_t>(m * k));
  std::vector<std::uint32_t> half_b(static_cast<std::size_t>(k * n));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(m * n));
  for (int l = 0; l < k; ++l) {
    const int to = place_in_halves(l, k);
    for (int i = 0; i < m; ++i) half_a[i * k + to] = as_f16(a_type, a[i * k + l]);
    for (int j = 0; j < n; ++j) half_b[to * n + j] = as_f16(b_type, b[l * n + j]);
  }
  BlockSum how = model.half;
  how.block_length = std::min(how.block_length, k / 2);
  sum<f16, f16>(type, {model, how, shape, half_a.data(), half_b.data(), sums.data(), sums.data()});
  for (int i = 0; i < m * n; ++i) {
    if (type == MmaAccumulator::f16) {
      d[i] =
          add(f16{static_cast<std::uint16_t>(c[i])}, f16{static_cast<std::uint16_t>(sums[i])}).bits;
    } else {
      d[i] = to_bits(add(from_bits<float>(c[i]), from_bits<float>(sums[i])));
    }
  }
}

}  // namespace

TensorModel tensor_model(unsigned architecture) {
  TensorModel model;
  if (architecture < 75) {
    model.half = {.fraction_bits = 23, .block_length = 4};
  } else if (architecture < 90) {
    model.half = {.fraction_bits = 24, .block_length = 8};
  } else {
    model.half = {.fraction_bits = 25, .block_length = 16};
  }
  model.tf32 = model.half;
  model.tf32.block_length /= 2;
  model.wmma_tf32 = model.tf32;
  model.wmma_tf32.block_length = 4;
  if (architecture < 90) {
    model.fp8 = {.fraction_bits = 13, .block_length = 16, .result_fraction_bits = 13};
  } else {
    model.fp8 = {.fraction_bits = 25, .block_length = 32};
  }
  if (architecture >= 90 && architecture < 100) model.fp8_path = Fp8Path::through_f16;
  return model;
}

void mma(const TensorModel& model, MmaShape shape, MmaInput a_type, const std::uint32_t* a,
         MmaInput b_type, const std::uint32_t* b, MmaAccumulator type, const std::uint32_t* c,
         std::uint32_t* d) {
  switch (a_type) {
    case MmaInput::f16:
      return sum<f16, f16>(type, {model, model.half, shape, a, b, c, d});
    case MmaInput::bf16:
      return sum<bf16, bf16>(type, {model, model.half, shape, a, b, c, d});
    case MmaInput::tf32:
      return sum<tf32, tf32>(
          type, {model, shape.n == 16 ? model.wmma_tf32 : model.tf32, shape, a, b, c, d});
    case MmaInput::e4m3:
    case MmaInput::e5m2:
      break;
  }
  if (model.fp8_path == Fp8Path::through_f16) {
    return sum_through_f16(model, shape, a_type, a, b_type, b, type, c, d);
  }
  const Call call{model, model.fp8, shape, a, b, c, d};
  if (a_type == MmaInput::e4m3) {
    return b_type == MmaInput::e4m3 ? sum<e4m3, e4m3>(type, call) : sum<e4m3, e5m2>(type, call);
  }
  return b_type == MmaInput::e4m3 ? sum<e5m2, e4m3>(type, call) : sum<e5m2, e5m2>(type, call);
}

}  // namespace warpcheck::semantics
