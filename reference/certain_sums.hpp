// Sums of products, rounded to what is certain of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace warpcheck::reference {

/// Removes from sums in double what depends on the order of the additions, and so on the vectors of
/// the CPU. The sum of magnitudes S is increased to one of few numbers, and the sum of products is
/// rounded to a multiple of a power of two, about terms 2^-44 S. Where a number that the order may
/// give rounds in another way, the sum is computed again, in long double in a fixed order: the
/// result is always the one of that order.
class CertainSums {
 public:
  /// For sums of `terms` products that are not zero. They are exact in double; those that round
  /// count twice.
  explicit CertainSums(std::int64_t terms);

  /// |rounded - exact| <= value_growth() S, for the increased S.
  [[nodiscard]] double value_growth() const { return 0.5 * step_; }

  /// A sum of products in a fixed order.
  using Sum = std::function<long double(std::int64_t row, std::int64_t column)>;
  struct FixedOrder {
    Sum value;
    Sum magnitude;
  };

  /// Sums of one row, which are rounded in place.
  struct Row {
    std::int64_t number;
    std::span<double> values;
    std::span<double> magnitudes;  // S of each value
    double scale;                  // sums are exact in any order where `scale` S is
    double exact_up_to;            // the largest exact value
  };
  void round(const Row& row, const FixedOrder& fixed_order);

 private:
  struct Elements;
  static bool round_certain(const Elements& elements);

  std::int64_t magnitude_margin_;  // uncertain bits of S, for two orders
  std::int64_t magnitude_mask_;    // the bits of S that are removed
  double step_;                    // the step of values, relative to a power of two up to S
  double value_margin_;            // margin of two orders, relative to the same
  std::vector<std::int64_t> uncertain_;
};

}  // namespace warpcheck::reference
