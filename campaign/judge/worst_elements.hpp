// The wrong elements with the largest errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpcheck::campaign::judge {

/// One element of an output that disagrees.
struct WrongElement {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double got = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;  // absolute; 0: equality was demanded
  std::string name = {};   // "D[3, 4]"

  /// |got - expected|; NaN if one of them is NaN, or both are the same infinity.
  [[nodiscard]] double difference() const;
  /// See error_over_bound(double, double, double).
  [[nodiscard]] double error_over_bound() const;

  friend bool operator==(const WrongElement&, const WrongElement&) = default;
};

/// |error| / tolerance of an element; infinite where the two differ in kind, or differ at all and
/// the tolerance is 0. Nothing is an error where the tolerance is infinite.
[[nodiscard]] double error_over_bound(double got, double expected, double tolerance);

/// Elements with the largest errors in units of the tolerance, of equal ones those with the largest
/// differences, and of these the first ones added. The worst comes first.
class WorstElements {
 public:
  static constexpr std::size_t kMost = 8;

  void add(const WrongElement& element);
  [[nodiscard]] const std::vector<WrongElement>& elements() const { return elements_; }

 private:
  std::vector<WrongElement> elements_;
};

}  // namespace warpcheck::campaign::judge
