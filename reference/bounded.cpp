#include "reference/bounded.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpcheck::reference {
namespace {

struct SpecialValue {
  Specials flag;
  double value;
};

constexpr std::array<SpecialValue, 3> kSpecialValues = {
    {{kPlusInfinity, kInfinity}, {kMinusInfinity, -kInfinity}, {kNan, kNanValue}}};

/// Values that stand for all that an operand may be: where f is evaluated.
struct Samples {
  std::array<double, 6> values{};
  std::size_t count = 0;

  explicit Samples(const Bounded& x) {
    if (x.is_number()) {
      add(x.value - x.error);
      if (x.error != 0.0) add(x.value + x.error);
      if (x.error != 0.0 && std::abs(x.value) <= x.error) add(0.0);
    }
    for (const SpecialValue& special : kSpecialValues) {
      if ((specials_of(x) & special.flag) != 0) add(special.value);
    }
  }

  void add(double value) { values[count++] = value; }
};

template <class F>
void for_each_special_pair(const Bounded& x, const Bounded& y, const F& f) {
  const Samples one(x);
  const Samples other(y);
  for (std::size_t i = 0; i < one.count; ++i) {
    for (std::size_t j = 0; j < other.count; ++j) {
      const double a = one.values[i];
      const double b = other.values[j];
      if (!std::isfinite(a) || !std::isfinite(b)) f(a, b);
    }
  }
}

/// The numbers from `low` to `high`, of which `preferred` is the value if it is among them.
Bounded interval(double low, double high, double preferred) {
  const double value = std::clamp(preferred, low, high);
  return {value, std::max(high - value, value - low)};
}

/// Replaces special values of a type of integers: those of cvt.
Bounded without_specials(ScalarType type, const Bounded& x) {
  Bounded result;
  bool is_empty = true;
  const auto add = [&](const Bounded& part) {
    result = is_empty ? part : united(result, part);
    is_empty = false;
  };
  if (x.is_number()) add(numbers_of(x));
  for (const SpecialValue& special : kSpecialValues) {
    if ((specials_of(x) & special.flag) != 0) add({round_to(type, special.value), 0.0});
  }
  return result;
}

}  // namespace

Range range_of(const Bounded& x, double sign) {
  Range range{kInfinity, -kInfinity};
  if (x.is_number()) range = {sign * x.value - x.error, sign * x.value + x.error};
  const Specials specials = specials_of(x);
  if ((specials & (sign > 0.0 ? kPlusInfinity : kMinusInfinity)) != 0) range.high = kInfinity;
  if ((specials & (sign > 0.0 ? kMinusInfinity : kPlusInfinity)) != 0) range.low = -kInfinity;
  return range;
}

Bounded negated(const Bounded& x) {
  Bounded result = x;
  result.value = -x.value;
  if (x.specials != 0) {
    result.specials &= kNan | kBeyondDouble;
    if ((x.specials & kPlusInfinity) != 0) result.specials |= kMinusInfinity;
    if ((x.specials & kMinusInfinity) != 0) result.specials |= kPlusInfinity;
  }
  if (x.is_sum) std::swap(result.plus, result.minus);
  return result;
}

Bounded magnitude_of(const Bounded& x) {
  Bounded result{std::abs(x.value), x.error, x.specials};
  if ((x.specials & kMinusInfinity) != 0) {
    result.specials = static_cast<Specials>((x.specials & ~kMinusInfinity) | kPlusInfinity);
  }
  return result;
}

Specials special_of(double value) {
  if (value != value) return kNan;
  if (value == kInfinity) return kPlusInfinity;
  return value == -kInfinity ? kMinusInfinity : Specials{0};
}

Specials specials_of(const Bounded& x) {
  return static_cast<Specials>((x.specials & kAnySpecial) | special_of(x.value));
}

Bounded numbers_of(const Bounded& x) { return {x.value, x.error}; }

Bounded with_specials(const Bounded* numbers, Specials specials, double preferred) {
  specials &= kAnySpecial;
  if (numbers != nullptr) {
    Bounded result = *numbers;
    result.specials |= specials;
    return result;
  }
  double value = preferred;
  for (const SpecialValue& special : kSpecialValues) {
    const bool is_missing = (specials & special_of(value)) == 0;
    if (is_missing && (specials & special.flag) != 0) value = special.value;
  }
  return {value, 0.0, static_cast<Specials>(specials & ~special_of(value))};
}

Bounded united(const Bounded& x, const Bounded& y) {
  const bool is_beyond = ((x.specials | y.specials) & kBeyondDouble) != 0;
  if (x.is_any() || y.is_any() || is_beyond) return any_value(x.value);
  const auto specials = static_cast<Specials>(specials_of(x) | specials_of(y));
  if (!x.is_number() && !y.is_number()) return with_specials(nullptr, specials, x.value);
  if (!x.is_number() || !y.is_number()) {
    const Bounded numbers = numbers_of(x.is_number() ? x : y);
    return with_specials(&numbers, specials, x.value);
  }
  const double distance = std::abs(x.value - y.value) + y.error;
  const Bounded numbers{x.value, std::max(x.error, distance)};
  return with_specials(&numbers, specials, x.value);
}

void add_infinities(Specials infinities, Bounded& result) {
  if (result.is_number()) {
    result.specials |= infinities;
  } else if ((infinities & ~special_of(result.value)) != 0) {
    result.specials |= kNan;
  }
}

bool includes(const Bounded& x, double got) {
  if (x.is_any()) return true;
  if (!std::isfinite(got)) return (specials_of(x) & special_of(got)) != 0;
  return x.is_number() && std::abs(got - x.value) <= x.error;
}

bool may_be_equal(const Bounded& x, const Bounded& y) {
  if (x.is_any() || y.is_any() || (specials_of(x) & specials_of(y)) != 0) return true;
  return x.is_number() && y.is_number() && std::abs(x.value - y.value) <= x.error + y.error;
}

Bounded within_type(ScalarType type, const Bounded& x) {
  const Format& to = format(type);
  const double beyond = to.overflow_threshold();
  const bool overflows = !(std::abs(x.value) + x.error < beyond);
  if (x.is_any() || (!overflows && x.specials == 0)) return x;
  if (to.integer) return without_specials(type, x);
  const Specials before = specials_of(x);
  const bool is_plus = (before & kPlusInfinity) != 0 || x.value + x.error >= beyond;
  const bool is_minus = (before & kMinusInfinity) != 0 || x.value - x.error <= -beyond;
  const auto infinities =
      static_cast<Specials>((is_plus ? kPlusInfinity : 0) | (is_minus ? kMinusInfinity : 0));
  const bool saturates = size_of(type) == 1;
  Specials specials = type == ScalarType::e4m3 && infinities != 0 ? kNan : infinities;
  specials |= before & kNan;
  double low = kInfinity;  // least and largest of the numbers
  double high = -kInfinity;
  if (x.is_number() && x.value - x.error < beyond && x.value + x.error > -beyond) {
    // Numbers from the largest one to `beyond` are rounded to the largest one.
    low = std::clamp(x.value - x.error, -to.largest, to.largest);
    high = std::clamp(x.value + x.error, -to.largest, to.largest);
  }
  if (saturates && is_plus) high = std::max(high, to.largest), low = std::min(low, to.largest);
  if (saturates && is_minus) low = std::min(low, -to.largest), high = std::max(high, -to.largest);
  if (low > high) return with_specials(nullptr, specials, x.value);
  const Bounded numbers = interval(low, high, x.value == x.value ? x.value : 0.0);
  return with_specials(&numbers, specials, x.value);
}

Bounded special_result(const Bounded& x, const Bounded& y, double (*f)(double, double),
                       const Bounded* numbers) {
  Specials specials = 0;
  double low = kInfinity;
  double high = -kInfinity;
  for_each_special_pair(x, y, [&](double a, double b) {
    const double result = f(a, b);
    specials |= special_of(result);
    if (!std::isfinite(result)) return;
    low = std::min(low, result);
    high = std::max(high, result);
  });
  const double preferred = f(x.value, y.value);
  if (low > high) return with_specials(numbers, specials, preferred);
  const Bounded others = interval(low, high, 0.0);
  const Bounded all = numbers == nullptr ? others : united(*numbers, others);
  return with_specials(&all, specials, preferred);
}

Truths special_truths(const Bounded& x, const Bounded& y, bool (*holds)(double, double)) {
  Truths truths;
  for_each_special_pair(
      x, y, [&](double a, double b) { (holds(a, b) ? truths.may_hold : truths.may_fail) = true; });
  return truths;
}

}  // namespace warpcheck::reference
