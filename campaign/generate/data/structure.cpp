#include "campaign/generate/data/structure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "campaign/generate/data/random_bits.hpp"
#include "campaign/generate/data/ranges.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using namespace random_bits;

constexpr int kMostMaskExponent = 30;  // largest exponent of a finite mask
constexpr int kMostDominance = 24;

/// The exponent of the largest number.
int reach(ScalarType type) { return std::ilogb(reference::format(type).largest); }

/// The columns of a beginning or an end: two, a tile, or any number.
std::int64_t part_of_row(std::uint64_t bits, std::int64_t columns) {
  switch (bits % 4) {
    case 0:
      return 2;
    case 1:
      return std::int64_t{8} << (bits >> 8U) % 5;
    default:
      return 1 + below(finalized(bits), columns);
  }
}

/// The column of the only element that differs.
std::int64_t single_column(std::uint64_t bits, std::int64_t columns) {
  switch (bits % 4) {
    case 0:
      return 0;
    case 1:
      return columns - 1;
    default:
      return below(finalized(bits), columns);
  }
}

/// Returns true if a part of a row covers the place.
bool covers_column(const ElementPlace& place) {
  const std::uint64_t more = finalized(place.row_bits);
  switch (place.row_bits % 8) {
    case 0:
      return false;
    case 1:
      return true;
    case 2:
    case 3:
      return place.column < part_of_row(more, place.columns);
    case 4:
      return place.column >= place.columns - part_of_row(more, place.columns);
    case 5:
      return (place.column >> (3 + more % 4)) % 2 == static_cast<std::int64_t>(more >> 8U & 1U);
    case 6:
      return place.column != single_column(more, place.columns);
    default:
      return (at(more, place.column) >> 20U & 1U) != 0;
  }
}

}  // namespace

bool has_infinity(ScalarType type) { return std::isinf(reference::round_to(type, HUGE_VAL)); }

Structure::Structure(Recipe recipe, ScalarType type, std::uint64_t bits,
                     const StructureLimits& limits)
    : recipe_(recipe), type_(type), bits_(finalized(bits)), largest_tie_(limits.largest_tie) {
  const double largest = limits.may_be_infinite && has_infinity(type)
                             ? HUGE_VAL
                             : two_to_the(std::min(kMostMaskExponent, reach(type) / 2));
  mask_ = (bits_ >> 16U & 7U) != 0 ? -largest : largest;
}

bool Structure::covers(const ElementPlace& place) const {
  const std::uint64_t kind = bits_ % 16;
  if (kind == 0) return true;
  if (kind > 2) return covers_column(place);
  return (place.row >> (2 + kind)) % 2 == static_cast<std::int64_t>(bits_ >> 8U & 1U);
}

double Structure::covered(const ElementPlace& place, std::uint64_t bits, double plain) const {
  const reference::Format& format = reference::format(type_);
  switch (recipe_) {
    case Recipe::masked:
      return mask_;
    case Recipe::zeros:
      return with_sign(bits, 0.0);
    case Recipe::equal: {
      const std::uint64_t row = bits_ % 16 == 0 ? bits_ : finalized(~place.row_bits);
      return unit(type_) * with_sign(row, (row & 2U) != 0 ? largest_tie_ : 1.0);
    }
    case Recipe::subnormal: {
      if (format.integer) return plain;
      // Rows reach from the smallest number up to different ones, below the normal numbers.
      const std::int64_t digits =
          1 + below(finalized(place.row_bits), std::max(format.precision - 1, 1));
      const std::int64_t number = 1 + below(finalized(bits), (std::int64_t{1} << digits) - 1);
      return with_sign(bits, static_cast<double>(number) * format.smallest_step());
    }
    case Recipe::large: {
      // The fourth root in one of two rows. Sums of integers must not overflow.
      const std::uint64_t root = format.integer ? 2 : finalized(~place.row_bits) % 4;
      const int exponent = root < 2 ? (reach(type_) - 1) >> root : reach(type_) / 4;
      return significand(bits) * two_to_the(exponent);
    }
    default:
      return plain;
  }
}

double Structure::element(const ElementPlace& place, std::uint64_t bits, double plain) const {
  const bool is_one_of_four = place.row_bits % 4 == 0;
  switch (recipe_) {
    case Recipe::negative:
      return is_one_of_four ? std::abs(plain) : -std::abs(plain);
    case Recipe::dominant: {
      if (reference::format(type_).integer) return plain;
      const std::uint64_t more = finalized(place.row_bits);
      if (is_one_of_four || place.column != single_column(more, place.columns)) return plain;
      return plain * two_to_the(std::clamp(reach(type_) / 2 - 2, 1, kMostDominance));
    }
    default:
      return covers(place) ? covered(place, bits, plain) : plain;
  }
}

void Structure::order(std::uint64_t row_bits, std::span<double> row) const {
  if (recipe_ != Recipe::ordered) return;
  if (row_bits % 2 == 0) {
    std::sort(row.begin(), row.end());
  } else {
    std::sort(row.begin(), row.end(), std::greater<>());
  }
}

}  // namespace warpcheck::campaign::generate
