#include "campaign/generate/constraints/polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "campaign/generate/constraints/set_operators.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Operator;

constexpr std::size_t kMostTerms = 24;
constexpr std::size_t kHighestDegree = 4;
constexpr std::int64_t kLargestCoefficient = std::int64_t{1} << 40;

/// The atoms of a product, ascending, with repetition. An atom is a variable, or an operation other
/// than + - *.
using Monomial = std::vector<std::size_t>;
using Polynomial = std::map<Monomial, std::int64_t>;

class Factoring {
 public:
  explicit Factoring(std::vector<ConstraintNode>& nodes) : nodes_(nodes) {}

  bool join() {
    const ConstraintNode comparison = nodes_.back();
    if (!is_comparison(comparison.op)) return false;
    const auto left = polynomial(comparison.left);
    const auto right = left ? polynomial(comparison.right) : std::nullopt;
    const auto apart = right ? sum(*left, *right, -1) : std::nullopt;
    if (!apart) return false;
    const bool cancels = degrees(*apart) < occurrences_;
    std::vector<std::size_t> shared;
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
      if (terms_with(*apart, atom) >= 2) shared.push_back(atom);
    }
    if (!cancels && shared.empty()) return false;
    std::size_t root = nodes_.size() - 1;
    if (cancels) root = joined(root, comparison.op, sum_of(*apart, 1), constant(0));
    for (const std::size_t atom : shared) {
      const auto [factor, rest] = divided(*apart, atom);
      const std::size_t product = node(Operator::multiply, atoms_[atom], sum_of(factor, 1));
      root = joined(root, comparison.op, product, sum_of(rest, -1));
    }
    return true;
  }

 private:
  std::size_t node(Operator op, std::size_t left, std::size_t right) {
    nodes_.push_back({op, left, right, 0, {}});
    return nodes_.size() - 1;
  }

  std::size_t constant(std::int64_t value) {
    nodes_.push_back({Operator::constant, 0, 0, 0, IntegerSet::only(value)});
    return nodes_.size() - 1;
  }

  std::size_t joined(std::size_t root, Operator op, std::size_t left, std::size_t right) {
    return node(Operator::logical_and, root, node(op, left, right));
  }

  /// Returns x + factor * y; empty if a coefficient or the number of terms becomes too large.
  static std::optional<Polynomial> sum(Polynomial x, const Polynomial& y, std::int64_t factor) {
    for (const auto& [monomial, coefficient] : y) {
      std::int64_t& value = x[monomial];
      value += factor * coefficient;
      if (std::abs(value) > kLargestCoefficient) return std::nullopt;
      if (value == 0) x.erase(monomial);
    }
    if (x.size() > kMostTerms) return std::nullopt;
    return x;
  }

  static std::optional<Polynomial> product(const Polynomial& x, const Polynomial& y) {
    std::optional<Polynomial> result = Polynomial{};
    for (const auto& [one, coefficient] : x) {
      for (const auto& [other, factor] : y) {
        Monomial monomial = one;
        monomial.insert(monomial.end(), other.begin(), other.end());
        std::sort(monomial.begin(), monomial.end());
        std::int64_t value = 0;
        if (monomial.size() > kHighestDegree ||
            __builtin_mul_overflow(coefficient, factor, &value) ||
            std::abs(value) > kLargestCoefficient) {
          return std::nullopt;
        }
        result = sum(std::move(*result), {{std::move(monomial), value}}, 1);
        if (!result) return std::nullopt;
      }
    }
    return result;
  }

  std::optional<Polynomial> polynomial(std::size_t at) {
    const ConstraintNode node = nodes_[at];
    switch (node.op) {
      case Operator::constant: {
        const std::int64_t value = node.constant.low;
        if (!node.constant.is_single() || std::abs(value) > kLargestCoefficient) return {};
        return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
      }
      case Operator::negate: {
        const auto operand = polynomial(node.left);
        return operand ? sum({}, *operand, -1) : operand;
      }
      case Operator::add:
      case Operator::subtract:
      case Operator::multiply: {
        const auto left = polynomial(node.left);
        const auto right = left ? polynomial(node.right) : std::nullopt;
        if (!right) return std::nullopt;
        if (node.op == Operator::multiply) return product(*left, *right);
        return sum(*left, *right, node.op == Operator::add ? 1 : -1);
      }
      default:
        ++occurrences_;
        return Polynomial{{{atom(at)}, 1}};
    }
  }

  /// Returns the number of an atom. Equal expressions are one atom.
  std::size_t atom(std::size_t at) {
    const auto [found, is_new] = numbers_.try_emplace(text_of(at), atoms_.size());
    if (is_new) atoms_.push_back(at);
    return found->second;
  }

  [[nodiscard]] std::string text_of(std::size_t at) const {
    const ConstraintNode& node = nodes_[at];
    if (node.op == Operator::name) return fmt::format("v{}", node.variable);
    if (node.op == Operator::constant) {
      return fmt::format("{}..{}", node.constant.low, node.constant.high);
    }
    return fmt::format("({} {} {})", text_of(node.left), static_cast<int>(node.op),
                       text_of(node.right));
  }

  static std::size_t degrees(const Polynomial& polynomial) {
    return std::accumulate(
        polynomial.begin(), polynomial.end(), std::size_t{0},
        [](std::size_t total, const auto& term) { return total + term.first.size(); });
  }

  static std::size_t terms_with(const Polynomial& polynomial, std::size_t atom) {
    return static_cast<std::size_t>(
        std::count_if(polynomial.begin(), polynomial.end(), [&](const auto& term) {
          return std::binary_search(term.first.begin(), term.first.end(), atom);
        }));
  }

  /// Returns the quotient by an atom, and the terms without it.
  static std::pair<Polynomial, Polynomial> divided(const Polynomial& polynomial, std::size_t atom) {
    std::pair<Polynomial, Polynomial> result;
    for (const auto& [monomial, coefficient] : polynomial) {
      const auto at = std::find(monomial.begin(), monomial.end(), atom);
      if (at == monomial.end()) {
        result.second[monomial] = coefficient;
        continue;
      }
      Monomial rest = monomial;
      rest.erase(rest.begin() + (at - monomial.begin()));
      result.first[rest] = coefficient;
    }
    return result;
  }

  /// Adds the nodes of a polynomial times a sign.
  std::size_t sum_of(const Polynomial& polynomial, std::int64_t sign) {
    std::optional<std::size_t> total;
    for (const auto& [monomial, coefficient] : polynomial) {
      std::size_t term = constant(sign * coefficient);
      for (const std::size_t atom : monomial) term = node(Operator::multiply, term, atoms_[atom]);
      total = total ? node(Operator::add, *total, term) : term;
    }
    return total ? *total : constant(0);
  }

  std::vector<ConstraintNode>& nodes_;
  std::vector<std::size_t> atoms_;  // a node of each
  std::map<std::string, std::size_t> numbers_;
  std::size_t occurrences_ = 0;
};

}  // namespace

bool join_factored_forms(std::vector<ConstraintNode>& nodes) { return Factoring(nodes).join(); }

}  // namespace warpcheck::campaign::generate
