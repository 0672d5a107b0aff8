// Fragments that bring out what a model of a tensor core may get wrong.
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

/// Draws elements of one type.
class Drawer {
 public:
  Drawer(Random& random, MmaType type)
      : random_(random), shape_(floating(type)), bits_(facts(type).bits) {}

  [[nodiscard]] bool is_floating() const { return shape_.exponent_bits != 0; }
  [[nodiscard]] std::uint64_t any() { return random_.bits() >> (64 - bits_); }
  [[nodiscard]] std::uint64_t sign() { return random_.below(2) << (bits_ - 1); }
  [[nodiscard]] std::uint64_t zero() { return sign(); }

  /// 1.xxx * 2^exponent, the exponent limited to the normal numbers' range.
  [[nodiscard]] std::uint64_t scaled(int exponent, bool random_fraction = true) {
    const int bias = (1 << (shape_.exponent_bits - 1)) - 1;
    const std::uint64_t field = std::clamp(exponent + bias, 1, 2 * bias);
    const std::uint64_t fraction = random_fraction ? random_.bits() & fraction_mask() : 0;
    return sign() | field << shape_.fraction_bits | fraction;
  }
  /// Of an exponent up to `spread` away from 2^centre.
  [[nodiscard]] std::uint64_t near(int centre, int spread, bool random_fraction = true) {
    const int range = 2 * spread + 1;
    return scaled(centre + static_cast<int>(random_.below(range)) - spread, random_fraction);
  }
  [[nodiscard]] std::uint64_t subnormal() {
    return sign() | ((random_.bits() & fraction_mask()) >> random_.below(shape_.fraction_bits));
  }
  [[nodiscard]] std::uint64_t infinity() { return sign() | exponent_mask(); }
  [[nodiscard]] std::uint64_t nan() {
    const std::uint64_t payload = random_.bits() & fraction_mask();
    return sign() | exponent_mask() | (payload == 0 ? 1 : payload);
  }
  /// Largest exponent of a normal number.
  [[nodiscard]] int top() const { return (1 << (shape_.exponent_bits - 1)) - 1; }
  [[nodiscard]] int bottom() const { return 1 - top(); }

  /// An end of an integer's range, or near it.
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

  Random& random_;
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

class Fragment {
 public:
  Fragment(const MmaForm& form, Kind kind, std::uint64_t seed)
      : form_(form),
        kind_(kind),
        random_(seed),
        smallest_(random_.below(2) == 0),
        a_(random_, form.a),
        b_(random_, form.b),
        c_(random_, form.c) {}

  MmaInputs draw() {
    MmaInputs inputs;
    inputs.a = fill(a_, MmaOperand::a);
    inputs.b = fill(b_, MmaOperand::b);
    inputs.c = fill(c_, MmaOperand::c);
    if (kind_ == Kind::cancelling) oppose(inputs);
    return inputs;
  }

 private:
  Elements fill(Drawer& drawer, MmaOperand operand) {
    const std::size_t size = form_.rows(operand) * form_.columns(operand);
    Elements elements(size);
    for (std::uint64_t& element : elements) {
      element = drawer.is_floating() ? real(drawer, operand) : integer(drawer);
    }
    return elements;
  }

  std::uint64_t integer(Drawer& drawer) {
    switch (kind_) {
      case Kind::zeros:
        return 0;
      case Kind::sparse_zeros:
        return random_.below(3) == 0 ? drawer.extreme() : 0;
      case Kind::overflow:
      case Kind::special:
      case Kind::boundary:
        return drawer.extreme();
      default:
        return drawer.any();
    }
  }

  std::uint64_t real(Drawer& drawer, MmaOperand operand) {
    const bool is_c = operand == MmaOperand::c;
    switch (kind_) {
      case Kind::any_bits:
        return drawer.any();
      case Kind::similar:
        return drawer.near(0, is_c ? 4 : 2);
      case Kind::cancelling:
        return drawer.near(0, is_c ? 8 : 4);
      case Kind::boundary:
        // Products and accumulators 20 to 30 bits apart: where alignment cuts.
        if (is_c) return random_.below(3) == 0 ? drawer.zero() : drawer.near(-12, 16);
        return random_.below(3) == 0 ? drawer.near(0, 1)
                                     : drawer.near(-12, 3, random_.below(2) == 0);
      case Kind::wide:
        return drawer.near(0, drawer.top());
      case Kind::subnormal:
        // Where the operands reach that far: sums of products that are subnormal in f32.
        if (smallest_ && drawer.bottom() < -100) {
          return is_c ? drawer.zero() : drawer.near(kHalfOfSubnormal, 6);
        }
        return random_.below(3) == 0 ? drawer.near(drawer.bottom() + 6, 6) : drawer.subnormal();
      case Kind::zeros:
        // Few products, tiny, and mostly no accumulator: whose exponent is the largest? Every other
        // fragment lies around the smallest number that an f32 can hold.
        if (is_c) return random_.below(8) == 0 ? drawer.subnormal() : drawer.zero();
        if (random_.below(4) != 0) return drawer.zero();
        return smallest_ ? drawer.near(drawer.bottom() * 3 / 5, 2)
                         : drawer.near(drawer.bottom() / 2, 12);
      case Kind::negative_zeros:
        if (random_.below(64) == 0) return drawer.subnormal();
        return operand == MmaOperand::a ? negative_zero() : positive_or_zero(drawer, is_c);
      case Kind::sparse_zeros:
        return random_.below(3) == 0 ? drawer.near(0, 6) : drawer.zero();
      case Kind::zero_times_huge:
        if (is_c) return random_.below(2) == 0 ? drawer.zero() : drawer.near(-16, 12);
        if (random_.below(2) == 0) return drawer.near(-6, 4);
        return random_.below(3) == 0 ? drawer.near(drawer.top() - 1, 1) : drawer.zero();
      case Kind::overflow:
        return drawer.near(is_c ? drawer.top() : drawer.top() / 2 + 1, is_c ? 1 : 4);
      case Kind::special:
        if (random_.below(24) == 0) return random_.below(2) == 0 ? drawer.infinity() : drawer.nan();
        if (random_.below(24) == 0) return drawer.infinity();
        return random_.below(4) == 0 ? drawer.zero() : drawer.near(0, 4);
    }
    return 0;
  }

  std::uint64_t negative_zero() {
    return random_.below(8) == 0 ? 0 : std::uint64_t{1} << (facts(form_.a).bits - 1);
  }
  std::uint64_t positive_or_zero(Drawer& drawer, bool is_c) {
    if (is_c) return random_.below(8) == 0 ? 0 : std::uint64_t{1} << (facts(form_.c).bits - 1);
    return drawer.scaled(0) & ~(std::uint64_t{1} << (facts(form_.b).bits - 1));
  }

  /// Every other k repeats the one before it with A's sign changed: what is left of a sum is C and
  /// a few changed bits.
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
  Random random_;
  bool smallest_;
  Drawer a_;
  Drawer b_;
  Drawer c_;
};

}  // namespace

const std::vector<std::string> kMmaKinds = {
    "any bits",       "similar magnitudes", "cancelling",   "around the last bit kept",
    "wide exponents", "subnormal",          "tiny or zero", "negative zeros",
    "sparse zeros",   "zero times huge",    "overflow",     "infinities and NaN"};

MmaInputs mma_inputs(const MmaForm& form, std::size_t fragment) {
  const auto kind = static_cast<Kind>(fragment % kMmaKinds.size());
  return Fragment(form, kind, fnv1a(form.name.data(), form.name.size()) + fragment).draw();
}

}  // namespace warpcheck::golden
