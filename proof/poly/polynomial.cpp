#include "proof/poly/polynomial.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace warpcheck::proof {
namespace {

std::int64_t sum_of(std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(left, right, &result)) throw TooLarge();
  return result;
}

std::int64_t product_of(std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(left, right, &result)) throw TooLarge();
  return result;
}

}  // namespace

Polynomial::Polynomial(std::int64_t constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}

Polynomial Polynomial::of(SymbolId symbol) { return of(Monomial{symbol}, 1); }

Polynomial Polynomial::of(const Monomial& monomial, std::int64_t factor) {
  Polynomial result;
  if (factor != 0) result.terms_.push_back({monomial, factor});
  return result;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].monomial.empty()) return terms_[0].factor;
  return std::nullopt;
}

std::int64_t Polynomial::constant_term() const {
  return !terms_.empty() && terms_[0].monomial.empty() ? terms_[0].factor : 0;
}

std::vector<SymbolId> Polynomial::symbols() const {
  std::vector<SymbolId> found;
  for (const Term& term : terms_) {
    found.insert(found.end(), term.monomial.begin(), term.monomial.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Polynomial Polynomial::without_multiples_of(std::int64_t number) const {
  Polynomial rest = *this;
  std::erase_if(rest.terms_, [&](const Term& term) { return term.factor % number == 0; });
  return rest;
}

bool Polynomial::is_multiple_of(std::int64_t divisor) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return term.factor % divisor == 0; });
}

Polynomial Polynomial::divided_by(std::int64_t divisor) const {
  Polynomial result = *this;
  for (Term& term : result.terms_) term.factor /= divisor;
  return result;
}

std::optional<Polynomial> Polynomial::divided_by(const Term& divisor) const {
  Polynomial result;
  for (const Term& term : terms_) {
    Monomial others;
    std::set_difference(term.monomial.begin(), term.monomial.end(), divisor.monomial.begin(),
                        divisor.monomial.end(), std::back_inserter(others));
    const bool divides = others.size() + divisor.monomial.size() == term.monomial.size() &&
                         term.factor % divisor.factor == 0;
    if (!divides) return std::nullopt;
    result.add(others, term.factor / divisor.factor);
  }
  return result;
}

std::int64_t Polynomial::common_divisor() const {
  std::int64_t divisor = 0;
  for (const Term& term : terms_) {
    if (!term.monomial.empty()) divisor = std::gcd(divisor, term.factor);
  }
  return divisor;
}

std::int64_t Polynomial::divisor() const { return std::gcd(common_divisor(), constant_term()); }

bool Polynomial::contains(const Polynomial& other) const {
  return std::includes(terms_.begin(), terms_.end(), other.terms_.begin(), other.terms_.end());
}

std::optional<std::pair<Polynomial, Polynomial>> Polynomial::linear_in(SymbolId symbol) const {
  std::pair<Polynomial, Polynomial> result;
  for (const Term& term : terms_) {
    const auto count = std::count(term.monomial.begin(), term.monomial.end(), symbol);
    if (count > 1) return std::nullopt;
    if (count == 0) {
      result.second.add(term.monomial, term.factor);
      continue;
    }
    Monomial others = term.monomial;
    std::erase(others, symbol);
    result.first.add(others, term.factor);
  }
  return result;
}

void Polynomial::add(const Monomial& monomial, std::int64_t factor) {
  if (factor == 0) return;
  const auto place =
      std::lower_bound(terms_.begin(), terms_.end(), monomial,
                       [](const Term& t, const Monomial& m) { return t.monomial < m; });
  if (place == terms_.end() || place->monomial != monomial) {
    terms_.insert(place, {monomial, factor});
    return;
  }
  place->factor = sum_of(place->factor, factor);
  if (place->factor == 0) terms_.erase(place);
}

Polynomial operator+(const Polynomial& left, const Polynomial& right) {
  Polynomial result = left;
  for (const auto& term : right.terms_) result.add(term.monomial, term.factor);
  return result;
}

Polynomial operator-(const Polynomial& left, const Polynomial& right) {
  Polynomial result = left;
  for (const auto& term : right.terms_) result.add(term.monomial, product_of(term.factor, -1));
  return result;
}

Polynomial operator*(const Polynomial& left, const Polynomial& right) {
  Polynomial result;
  for (const auto& x : left.terms_) {
    for (const auto& y : right.terms_) {
      Monomial both = x.monomial;
      both.insert(both.end(), y.monomial.begin(), y.monomial.end());
      std::sort(both.begin(), both.end());
      result.add(both, product_of(x.factor, y.factor));
    }
  }
  return result;
}

}  // namespace warpcheck::proof
