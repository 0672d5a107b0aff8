#include "campaign/generate/data/ranged_data.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/generate/data/random_bits.hpp"

namespace warpcheck::campaign::generate {
namespace {

using namespace random_bits;

/// A number from 0 to below 1.
double share_of(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1p-53; }

}  // namespace

RangedData::RangedData(const operation::Tensor& tensor, double low, double high, std::uint64_t key,
                       bool is_crowded)
    : tensor_(tensor),
      low_(low),
      high_(std::max(low, high)),
      count_(static_cast<std::int64_t>(std::min(high_ - low_, 0x1p53)) + 1),
      key_(key),
      is_crowded_(is_crowded) {}

double RangedData::element(const ElementPlace& place, std::uint64_t bits) const {
  if (tensor_.distinct != operation::Distinct::none) return distinct(place);
  return is_crowded_ ? crowded(place, bits) : random(bits);
}

double RangedData::random(std::uint64_t bits) const {
  if (!tensor_.range) return low_ + static_cast<double>(below(bits, count_));
  const std::uint64_t more = finalized(bits);
  if (bits % 8 == 0) return low_;
  if (bits % 8 == 1) return high_;
  if (tensor_.integer) return low_ + static_cast<double>(below(more, count_));
  return low_ + (high_ - low_) * share_of(more);
}

double RangedData::at_share(double share) const {
  if (!tensor_.integer) return low_ + (high_ - low_) * share;
  return low_ +
         std::min(std::floor(share * static_cast<double>(count_)), static_cast<double>(count_ - 1));
}

double RangedData::chosen(std::uint64_t bits) const {
  if (bits % 4 < 2) return bits % 4 == 0 ? low_ : high_;
  return at_share(share_of(finalized(bits)));
}

double RangedData::crowded(const ElementPlace& place, std::uint64_t bits) const {
  const std::uint64_t kind = finalized(~key_);
  const auto columns = static_cast<double>(place.columns);
  const auto column = static_cast<double>(place.column);
  switch (kind % 8) {
    case 0:
      return chosen(kind >> 8U);
    case 1:
      return bits % 8 == 0 ? random(finalized(bits)) : chosen(kind >> 8U);
    case 2:
      return chosen(place.row_bits);
    case 3:
      return at_share(column / columns);
    case 4:
      return at_share((columns - 1.0 - column) / columns);
    case 5:
      return low_ + static_cast<double>((place.row * place.columns + place.column) % count_);
    case 6:
      return place.column % 2 == 0 ? low_ : high_;
    default:
      return at_share(std::pow(share_of(finalized(bits)), 4.0));
  }
}

double RangedData::distinct(const ElementPlace& place) const {
  const bool in_rows = tensor_.distinct == operation::Distinct::in_rows;
  const std::int64_t element = in_rows ? place.column : place.row * place.columns + place.column;
  const std::uint64_t key = in_rows ? place.row_bits : key_;
  const std::int64_t number = element % count_;
  if (!is_crowded_) return low_ + static_cast<double>(permuted(key, number, count_));
  const std::uint64_t kind = finalized(~key);
  const std::int64_t first = kind % 4 < 2 ? 0 : below(finalized(kind), count_);
  const std::int64_t position = (number + first) % count_;
  return kind % 2 == 0 ? low_ + static_cast<double>(position)
                       : high_ - static_cast<double>(position);
}

}  // namespace warpcheck::campaign::generate
