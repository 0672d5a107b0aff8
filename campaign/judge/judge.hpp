// Comparison of D with the reference: the verdict, its sensitivity, and a diagnosis.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "campaign/judge/diagnosis.hpp"
#include "campaign/judge/error_map.hpp"
#include "campaign/judge/prefill.hpp"
#include "campaign/judge/region.hpp"
#include "campaign/judge/worst_elements.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::judge {

struct Judgement {
  std::int64_t elements = 0;
  std::int64_t wrong = 0;             // elements that no right kernel leaves
  std::optional<WrongElement> first;  // the first one in row-major order
  WorstElements worst;
  WrongBox box;                   // bounds of the wrong elements
  double error_over_bound = 0.0;  // the largest |error| / tolerance; infinite where equality was
                                  // demanded and does not hold. Of a pass: at most 1
  double sensitivity = 0.0;       // see sensitivity(); not computed where elements are wrong
  Diagnosis diagnosis;            // pattern of the wrong elements

  /// Counts an element in.
  void add(std::int64_t row, std::int64_t column, const ComparedElement& element);

  [[nodiscard]] bool passed() const { return wrong == 0; }
  /// Passed, but a wrong kernel would have passed as well.
  [[nodiscard]] bool mistrusted() const { return passed() && sensitivity == 0.0; }
};

/// D as the kernel left it.
struct Result {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::function<std::span<const double>(std::int64_t number)> row;  // valid until the next call
};

[[nodiscard]] reference::Matrix matrix_of(const Result& result);

/// `got` is m x n; `prefill` is C itself where beta is not 0. Costs m n, and for a right answer
/// that of sensitivity().
[[nodiscard]] Judgement judge(const reference::Gemm& problem, const reference::Expected& expected,
                              const Result& got, const Prefill& prefill = nullptr);
[[nodiscard]] Judgement judge(const reference::Gemm& problem, const reference::Expected& expected,
                              const reference::Matrix& got, const Prefill& prefill = nullptr);

/// The share of the K terms whose loss would certainly have been detected: term k is visible at (i,
/// j) iff |alpha a_ik b_kj| > 2 tolerance_ij, since the kernel's own error may hide as much as the
/// tolerance again. 1: the case is K-complete. Costs at most m n k comparisons, mostly far fewer. 0
/// if beta is 0 and the prefill holds the result already, so that a kernel that does nothing
/// passes. If there are no terms (k = 0 or alpha = 0), it is the share of elements at which an
/// unchanged or zeroed D would have been detected. 1 if D has no elements: guards judge such a
/// case, not values.
[[nodiscard]] double sensitivity(const reference::Gemm& problem,
                                 const reference::Expected& expected,
                                 const Prefill& prefill = nullptr);

}  // namespace warpcheck::campaign::judge
