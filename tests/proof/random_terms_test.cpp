// Random values and formulas: their polynomials have the values of the numbers that they are made
// of, which lie in their ranges. WARPCHECK_RANDOM_TERMS=N tries the seeds to N.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/hash.hpp"
#include "proof/poly/substitution.hpp"
#include "proof/poly/terms.hpp"
#include "tests/proof/environment.hpp"

namespace warpcheck::proof {
namespace {

constexpr std::size_t kAssignments = 60;
constexpr std::int64_t kLargest = std::int64_t{1} << 24;

/// The values of an expression, one for each assignment of numbers to the symbols.
template <class Term, class Result>
struct Sample {
  Term term;
  std::array<Result, kAssignments> values = {};
};
using Value = Sample<Polynomial, std::int64_t>;
using Truth = Sample<Formula, bool>;
using Assignment = std::map<SymbolId, std::int64_t>;

std::int64_t floor_quotient(std::int64_t dividend, std::int64_t divisor) {
  std::int64_t quotient = dividend / divisor;
  while (quotient * divisor > dividend) --quotient;
  return quotient;
}

/// Evaluates terms by the definitions of their atoms.
class Evaluation {
 public:
  Evaluation(const Terms& terms, const Assignment& numbers) : terms_(terms), numbers_(numbers) {}

  std::int64_t operator()(const Polynomial& value) const {
    std::int64_t sum = 0;
    for (const auto& [monomial, factor] : value.terms()) {
      std::int64_t product = factor;
      for (const SymbolId id : monomial) product *= symbol(id);
      sum += product;
    }
    return sum;
  }

  bool operator()(Formula formula) const {
    const FormulaNode& node = terms_.node(formula);
    const auto holds = [&](Formula part) { return (*this)(part); };
    switch (node.kind) {
      case FormulaKind::constant:
        return formula == kTrue;
      case FormulaKind::at_most_zero:
        return (*this)(node.polynomial) <= 0;
      case FormulaKind::zero:
        return (*this)(node.polynomial) == 0;
      case FormulaKind::flag:
        return numbers_.at(node.flag) != 0;
      case FormulaKind::negation:
        return !holds(node.parts.front());
      case FormulaKind::all:
        return std::all_of(node.parts.begin(), node.parts.end(), holds);
      case FormulaKind::any:
        return std::any_of(node.parts.begin(), node.parts.end(), holds);
    }
    return false;
  }

 private:
  std::int64_t symbol(SymbolId id) const {
    const Definition& definition = terms_[id].definition;
    if (const auto* division = std::get_if<FloorDivision>(&definition)) {
      return floor_quotient((*this)(division->dividend), division->divisor);
    }
    if (const auto* chosen = std::get_if<Choice>(&definition)) {
      return (*this)((*this)(chosen->condition) ? chosen->when_true : chosen->when_false);
    }
    if (const auto* ratio = std::get_if<Quotient>(&definition)) {
      return (*this)(ratio->dividend) / (*this)(ratio->divisor);
    }
    return numbers_.at(id);
  }

  const Terms& terms_;
  const Assignment& numbers_;
};

class RandomTerms {
 public:
  explicit RandomTerms(std::uint64_t seed) : state_(mixed(seed)) {
    for (const auto& [least, most] : std::initializer_list<std::pair<int, int>>{
             {0, 31}, {0, 7}, {-5, 9}, {1, 12}, {0, 100}, {-40, -2}, {0, 1000}}) {
      add_symbol(least, most);
    }
  }

  void grow(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      if (below(5) == 0) {
        keep(combined_truth());
      } else if (below(3) == 0) {
        keep(comparison());
      } else {
        keep(below(2) == 0 ? linear() : divided());
      }
    }
  }

  /// Replaces a symbol by a value that is in its range.
  void substitute() {
    const SymbolId replaced = symbols_[4];  // its range is [0, 100]
    const Polynomial by = Polynomial(3) * Polynomial::of(symbols_[0]) + 2;
    Substitution substitution(terms_, {{replaced, by}});
    for (std::size_t k = 0; k < kAssignments; ++k) {
      Assignment changed = assignments_[k];
      changed[replaced] = Evaluation(terms_, assignments_[k])(by);
      const Evaluation before(terms_, changed);
      const Evaluation after(terms_, assignments_[k]);
      for (const Value& one : values_) EXPECT_EQ(before(one.term), after(substitution(one.term)));
      for (const Truth& one : truths_) EXPECT_EQ(before(one.term), after(substitution(one.term)));
    }
  }

 private:
  std::int64_t below(std::int64_t count) {
    state_ = mixed(state_);
    return static_cast<std::int64_t>(state_ % static_cast<std::uint64_t>(count));
  }
  const Value& value() { return values_[static_cast<std::size_t>(below(std::ssize(values_)))]; }
  const Truth& truth() { return truths_[static_cast<std::size_t>(below(std::ssize(truths_)))]; }

  void add_symbol(std::int64_t least, std::int64_t most) {
    Value added{terms_.unknown(fmt::format("x{}", symbols_.size()), Level::thread, {least, most})};
    symbols_.push_back(added.term.symbols().front());
    for (std::size_t k = 0; k < kAssignments; ++k) {
      const std::int64_t chosen = k == 0 ? least : k == 1 ? most : least + below(most - least + 1);
      added.values[k] = assignments_[k][symbols_.back()] = chosen;
    }
    values_.push_back(added);
  }

  template <class Operation>
  static auto each(const Operation& operation) {
    std::array<decltype(operation(std::size_t{0})), kAssignments> results;
    for (std::size_t k = 0; k < kAssignments; ++k) results[k] = operation(k);
    return results;
  }

  Value linear() {
    const Value x = value();
    const Value y = value();
    const std::int64_t factor = std::array{1, -1, 2, 3, 4, 8, 16, 32, -8, 40}[below(10)];
    const std::int64_t number = below(20) - 8;
    if (below(6) == 0) {
      return {x.term * y.term, each([&](std::size_t k) { return x.values[k] * y.values[k]; })};
    }
    return {x.term + Polynomial(factor) * y.term + number,
            each([&](std::size_t k) { return x.values[k] + factor * y.values[k] + number; })};
  }

  Value divided() {
    const Value x = value();
    const std::int64_t divisor = std::array{2, 3, 4, 5, 8, 16, 32, 64, 171, 1024}[below(10)];
    switch (below(5)) {
      case 0: {
        const Value y = value();
        const Truth condition = truths_.empty() ? comparison() : truth();
        return {terms_.choice(condition.term, x.term, y.term, below(2) == 0),
                each([&](auto k) { return condition.values[k] ? x.values[k] : y.values[k]; })};
      }
      case 1:
        return {terms_.remainder(x.term, divisor), each([&](std::size_t k) {
                  return x.values[k] - divisor * floor_quotient(x.values[k], divisor);
                })};
      case 2: {
        // A product instead of a quotient, as compilers write it.
        const std::int64_t factor = 1024 / divisor + 1;
        return {terms_.floor_div(Polynomial(factor) * x.term, 1024),
                each([&](std::size_t k) { return floor_quotient(factor * x.values[k], 1024); })};
      }
      default:
        return {terms_.floor_div(x.term, divisor),
                each([&](std::size_t k) { return floor_quotient(x.values[k], divisor); })};
    }
  }

  /// A comparison with another value, or with a number that one of the assignments gives.
  Truth comparison() {
    const Value x = value();
    const Value y = below(2) == 0 ? value() : constant(x.values[below(kAssignments)]);
    if (below(2) == 0) {
      return {terms_.equal(x.term, y.term),
              each([&](std::size_t k) { return x.values[k] == y.values[k]; })};
    }
    return {terms_.at_most(x.term, y.term),
            each([&](std::size_t k) { return x.values[k] <= y.values[k]; })};
  }

  static Value constant(std::int64_t number) {
    return {number, each([&](std::size_t) { return number; })};
  }

  Truth combined_truth() {
    const Truth x = truths_.empty() ? comparison() : truth();
    const Truth y = truths_.empty() ? comparison() : truth();
    switch (below(3)) {
      case 0:
        return {terms_.negate(x.term), each([&](std::size_t k) { return !x.values[k]; })};
      case 1:
        return {terms_.all({x.term, y.term}),
                each([&](std::size_t k) { return x.values[k] && y.values[k]; })};
      default:
        return {terms_.any({x.term, y.term}),
                each([&](std::size_t k) { return x.values[k] || y.values[k]; })};
    }
  }

  void keep(const Value& made) {
    const Interval range = terms_.range(made.term);
    for (std::size_t k = 0; k < kAssignments; ++k) {
      const std::int64_t number = made.values[k];
      if (std::abs(number) > kLargest) return;
      ASSERT_EQ(Evaluation(terms_, assignments_[k])(made.term), number) << terms_.text(made.term);
      ASSERT_TRUE(!range.least || *range.least <= number) << terms_.text(made.term);
      ASSERT_TRUE(!range.most || *range.most >= number) << terms_.text(made.term);
    }
    values_.push_back(made);
  }

  void keep(const Truth& made) {
    for (std::size_t k = 0; k < kAssignments; ++k) {
      ASSERT_EQ(Evaluation(terms_, assignments_[k])(made.term), made.values[k]);
    }
    truths_.push_back(made);
  }

  std::uint64_t state_;
  Terms terms_;
  std::vector<SymbolId> symbols_;
  std::array<Assignment, kAssignments> assignments_;
  std::vector<Value> values_;
  std::vector<Truth> truths_;
};

TEST(RandomTerms, HaveTheValuesOfTheirParts) {
  const std::uint64_t last = test::number_from_environment("WARPCHECK_RANDOM_TERMS", 300);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    SCOPED_TRACE(seed);
    RandomTerms random(seed);
    random.grow(40);
    random.substitute();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace warpcheck::proof
