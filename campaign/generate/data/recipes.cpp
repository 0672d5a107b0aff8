// The values of each recipe.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/vectorized.hpp"
#include "campaign/generate/data/data.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "campaign/generate/data/structure.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using namespace random_bits;

double special_value(std::uint64_t bits, double largest) {
  switch (bits & 3) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return HUGE_VAL;
    case 2:
      return -HUGE_VAL;
    default:
      return with_sign(bits >> 2, largest);
  }
}

}  // namespace

/// Elements of one row of an operand, from column `first` on.
struct Data::Part {
  Operand operand;
  std::int64_t row;
  std::int64_t first;
  std::uint64_t key;  // key of the row's random bits
  std::span<double> values;

  /// Sets each element to value(column, bits).
  template <class F>
  void fill(const F& value) const {
    const auto count = static_cast<std::int64_t>(values.size());
    double* const to = values.data();
    for (std::int64_t i = 0; i < count; ++i) to[i] = value(first + i, at(key, first + i));
  }

  /// The part from `begin` to before `end`, columns of the matrix.
  [[nodiscard]] Part between(std::int64_t begin, std::int64_t end) const {
    const std::int64_t last = first + static_cast<std::int64_t>(values.size());
    begin = std::clamp(begin, first, last);
    end = std::clamp(end, begin, last);
    return {operand, row, begin, key,
            values.subspan(static_cast<std::size_t>(begin - first),
                           static_cast<std::size_t>(end - begin))};
  }
};

/// The values of a recipe, in loops over the columns that the compiler can vectorise.
class Data::Filler {
 public:
  explicit Filler(const Data& data) : data_(data), ranges_(data.ranges_) {}

  void fill(const Part& part) const {
    switch (data_.recipe_) {
      case Recipe::lattice:
        return lattice(part);
      case Recipe::normal:
        return normal(part);
      case Recipe::wide:
        return wide(part);
      case Recipe::cancellation:
        return cancellation(part);
      case Recipe::spikes:
        return spikes(part);
      case Recipe::onehot:
        return onehot(part);
      case Recipe::special:
        return special(part);
      default:
        return structured(part);
    }
  }

 private:
  /// Returns at most 2^26, which an int holds.
  [[nodiscard]] std::uint64_t lattice_range(Operand operand) const {
    return operand == Operand::c ? ranges_.lattice_of_c : ranges_.lattice;
  }

  void lattice(const Part& part) const {
    const std::uint64_t mask = lattice_range(part.operand) - 1;
    part.fill([=](std::int64_t, std::uint64_t bits) {
      return with_sign(bits, static_cast<double>(static_cast<int>(1 + ((bits >> 1) & mask))));
    });
  }

  void normal(const Part& part) const {
    const double scale = unit(data_.type(part.operand));
    part.fill([=](std::int64_t, std::uint64_t bits) { return scale * random_bits::normal(bits); });
  }

  void wide(const Part& part) const {
    const int spread = ranges_.spread;
    // The least exponent of integer formats is 0.
    const int base = reference::format(data_.type(part.operand)).integer ? 2 * spread + 1 : 0;
    const auto own = [=, range = std::max(1, spread / 8)](std::uint64_t bits) {
      return base + exponent(finalized(bits), range);
    };
    const auto inner = [=, key = data_.stream(Stream::inner), range = std::max(1, spread / 3)](
                           std::int64_t k) { return exponent(at(key, k), range); };
    const auto column_exponent = [=, key = data_.stream(Stream::columns)](std::int64_t column) {
      return exponent(at(key, column), spread);
    };
    const int row_exponent = exponent(at(data_.stream(Stream::rows), part.row), spread);
    if (part.operand == Operand::a) {
      return part.fill([=](std::int64_t column, std::uint64_t bits) {
        return significand(bits) * two_to_the(row_exponent + inner(column) + own(bits));
      });
    }
    const int line_exponent = part.operand == Operand::b ? -inner(part.row) : row_exponent;
    part.fill([=](std::int64_t column, std::uint64_t bits) {
      return significand(bits) * two_to_the(column_exponent(column) + line_exponent + own(bits));
    });
  }

  /// The second half of the columns of A, or of the rows of B, repeats the first one, negated in
  /// one of them. The last of an odd number has no counterpart.
  void cancellation(const Part& part) const {
    const double scale = unit(data_.type(part.operand));
    const std::int64_t half = data_.product_.k / 2;
    const bool negated = (part.operand == Operand::b) == (data_.types_.a == ScalarType::u8);
    const auto repeat = [=](const Part& from, std::uint64_t key, std::int64_t distance) {
      from.fill([=](std::int64_t column, std::uint64_t) {
        const double first = random_bits::normal(at(key, column - distance));
        return scale * (negated ? -first : first);
      });
    };
    if (part.operand == Operand::a) {
      normal(part.between(0, half));
      repeat(part.between(half, 2 * half), part.key, half);
      return normal(part.between(2 * half, data_.product_.k));
    }
    if (part.operand == Operand::c || part.row < half || part.row == 2 * half) return normal(part);
    repeat(part, data_.row_key(part.operand, part.row - half), 0);
  }

  void spikes(const Part& part) const {
    if (part.operand != Operand::a) {
      return part.fill([](std::int64_t, std::uint64_t bits) { return significand(bits); });
    }
    part.fill([row = part.row, rows = data_.product_.m, key = data_.stream(Stream::inner),
               spike = two_to_the(ranges_.spike)](std::int64_t column, std::uint64_t bits) {
      return significand(bits) * (below(at(key, column), rows) == row ? spike : 1.0);
    });
  }

  void onehot(const Part& part) const {
    // Quarters, so that an element of C that is read in place of another one leaves a fraction,
    // which is no code.
    if (part.operand == Operand::c) {
      // Integers: multiples above every code.
      const bool integer = reference::format(data_.types_.c).integer;
      const double scale = integer ? two_to_the(2 * ranges_.code_bits + 1) : 0.25;
      return part.fill([=](std::int64_t, std::uint64_t bits) {
        return static_cast<double>(static_cast<int>(1 + bits % 3)) * scale;
      });
    }
    const Operand hot_operand = (data_.seed_ & 1) == 0 ? Operand::a : Operand::b;
    if (part.operand != hot_operand) {
      return part.fill(
          [&](std::int64_t column, std::uint64_t) { return data_.code(part.row, column); });
    }
    std::fill(part.values.begin(), part.values.end(), 0.0);
    const auto set = [&](std::int64_t column) {
      const Part one = part.between(column, column + 1);
      if (!one.values.empty()) one.values.front() = 1.0;
    };
    if (part.operand == Operand::a) return set(data_.hot(part.row));
    const std::int64_t last = part.first + static_cast<std::int64_t>(part.values.size());
    const std::int64_t k = data_.product_.k;
    for (std::int64_t column = part.first / k * k + data_.first_hot_line(part.row); column < last;
         column += k) {
      set(column);
    }
  }

  /// The lattice with special values.
  void special(const Part& part) const {
    lattice(part);
    const double largest = reference::format(data_.type(part.operand)).largest;
    const auto set = [&](std::int64_t column, std::uint64_t bits) {
      const Part one = part.between(column, column + 1);
      if (!one.values.empty()) one.values.front() = special_value(bits, largest);
    };
    if (part.operand == Operand::a) {
      if (part.row % kSpecialPeriod == data_.special_row_) {
        set(below(finalized(part.key), data_.product_.k), part.key);
      }
    } else if (part.operand == Operand::b) {
      special_columns(part, set);
    } else if (!reference::format(data_.types_.c).integer) {  // sums stay within the accumulator
      special_results(part, set);
    }
  }

  /// The lattice or normal numbers, changed by a structure of each matrix.
  void structured(const Part& part) const {
    const std::int64_t columns = part.operand == Operand::a ? data_.product_.k : data_.product_.n;
    if (data_.recipe_ == Recipe::ordered && std::ssize(part.values) < columns) {
      std::vector<double> row(static_cast<std::size_t>(columns));
      structured({part.operand, part.row, 0, part.key, row});
      std::copy_n(row.begin() + part.first, part.values.size(), part.values.begin());
      return;
    }
    data_.seed_ % 2 == 0 ? lattice(part) : normal(part);
    const auto operand = static_cast<Stream>(part.operand);
    const Structure structure(data_.recipe_, data_.type(part.operand), data_.stream(operand),
                              StructureLimits::for_sums());
    ElementPlace place{part.row, part.first, columns, part.key};
    for (double& value : part.values) {
      value = structure.element(place, at(part.key, place.column), value);
      ++place.column;
    }
    structure.order(part.key, part.values);
  }

  template <class Set>
  void special_columns(const Part& part, const Set& set) const {
    if (data_.special_column_ < 0) return;
    const std::int64_t last = part.first + static_cast<std::int64_t>(part.values.size());
    for (std::int64_t column = part.first / kSpecialPeriod * kSpecialPeriod + data_.special_column_;
         column < last; column += kSpecialPeriod) {
      const std::uint64_t line = at(data_.stream(Stream::columns), column);
      if (below(finalized(line), data_.product_.k) == part.row) set(column, line);
    }
  }

  template <class Set>
  void special_results(const Part& part, const Set& set) const {
    // One element of D depends on no special value.
    const std::int64_t spared = data_.special_column_ == 0 ? 1 : 0;
    const std::int64_t last = part.first + static_cast<std::int64_t>(part.values.size());
    for (std::int64_t column = part.first; column < last; ++column) {
      if (part.row == data_.spared_row() && column == spared) continue;
      const std::uint64_t bits = at(part.key, column);
      if (below(finalized(bits), 32) == 0) set(column, bits >> 8);
    }
  }

  const Data& data_;
  const Ranges& ranges_;
};

void Data::fill(Operand operand, std::int64_t row, std::uint64_t key, std::int64_t first,
                std::span<double> values) const {
  if (values.empty()) return;
  const Part part{operand, row, first, key, values};
  vectorized([&] { Filler(*this).fill(part); });
  const ScalarType storage = type(operand);
  if (storage == ScalarType::u8) {
    for (double& value : values) value = std::abs(value);
  }
  const std::uint64_t range = operand == Operand::c ? ranges_.lattice_of_c : ranges_.lattice;
  const bool is_exact = recipe_ == Recipe::lattice &&
                        static_cast<double>(range) <= reference::format(storage).exact_integers();
  if (!is_exact) reference::round_to(storage, values);
}

std::int64_t Data::hot(std::int64_t line) const {
  return product_.k - 1 - (line % product_.k) * hot_stride_ % product_.k;
}

std::int64_t Data::first_hot_line(std::int64_t inner) const {
  return (product_.k - 1 - inner) * hot_inverse_ % product_.k;
}

double Data::code(std::int64_t row, std::int64_t column) const {
  const std::int64_t mask = (std::int64_t{1} << ranges_.code_bits) - 1;
  return static_cast<double>((((row & mask) << ranges_.code_bits) | (column & mask)) + 1);
}

}  // namespace warpcheck::campaign::generate
