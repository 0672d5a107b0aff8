#include "device/virtual/semantics/tensor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/vectorized.hpp"
#include "device/virtual/semantics/float.hpp"

namespace warpcheck::semantics {
namespace {

constexpr int kColumns = 8;        // columns that are summed in parallel
constexpr int kMostRows = 32;      // largest number of rows of a shape
constexpr int kMostProducts = 32;  // largest number of products of a block
constexpr int kAbsent = -10'000;   // exponent of a term that does not affect the largest one

// One element for each of the columns, in vector registers if the CPU has them.
using Words [[gnu::vector_size(kColumns * 4)]] = std::uint32_t;
using Numbers [[gnu::vector_size(kColumns * 4)]] = std::int32_t;
using Sums [[gnu::vector_size(kColumns * 8)]] = std::int64_t;
using Reals [[gnu::vector_size(kColumns * 8)]] = double;
using Encodings [[gnu::vector_size(kColumns * 8)]] = std::uint64_t;

Numbers larger(Numbers one, Numbers other) { return one > other ? one : other; }
Numbers smaller(Numbers one, Numbers other) { return one < other ? one : other; }

/// One element, or one of each column: magnitude * 2^(exponent - fraction bits of its format),
/// negated if `negative` is -1. The values of an infinity or a NaN are not used.
template <class Unsigned, class Signed>
struct Decoded {
  Unsigned magnitude;
  Signed exponent;
  Signed negative;
  Signed special;  // nonzero for infinity or NaN
};
using Number = Decoded<std::uint32_t, std::int32_t>;
using Columns = Decoded<Words, Numbers>;

/// `zero_exponent` is the exponent of a zero.
template <class T, class Unsigned, class Signed>
Decoded<Unsigned, Signed> decode(Unsigned bits, std::int32_t zero_exponent) {
  using F = Format<T>;
  constexpr std::uint32_t hidden = 1U << F::fraction_bits;
  constexpr std::uint32_t largest = (1U << F::exponent_bits) - 1;
  const Unsigned encoding = bits >> F::padding;
  const Unsigned fraction = encoding & (hidden - 1);
  const Unsigned exponent = encoding >> F::fraction_bits & largest;
  const auto is_normal = exponent != 0;
  Decoded<Unsigned, Signed> number{};
  number.magnitude = is_normal ? fraction | hidden : fraction;
  const Signed scale = std::bit_cast<Signed>(is_normal ? exponent : exponent + 1U) - F::bias;
  number.exponent = number.magnitude != 0 ? scale : Signed{} + zero_exponent;
  number.negative = -std::bit_cast<Signed>(encoding >> (F::fraction_bits + F::exponent_bits));
  const Unsigned magnitude = encoding & ((F::sign - 1U) >> F::padding);
  number.special = magnitude >= F::infinity;
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

/// The numbers of a block along k: columns of B, or a row of A.
template <class Element>
struct Operand {
  std::array<Element, kMostProducts> elements;
  int used = 0;          // number of leading elements that affect the sum; the others are zeros
  bool special = false;  // an element is an infinity or a NaN
};

bool any(std::uint32_t value) { return value != 0; }
bool any(std::int32_t value) { return value != 0; }
template <class Vector>
requires(sizeof(Vector) > sizeof(std::int64_t)) bool any(const Vector& values) {
  using Two [[gnu::vector_size(16)]] = std::int64_t;
  std::array<Two, sizeof(Vector) / sizeof(Two)> parts;
  std::memcpy(&parts, &values, sizeof values);
  Two all{};
  for (const Two& part : parts) all |= part;
  return (all[0] | all[1]) != 0;
}

template <class T, class Unsigned, class Signed>
void decode(const Unsigned* bits, int products, std::int32_t zero_exponent,
            Operand<Decoded<Unsigned, Signed>>& operand) {
  Signed special{};
  operand.used = zero_exponent == kAbsent ? 0 : products;
  for (int k = 0; k < products; ++k) {
    operand.elements[k] = decode<T, Unsigned, Signed>(bits[k], zero_exponent);
    special |= operand.elements[k].special;
    if (any(operand.elements[k].magnitude)) operand.used = std::max(operand.used, k + 1);
  }
  operand.special = any(special);
}

/// The largest exponent of each column, and the sum of the truncated terms in units of 2^(largest -
/// fraction_bits).
struct Block {
  Numbers largest;
  Sums sum;
};

/// value * 2^up / 2^shift for each column, truncated, and with its sign.
Numbers truncated(Words magnitude, Numbers shift, Numbers negative) {
  const Words cut = magnitude >> std::bit_cast<Words>(smaller(shift, Numbers{} + 31));
  return (std::bit_cast<Numbers>(cut) ^ negative) - negative;
}

/// Each term has at most fraction_bits + 2 = 27 bits, so that 32 bits hold the sum of eight.
template <int product_fraction_bits, int accumulator_fraction_bits>
Block add_up(const BlockSum& sum, int products, const Operand<Number>& a, const Operand<Columns>& b,
             const Columns& c, std::int32_t least_exponent) {
  constexpr int kTermsOf32Bits = 8;
  Block block{};
  block.largest = larger(c.exponent, Numbers{} + least_exponent);
  for (int k = 0; k < products; ++k) {
    block.largest = larger(block.largest, b.elements[k].exponent + a.elements[k].exponent);
  }
  const int up = std::max(sum.fraction_bits - product_fraction_bits, 0);
  const int down = std::max(product_fraction_bits - sum.fraction_bits, 0);
  for (int first = 0; first < products; first += kTermsOf32Bits) {
    Numbers part{};
    for (int k = first; k < std::min(first + kTermsOf32Bits, products); ++k) {
      const Number& factor = a.elements[k];
      const Columns& column = b.elements[k];
      part += truncated(column.magnitude * (factor.magnitude << up),
                        block.largest - (factor.exponent - down) - column.exponent,
                        column.negative ^ factor.negative);
    }
    block.sum += __builtin_convertvector(part, Sums);
  }
  const int c_up = std::max(sum.fraction_bits - accumulator_fraction_bits, 0);
  const int c_down = std::max(accumulator_fraction_bits - sum.fraction_bits, 0);
  const Numbers accumulator =
      truncated(c.magnitude << c_up, block.largest - c.exponent + c_down, c.negative);
  block.sum += __builtin_convertvector(accumulator, Sums);
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

/// to_f32() for each column.
Words to_f32(const Sums& sum, const Numbers& unit, int fraction_bits, const TensorModel& model) {
  // A sum has fewer than 51 bits: it is exact in f64, as the last bits of 1.5 * 2^52 + sum.
  constexpr double kAllIntegers = 0x1.8p52;
  const auto value =
      std::bit_cast<Reals>(sum + std::bit_cast<std::int64_t>(kAllIntegers)) - kAllIntegers;
  const auto bits = std::bit_cast<Encodings>(value);
  // Vector comparisons of 64 bits would be done column by column.
  const Words high = __builtin_convertvector(bits >> 32, Words);
  const Numbers exponent = std::bit_cast<Numbers>(high >> 20 & 0x7ff) - 1023 + unit;
  const Numbers not_zero = (high << 1) != 0;
  if (any(not_zero & ((exponent < -126) | (exponent > 127)))) {
    Words each;
    for (int j = 0; j < kColumns; ++j) each[j] = to_f32(sum[j], unit[j], fraction_bits, model);
    return each;
  }
  const std::uint32_t kept = 0x7f'ffff & ~0U << (23 - fraction_bits);
  const Words fraction = __builtin_convertvector(bits >> 29, Words) & kept;
  const Words encoded =
      (high & 0x8000'0000U) | std::bit_cast<Words>(exponent + 127) << 23 | fraction;
  return std::bit_cast<Words>(not_zero) & encoded;
}

/// sum * 2^unit as f16, rounded to nearest even. Every such sum is exact in f64.
std::uint32_t to_f16(std::int64_t sum, int unit, const TensorModel& model) {
  const double value = std::ldexp(static_cast<double>(sum), unit);
  const std::uint32_t bits = narrow<f16, Rounding::rn>(value).bits;
  return bits == 0x8000 && !model.negative_underflow ? 0 : bits;
}

/// Properties of the terms that determine the result without the sum: infinities, NaN, and terms
/// that are all negative zeros.
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
Kinds kinds_of(int products, const std::uint32_t* a, const Words* b, int column, std::uint32_t c) {
  Kinds kinds;
  kinds.add(classify<C>(c), has_sign<C>(c));
  for (int k = 0; k < products; ++k) {
    const std::uint32_t y = b[k][column];
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
void add_block(const TensorModel& model, const BlockSum& how, int products,
               const Operand<Number>& a, const std::uint32_t* a_bits, const Operand<Columns>& b,
               const Words* b_bits, Words& sum) {
  constexpr int product_fraction_bits = Format<A>::fraction_bits + Format<B>::fraction_bits;
  const auto c = decode<C, Words, Numbers>(sum, model.least_exponent);
  const Block block = add_up<product_fraction_bits, Format<C>::fraction_bits>(
      how, std::min(a.used, b.used), a, b, c, model.least_exponent);
  const bool special = a.special || b.special || any(c.special);
  const Numbers unit = block.largest - how.fraction_bits;
  Words result;
  if constexpr (std::same_as<C, f16>) {
    for (int j = 0; j < kColumns; ++j) result[j] = to_f16(block.sum[j], unit[j], model);
  } else {
    result = to_f32(block.sum, unit, how.result_fraction_bits, model);
  }
  if (special || (model.negative_zero && any(result == 0))) {
    for (int j = 0; j < kColumns; ++j) {
      if (!special && result[j] != 0) continue;
      const Kinds kinds = kinds_of<A, B, C>(products, a_bits, b_bits, j, sum[j]);
      result[j] = special_result<C>(kinds, result[j], model);
    }
  }
  sum = result;
}

/// True if all products are zeros that do not change a sum of +0, as in a padded tile.
bool is_zero(const TensorModel& model, const Operand<Number>& a, const Operand<Columns>& b) {
  return std::min(a.used, b.used) == 0 && !a.special && !b.special && !model.negative_zero;
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

/// Adds block by block along k over the whole of D, so that B is decoded once.
template <class A, class B, class C>
void sum_blocks(const Call& call) {
  const std::ptrdiff_t m = call.shape.m;
  const std::ptrdiff_t n = call.shape.n;
  const std::ptrdiff_t k = call.shape.k;
  const std::int32_t zero_a = call.model.zero_factor_has_exponent ? 1 - Format<A>::bias : kAbsent;
  const std::int32_t zero_b = call.model.zero_factor_has_exponent ? 1 - Format<B>::bias : kAbsent;
  std::array<Operand<Number>, kMostRows> rows;
  Operand<Columns> columns;
  std::array<Words, kMostProducts> b_bits{};
  if (call.d != call.c) std::copy_n(call.c, m * n, call.d);
  const int length = std::min(call.how.block_length, kMostProducts);
  for (std::ptrdiff_t at = 0; at < k; at += length) {
    const auto products = static_cast<int>(std::min<std::ptrdiff_t>(length, k - at));
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      decode<A>(call.a + i * k + at, products, zero_a, rows[i]);
    }
    for (std::ptrdiff_t left = 0; left < n; left += kColumns) {
      const std::size_t bytes =
          4 * static_cast<std::size_t>(std::min<std::ptrdiff_t>(kColumns, n - left));
      for (std::ptrdiff_t l = 0; l < products; ++l) {
        std::memcpy(&b_bits[l], call.b + (at + l) * n + left, bytes);
      }
      decode<B>(b_bits.data(), products, zero_b, columns);
      for (std::ptrdiff_t i = 0; i < m; ++i) {
        Words sum{};
        std::memcpy(&sum, call.d + i * n + left, bytes);
        if (!any(sum) && is_zero(call.model, rows[i], columns)) continue;
        add_block<A, B, C>(call.model, call.how, products, rows[i], call.a + i * k + at, columns,
                           b_bits.data(), sum);
        std::memcpy(call.d + i * n + left, &sum, bytes);
      }
    }
  }
}

template <class A, class B>
void sum(MmaAccumulator type, const Call& call) {
  if (type == MmaAccumulator::f16) {
    vectorized([&] { sum_blocks<A, B, f16>(call); });
  } else {
    vectorized([&] { sum_blocks<A, B, float>(call); });
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

TensorModel warpgroup_tensor_model() {
  TensorModel model = tensor_model(90);
  model.wmma_tf32 = model.tf32;
  model.fp8 = {.fraction_bits = 13, .block_length = 32, .result_fraction_bits = 13};
  model.fp8_path = Fp8Path::tensor_core;
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
