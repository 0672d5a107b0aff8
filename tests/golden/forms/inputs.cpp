#include "tests/golden/forms/inputs.hpp"

#include <bit>

#include "tests/golden/forms/random.hpp"

namespace warpcheck::golden {
namespace {

struct FloatFormat {
  unsigned exponent_bits = 0;  // 0: not a floating-point format
  unsigned fraction_bits = 0;

  [[nodiscard]] unsigned bits() const { return 1 + exponent_bits + fraction_bits; }
  [[nodiscard]] std::uint64_t fraction_mask() const { return (1ULL << fraction_bits) - 1; }
  [[nodiscard]] std::uint64_t exponent_mask() const { return (1ULL << exponent_bits) - 1; }
  [[nodiscard]] std::uint64_t bias() const { return exponent_mask() >> 1; }
};

FloatFormat format(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2:
      return {5, 10};
    case Type::bf16:
    case Type::bf16x2:
      return {8, 7};
    case Type::f32:
    case Type::tf32:
      return {8, 23};
    case Type::f64:
      return {11, 52};
    case Type::e4m3x2:
      return {4, 3};
    case Type::e5m2x2:
      return {5, 2};
    default:
      return {};
  }
}

bool is_packed(Type type) {
  switch (type) {
    case Type::f16x2:
    case Type::bf16x2:
    case Type::u16x2:
    case Type::s16x2:
    case Type::e4m3x2:
    case Type::e5m2x2:
      return true;
    default:
      return false;
  }
}

std::uint64_t mask(unsigned bits) { return bits == 64 ? ~0ULL : (1ULL << bits) - 1; }

std::uint64_t special_integer(unsigned bits, SplitMix64& random) {
  const std::uint64_t sign = 1ULL << (bits - 1);
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return random.below(4);
    case 2:
      return 0 - random.below(4);  // -1, -2 ...
    case 3:
      return sign + random.below(3) - 1;  // numbers around the least signed value
    case 4:
      return (1ULL << random.below(bits)) + random.below(3) - 1;  // powers of two
    case 5:
      return 0x5555555555555555ULL << random.below(2);
    case 6:
      return random.below(300);  // counts and positions
    default:
      return random.bits() >> random.below(64);  // any magnitude
  }
}

std::uint64_t special_float(const FloatFormat& f, SplitMix64& random) {
  const std::uint64_t top = f.exponent_mask();
  const std::uint64_t one = f.bias() << f.fraction_bits;
  const std::uint64_t infinity = top << f.fraction_bits;
  const std::uint64_t sign = random.below(2) << (f.bits() - 1);
  std::uint64_t magnitude = 0;
  switch (random.below(12)) {
    case 0:
      magnitude = 0;
      break;
    case 1:
      magnitude = one;
      break;
    case 2:
      magnitude = infinity;
      break;
    case 3:
      magnitude = infinity | (random.bits() & f.fraction_mask());
      break;  // NaN, any payload
    case 4:
      magnitude = infinity - 1 - random.below(3);
      break;  // largest finite
    case 5:
      magnitude = random.below(4);
      break;  // least subnormal
    case 6:
      magnitude = random.bits() & f.fraction_mask();
      break;  // subnormal
    case 7:
      magnitude = (1ULL << f.fraction_bits) + random.below(3) - 1;
      break;  // least normal
    case 8:   // a power of two and its neighbours
      magnitude = ((1 + random.below(top - 1)) << f.fraction_bits) + random.below(3) - 1;
      break;
    case 9: {  // halves: k + 1/2, k small, and their neighbours; ties of the integer roundings
      const std::uint64_t odd = 2 * random.below(64) + 1;
      const auto width = static_cast<unsigned>(std::bit_width(odd));
      const std::uint64_t fraction =
          width - 1 <= f.fraction_bits ? (odd << (f.fraction_bits - (width - 1))) : 0;
      magnitude = ((f.bias() + width - 2) << f.fraction_bits) + (fraction & f.fraction_mask()) +
                  random.below(3) - 1;
      break;
    }
    case 10: {  // numbers around the bounds of the integer types, 2^7 ... 2^64
      const std::uint64_t exponent = f.bias() + 7 + random.below(58);
      magnitude = exponent < top ? (exponent << f.fraction_bits) + random.below(5) - 2 : one;
      break;
    }
    default: {  // few fraction bits: exact in narrower formats, and ties between their values
      const std::uint64_t kept = random.bits() & random.bits() & f.fraction_mask();
      const unsigned dropped = static_cast<unsigned>(random.below(f.fraction_bits));
      magnitude =
          ((f.bias() - 16 + random.below(32)) << f.fraction_bits) | (kept >> dropped << dropped);
      break;
    }
  }
  return sign | (magnitude & mask(f.bits() - 1));
}

/// A value with a magnitude around one, so that sums cancel and products stay in range.
std::uint64_t moderate_float(const FloatFormat& f, SplitMix64& random) {
  const std::uint64_t exponent = f.bias() - 3 + random.below(7);
  return (random.below(2) << (f.bits() - 1)) | (exponent << f.fraction_bits) |
         (random.bits() & f.fraction_mask());
}

std::uint64_t element(Type type, unsigned bits, SplitMix64& random) {
  const FloatFormat f = format(type);
  const std::uint64_t kind = random.below(8);
  if (f.exponent_bits == 0) {
    return (kind < 5 ? special_integer(bits, random) : random.bits()) & mask(bits);
  }
  if (kind < 4) return special_float(f, random) & mask(bits);
  return (kind < 7 ? moderate_float(f, random) : random.bits()) & mask(bits);
}

std::uint64_t related(std::uint64_t other, unsigned bits, SplitMix64& random) {
  switch (random.below(4)) {
    case 0:
      return other;
    case 1:
      return (other ^ (1ULL << (bits - 1))) & mask(bits);
    case 2:
      return (other + 1) & mask(bits);
    default:
      return (0 - other) & mask(bits);
  }
}

/// The negated, rounded product. With this addend the result of a fused multiply-add is the
/// rounding error of the product; without fusion it is zero.
std::uint64_t negated_product(Type type, std::uint64_t a, std::uint64_t b) {
  if (type == Type::f64) {
    return std::bit_cast<std::uint64_t>(-(std::bit_cast<double>(a) * std::bit_cast<double>(b)));
  }
  const float product = std::bit_cast<float>(static_cast<std::uint32_t>(a)) *
                        std::bit_cast<float>(static_cast<std::uint32_t>(b));
  return std::bit_cast<std::uint32_t>(-product);
}

}  // namespace

std::uint64_t fnv1a(const void* data, std::size_t bytes, std::uint64_t hash) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001b3ULL;
  return hash;
}

std::vector<std::uint64_t> inputs(const Form& form, std::size_t tuple) {
  SplitMix64 random(fnv1a(form.name.data(), form.name.size()) + tuple * 0xd1342543de82ef95ULL);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    const Type type = form.inputs[i];
    const auto bits = static_cast<unsigned>(facts(type).bits);
    std::uint64_t value = 0;
    if (is_packed(type)) {
      value = element(type, bits / 2, random);
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): they have 32 bits
      value |= element(type, bits / 2, random) << (bits / 2);
    } else {
      value = element(type, bits, random);
    }
    const bool same_type = i > 0 && form.inputs[i - 1] == type;
    if (same_type && random.below(8) == 0) value = related(values.back(), bits, random);
    const bool fused = i == 2 && same_type && (type == Type::f32 || type == Type::f64);
    if (fused && random.below(4) == 0) {
      const std::uint64_t product = negated_product(type, values[0], values[1]);
      // The bits of a NaN depend on the host.
      const FloatFormat f = format(type);
      if ((product & mask(f.bits() - 1)) <= (f.exponent_mask() << f.fraction_bits)) value = product;
    }
    if (i == 1 && form.nonzero_divisor && value == 0) value = 7;
    values.push_back(value);
  }
  return values;
}

}  // namespace warpcheck::golden
