// Fragments that expose errors of a model of a tensor core.
#include "tests/golden/forms/inputs.hpp"

#include <algorithm>

#include "tests/golden/forms/random.hpp"
#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {
namespace {

struct Floating {
  int exponent_bits = 0;  // 0: an integer
  int fraction_bits = 0;
  int padding = 0;
};

Floating floating(MmaType type) {
  switch (type) {
    case MmaType::f16:
      return {5, 10};
    case MmaType::bf16:
      return {8, 7};
    case MmaType::tf32:
    case MmaType::f32:
      return {8, 23};
    case MmaType::e4m3:
      return {4, 3};
    case MmaType::e5m2:
      return {5, 2};
    case MmaType::f64:
      return {11, 52};
    default:
      return {};
  }
}

/// Generates elements of one type.
class ElementGenerator {
 public:
  ElementGenerator(SplitMix64& random, MmaType type)
      : random_(random), shape_(floating(type)), bits_(facts(type).bits) {}

  [[nodiscard]] bool is_floating() const { return shape_.exponent_bits != 0; }
  [[nodiscard]] std::uint64_t any() { return random_.bits() >> (64 - bits_); }
  [[nodiscard]] std::uint64_t sign() { return random_.below(2) << (bits_ - 1); }
  [[nodiscard]] std::uint64_t zero() { return sign(); }

  /// 1.xxx * 2^exponent, with the exponent clamped to the range of normal numbers.
  [[nodiscard]] std::uint64_t scaled(int exponent, bool random_fraction = true) {
    const int bias = (1 << (shape_.exponent_bits - 1)) - 1;
    const std::uint64_t field = std::clamp(exponent + bias, 1, 2 * bias);
    const std::uint64_t fraction = random_fraction ? random_.bits() & fraction_mask() : 0;
    return sign() | field << shape_.fraction_bits | fraction;
  }
  /// A value with an exponent at most `spread` from `centre`.
  [[nodiscard]] std::uint64_t near(int centre, int spread, bool random_fraction = true) {
    const int range = 2 * spread + 1;
    return scaled(centre + static_cast<int>(random_.below(range)) - spread, random_fraction);
  }
  /// The recordings depend on the order of the three random numbers.
  [[nodiscard]] std::uint64_t subnormal() {
    const std::uint64_t fraction = random_.bits() & fraction_mask();
    const std::uint64_t sign_bit = sign();
    return sign_bit | (fraction >> random_.below(shape_.fraction_bits));
  }
  [[nodiscard]] std::uint64_t infinity() { return sign() | exponent_mask(); }
  [[nodiscard]] std::uint64_t nan() {
    const std::uint64_t payload = random_.bits() & fraction_mask();
    return sign() | exponent_mask() | (payload == 0 ? 1 : payload);
  }
  /// The largest exponent of a normal number.
  [[nodiscard]] int top() const { return (1 << (shape_.exponent_bits - 1)) - 1; }
  [[nodiscard]] int bottom() const { return 1 - top(); }

  /// A value at or near an end of the range of an integer.
  [[nodiscard]] std::uint64_t extreme() {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits_);
    const std::uint64_t top_bit = std::uint64_t{1} << (bits_ - 1);
    const std::uint64_t end = random_.below(2) == 0 ? top_bit : top_bit - 1;
    return (random_.below(4) == 0 ? any() : end + random_.below(3) - 1) & mask;
  }

 private:
  [[nodiscard]] std::uint64_t fraction_mask() const {
    return (std::uint64_t{1} << shape_.fraction_bits) - 1;
  }
  [[nodiscard]] std::uint64_t exponent_mask() const {
    return ((std::uint64_t{1} << shape_.exponent_bits) - 1) << shape_.fraction_bits;
  }

  SplitMix64& random_;
  Floating shape_;
  unsigned bits_;
};

enum class Kind {
  any_bits,
  similar,
  cancelling,
  boundary,
  wide,
  subnormal,
  zeros,
  negative_zeros,
  sparse_zeros,
  zero_times_huge,
  overflow,
  special,
};

constexpr int kHalfOfSubnormal = -73;  // two such factors: 2^-146

class FragmentGenerator {
 public:
  FragmentGenerator(const MmaForm& form, Kind kind, std::uint64_t seed)
      : form_(form),
        kind_(kind),
        random_(seed),
        smallest_(random_.below(2) == 0),
        a_(random_, form.a),
        b_(random_, form.b),
        c_(random_, form.c) {}

  MmaInputs generate() {
    MmaInputs inputs;
    inputs.a = fill(a_, MmaOperand::a);
    inputs.b = fill(b_, MmaOperand::b);
    inputs.c = fill(c_, MmaOperand::c);
    if (kind_ == Kind::cancelling) oppose(inputs);
    return inputs;
  }

 private:
  Elements fill(ElementGenerator& generator, MmaOperand operand) {
    const std::size_t size = form_.rows(operand) * form_.columns(operand);
    Elements elements(size);
    for (std::uint64_t& element : elements) {
      element = generator.is_floating() ? real(generator, operand) : integer(generator);
    }
    return elements;
  }

  std::uint64_t integer(ElementGenerator& generator) {
    switch (kind_) {
      case Kind::zeros:
        return 0;
      case Kind::sparse_zeros:
        return random_.below(3) == 0 ? generator.extreme() : 0;
      case Kind::overflow:
      case Kind::special:
      case Kind::boundary:
        return generator.extreme();
      default:
        return generator.any();
    }
  }

  std::uint64_t real(ElementGenerator& generator, MmaOperand operand) {
    const bool is_c = operand == MmaOperand::c;
    switch (kind_) {
      case Kind::any_bits:
        return generator.any();
      case Kind::similar:
        return generator.near(0, is_c ? 4 : 2);
      case Kind::cancelling:
        return generator.near(0, is_c ? 8 : 4);
      case Kind::boundary:
        // Products and accumulators 20 to 30 bits apart, so that alignment truncates bits.
        if (is_c) return random_.below(3) == 0 ? generator.zero() : generator.near(-12, 16);
        return random_.below(3) == 0 ? generator.near(0, 1)
                                     : generator.near(-12, 3, random_.below(2) == 0);
      case Kind::wide:
        return generator.near(0, generator.top());
      case Kind::subnormal:
        // If the range of the operands admits it: sums of products that are subnormal in f32.
        if (smallest_ && generator.bottom() < -100) {
          return is_c ? generator.zero() : generator.near(kHalfOfSubnormal, 6);
        }
        return random_.below(3) == 0 ? generator.near(generator.bottom() + 6, 6)
                                     : generator.subnormal();
      case Kind::zeros:
        // Few tiny products, mostly without accumulator, to test the largest exponent. Half of the
        // fragments are around the smallest number of f32.
        if (is_c) return random_.below(8) == 0 ? generator.subnormal() : generator.zero();
        if (random_.below(4) != 0) return generator.zero();
        return smallest_ ? generator.near(generator.bottom() * 3 / 5, 2)
                         : generator.near(generator.bottom() / 2, 12);
      case Kind::negative_zeros:
        if (random_.below(64) == 0) return generator.subnormal();
        return operand == MmaOperand::a ? negative_zero() : positive_or_zero(generator, is_c);
      case Kind::sparse_zeros:
        return random_.below(3) == 0 ? generator.near(0, 6) : generator.zero();
      case Kind::zero_times_huge:
        if (is_c) return random_.below(2) == 0 ? generator.zero() : generator.near(-16, 12);
        if (random_.below(2) == 0) return generator.near(-6, 4);
        return random_.below(3) == 0 ? generator.near(generator.top() - 1, 1) : generator.zero();
      case Kind::overflow:
        return generator.near(is_c ? generator.top() : generator.top() / 2 + 1, is_c ? 1 : 4);
      case Kind::special:
        if (random_.below(24) == 0)
          return random_.below(2) == 0 ? generator.infinity() : generator.nan();
        if (random_.below(24) == 0) return generator.infinity();
        return random_.below(4) == 0 ? generator.zero() : generator.near(0, 4);
    }
    return 0;
  }

  std::uint64_t negative_zero() {
    return random_.below(8) == 0 ? 0 : std::uint64_t{1} << (facts(form_.a).bits - 1);
  }
  std::uint64_t positive_or_zero(ElementGenerator& generator, bool is_c) {
    if (is_c) return random_.below(8) == 0 ? 0 : std::uint64_t{1} << (facts(form_.c).bits - 1);
    return generator.scaled(0) & ~(std::uint64_t{1} << (facts(form_.b).bits - 1));
  }

  /// Every other k repeats the preceding one with the opposite sign in A, so that a sum is C and a
  /// few changed bits.
  void oppose(MmaInputs& inputs) {
    if (!a_.is_floating()) return;
    const int depth = form_.depth();
    const std::uint64_t sign = std::uint64_t{1} << (facts(form_.a).bits - 1);
    for (int k = 1; k < depth; k += 2) {
      for (int i = 0; i < form_.rows(MmaOperand::a); ++i) {
        inputs.a[i * depth + k] = inputs.a[i * depth + k - 1] ^ sign;
        if (random_.below(8) == 0) inputs.a[i * depth + k] ^= 1;
      }
      const int n = form_.shape.n;
      for (int row = k; row < form_.rows(MmaOperand::b); row += depth) {
        for (int j = 0; j < n; ++j) inputs.b[row * n + j] = inputs.b[(row - 1) * n + j];
      }
    }
  }

  const MmaForm& form_;
  Kind kind_;
  SplitMix64 random_;
  bool smallest_;
  ElementGenerator a_;
  ElementGenerator b_;
  ElementGenerator c_;
};

}  // namespace

const std::vector<std::string> kMmaKinds = {
    "any bits",       "similar magnitudes", "cancelling",   "around the last bit kept",
    "wide exponents", "subnormal",          "tiny or zero", "negative zeros",
    "sparse zeros",   "zero times huge",    "overflow",     "infinities and NaN"};

MmaInputs mma_inputs(const MmaForm& form, std::size_t fragment) {
  const auto kind = static_cast<Kind>(fragment % kMmaKinds.size());
  return FragmentGenerator(form, kind, fnv1a(form.name.data(), form.name.size()) + fragment)
      .generate();
}

}  // namespace warpcheck::golden
