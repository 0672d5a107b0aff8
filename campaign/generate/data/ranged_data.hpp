// The values of an input of integers, or of one with a range.
//
// They are random: within a range, one of eight is the least number, and one of eight the greatest.
// In crowded data, they are by chance
//   - one number for all elements, for seven of eight elements, or for each row: the least, the
//     greatest, or any other;
//   - ascending, or descending, over the whole range;
//   - consecutive numbers;
//   - the least and the greatest number in turn;
//   - mostly small ones: the share u^4 of the range, for a random number u below 1.
// Distinct ones are a random permutation of the numbers in the range. In crowded data they ascend
// or descend by 1, from the limit of the range or from another number of it.
#pragma once

#include <cstdint>

#include "campaign/generate/data/structure.hpp"
#include "operation/operation.hpp"

namespace warpcheck::campaign::generate {

class RangedData {
 public:
  /// The elements of `tensor` are from `low` to `high`. `key` is the tensor's stream of random
  /// bits.
  RangedData(const operation::Tensor& tensor, double low, double high, std::uint64_t key,
             bool is_crowded);

  /// Returns an element, whose random bits are given.
  [[nodiscard]] double element(const ElementPlace& place, std::uint64_t bits) const;

 private:
  [[nodiscard]] double random(std::uint64_t bits) const;
  [[nodiscard]] double crowded(const ElementPlace& place, std::uint64_t bits) const;
  [[nodiscard]] double distinct(const ElementPlace& place) const;
  /// Returns the number at a share of the range: the least one at 0.
  [[nodiscard]] double at_share(double share) const;
  /// Returns the least number, the greatest one, or another one.
  [[nodiscard]] double chosen(std::uint64_t bits) const;

  const operation::Tensor& tensor_;
  double low_;
  double high_;
  std::int64_t count_;  // number of the integers in the range
  std::uint64_t key_;
  bool is_crowded_;
};

}  // namespace warpcheck::campaign::generate
