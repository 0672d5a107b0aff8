// Guesses how the body of a loop changes registers.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "proof/lift/state.hpp"
#include "proof/poly/substitution.hpp"
#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

/// Recognizes how the body changes registers.
class Recurrences {
 public:
  Recurrences(Terms& terms, std::map<unsigned, Polynomial> initial,
              std::map<unsigned, SymbolId> symbols, SymbolId first_of_body, SymbolId iteration)
      : terms_(terms),
        initial_(std::move(initial)),
        symbols_(std::move(symbols)),
        first_of_body_(first_of_body),
        t_(Polynomial::of(iteration)),
        iteration_(iteration) {}

  /// `after`: the state at the end of the body. Returns the values in iteration t.
  std::map<unsigned, Polynomial> solve(const State& after) {
    for (const auto& [reg, symbol] : symbols_) solve_directly(reg, symbol, after);
    for (const auto& [reg, symbol] : symbols_) solve_by_last_iteration(reg, after);
    return std::move(solved_);
  }

 private:
  /// True if the value does not depend on the iteration.
  [[nodiscard]] bool is_invariant(const Polynomial& value) const {
    const std::vector<SymbolId> bases = terms_.bases(value);
    return bases.empty() || bases.back() < first_of_body_;
  }

  void solve_directly(unsigned reg, SymbolId symbol, const State& after) {
    const auto* const value = after.value<Polynomial>(reg);
    if (value == nullptr) return;
    const Polynomial x = Polynomial::of(symbol);
    const Polynomial& start = initial_.at(reg);
    const Formula is_even = terms_.equal(terms_.remainder(t_, 2), 0);
    if (const Polynomial step = *value - x; is_invariant(step)) {
      solved_.emplace(reg, start + step * t_);
    } else if (const Polynomial sum = *value + x; is_invariant(sum)) {
      solved_.emplace(reg, terms_.choice(is_even, start, sum - start));
    } else if (const auto cycle = cyclic_value(*value, x, start)) {
      solved_.emplace(reg, *cycle);
    } else if (const auto other = exchanged_with(*value, x, after)) {
      solved_.emplace(reg, terms_.choice(is_even, start, initial_.at(*other)));
    }
  }

  /// The body replaces x by (x + c) mod d, such as the number of a stage of a ring.
  [[nodiscard]] std::optional<Polynomial> cyclic_value(const Polynomial& value, const Polynomial& x,
                                                       const Polynomial& start) const {
    const auto first = start.constant();
    for (const SymbolId id : value.symbols()) {
      const Definition definition = terms_[id].definition;
      const auto* const division = std::get_if<FloorDivision>(&definition);
      if (division == nullptr || !first || *first < 0 || *first >= division->divisor) continue;
      const Polynomial step = division->dividend - x;
      if (!step.constant() || value != terms_.remainder(division->dividend, division->divisor)) {
        continue;
      }
      return terms_.remainder(start + step * t_, division->divisor);
    }
    return std::nullopt;
  }

  /// The register with which the body exchanges the value of one.
  [[nodiscard]] std::optional<unsigned> exchanged_with(const Polynomial& value, const Polynomial& x,
                                                       const State& after) const {
    for (const auto& [other, symbol] : symbols_) {
      const auto* const back = after.value<Polynomial>(other);
      if (value == Polynomial::of(symbol) && back != nullptr && *back == x) return other;
    }
    return std::nullopt;
  }

  /// A register that the body computes from others has the value that these had in the iteration
  /// before.
  void solve_by_last_iteration(unsigned reg, const State& after) {
    const auto* const value = after.value<Polynomial>(reg);
    if (value == nullptr || solved_.contains(reg)) return;
    std::map<SymbolId, Polynomial> before;
    for (const SymbolId base : terms_.bases(*value)) {
      if (base < first_of_body_) continue;
      const auto owner = std::find_if(symbols_.begin(), symbols_.end(),
                                      [&](const auto& entry) { return entry.second == base; });
      if (owner == symbols_.end() || !solved_.contains(owner->first)) return;
      before[base] = Substitution(terms_, {{iteration_, t_ - 1}})(solved_.at(owner->first));
    }
    const Polynomial previous = Substitution(terms_, before)(*value);
    solved_.emplace(reg, terms_.choice(terms_.equal(t_, 0), initial_.at(reg), previous));
  }

  Terms& terms_;
  std::map<unsigned, Polynomial> initial_;
  std::map<unsigned, SymbolId> symbols_;
  SymbolId first_of_body_;
  Polynomial t_;
  SymbolId iteration_;
  std::map<unsigned, Polynomial> solved_;
};

/// Guesses the largest value of a register that the body compares with a number, such as that of a
/// stage: `stage < 3 ? stage + 1 : 0`.
class Limits {
 public:
  Limits(const Terms& terms, const std::map<unsigned, SymbolId>& symbols, const State& after)
      : terms_(terms), symbols_(symbols), after_(after) {}

  /// `value`: that at the end of the body. Empty: none is found.
  [[nodiscard]] std::optional<std::int64_t> most(const Polynomial& value) const {
    if (const auto* const other = copied(value)) return in_choices(*other);
    return in_choices(value);
  }

 private:
  /// The value of the register of which the body copies the last one.
  [[nodiscard]] const Polynomial* copied(const Polynomial& value) const {
    for (const auto& [reg, symbol] : symbols_) {
      if (value == Polynomial::of(symbol)) return after_.value<Polynomial>(reg);
    }
    return nullptr;
  }

  [[nodiscard]] std::optional<std::int64_t> in_choices(const Polynomial& value) const {
    std::optional<std::int64_t> found;
    const auto add = [&](std::optional<std::int64_t> most) {
      if (most && *most > 0) found = std::max(found.value_or(0), *most);
    };
    for (const SymbolId id : value.symbols()) {
      const Definition definition = terms_[id].definition;
      const auto* const chosen = std::get_if<Choice>(&definition);
      if (chosen == nullptr) continue;
      add(in_condition(chosen->condition));
      add(in_choices(chosen->when_true));
      add(in_choices(chosen->when_false));
    }
    return found;
  }

  /// x <= c and x != c + 1 are conditions of values up to c + 1.
  [[nodiscard]] std::optional<std::int64_t> in_condition(Formula condition) const {
    const bool is_negated = terms_.node(condition).kind == FormulaKind::negation;
    const FormulaNode content =
        is_negated ? terms_.node(terms_.node(condition).parts.front()) : terms_.node(condition);
    const Polynomial factor = content.polynomial.without_constant();
    if (factor.terms().size() != 1 || factor.terms().front().monomial.size() != 1) {
      return std::nullopt;
    }
    const std::int64_t number = content.polynomial.constant_term();
    const std::int64_t sign = factor.terms().front().factor;
    if (content.kind == FormulaKind::at_most_zero && sign == 1) return 1 - number;
    if (content.kind == FormulaKind::at_most_zero && sign == -1) return number;
    if (content.kind == FormulaKind::zero && sign == 1) return -number;
    if (content.kind == FormulaKind::zero && sign == -1) return number;
    return std::nullopt;
  }

  const Terms& terms_;
  const std::map<unsigned, SymbolId>& symbols_;
  const State& after_;
};

}  // namespace warpcheck::proof
