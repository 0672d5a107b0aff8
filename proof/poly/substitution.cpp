#include "proof/poly/substitution.hpp"

#include <algorithm>

namespace warpcheck::proof {
namespace {

/// The value with the image of each of its symbols.
template <class Image>
Polynomial mapped(const Polynomial& value, const Image& image) {
  Polynomial result;
  for (const auto& [monomial, factor] : value.terms()) {
    Polynomial product = factor;
    for (const SymbolId symbol : monomial) product = product * image(symbol);
    result = result + product;
  }
  return result;
}

/// The atom of a definition in which `map` replaces each value and each formula.
template <class Map>
Polynomial mapped_atom(Terms& terms, const Definition& definition, Map& map) {
  if (const auto* division = std::get_if<FloorDivision>(&definition)) {
    return terms.floor_div(map(division->dividend), division->divisor);
  }
  if (const auto* chosen = std::get_if<Choice>(&definition)) {
    return terms.choice(map(chosen->condition), map(chosen->when_true), map(chosen->when_false));
  }
  const auto& ratio = std::get<Quotient>(definition);
  return terms.quotient(map(ratio.dividend), map(ratio.divisor));
}

template <class Map, class Flag>
Formula mapped_formula(Terms& terms, Formula formula, Map& map, const Flag& flag) {
  const FormulaNode content = terms.node(formula);
  std::vector<Formula> parts;
  for (const Formula part : content.parts) parts.push_back(map(part));
  switch (content.kind) {
    case FormulaKind::constant:
      return formula;
    case FormulaKind::at_most_zero:
      return terms.at_most(map(content.polynomial), 0);
    case FormulaKind::zero:
      return terms.equal(map(content.polynomial), 0);
    case FormulaKind::flag:
      return flag(content.flag);
    case FormulaKind::negation:
      return terms.negate(parts.front());
    case FormulaKind::all:
      return terms.all(parts);
    default:
      return terms.any(parts);
  }
}

}  // namespace

bool Substitution::changes(SymbolId id) const {
  const Symbol& symbol = terms_[id];
  if (symbol.kind != SymbolKind::atom) return values_.contains(id);
  return std::any_of(symbol.bases.begin(), symbol.bases.end(),
                     [&](SymbolId base) { return values_.contains(base); });
}

Polynomial Substitution::image(SymbolId id) {
  if (!changes(id)) return Polynomial::of(id);
  if (const auto value = values_.find(id); value != values_.end()) return value->second;
  if (const auto known = images_.find(id); known != images_.end()) return known->second;
  const Definition definition = terms_[id].definition;
  Polynomial result = mapped_atom(terms_, definition, *this);
  return images_.emplace(id, std::move(result)).first->second;
}

Polynomial Substitution::operator()(const Polynomial& value) {
  return mapped(value, [&](SymbolId id) { return image(id); });
}

Formula Substitution::operator()(Formula formula) {
  if (const auto known = formulas_.find(formula); known != formulas_.end()) return known->second;
  const Formula result =
      mapped_formula(terms_, formula, *this, [&](SymbolId id) { return terms_.flag(id); });
  formulas_.emplace(formula, result);
  return result;
}

bool SecondExecution::is_shared(SymbolId id) const {
  return terms_[id].level <= shared_ || std::find(same_.begin(), same_.end(), id) != same_.end();
}

SymbolId SecondExecution::copy(SymbolId id) {
  if (is_shared(id)) return id;
  if (const auto known = copies_.find(id); known != copies_.end()) return known->second;
  Symbol symbol = terms_[id];
  symbol.name += "'";
  const std::vector<Formula> facts = std::move(symbol.facts);
  symbol.facts.clear();
  const SymbolId made = terms_.add(std::move(symbol));
  copies_.emplace(id, made);
  for (const Formula fact : facts) terms_.add_fact(made, (*this)(fact));
  return made;
}

Polynomial SecondExecution::image(SymbolId id) {
  if (terms_[id].level <= shared_) return Polynomial::of(id);
  if (terms_[id].kind != SymbolKind::atom) return Polynomial::of(copy(id));
  if (const auto known = images_.find(id); known != images_.end()) return known->second;
  const Definition definition = terms_[id].definition;
  Polynomial result = mapped_atom(terms_, definition, *this);
  return images_.emplace(id, std::move(result)).first->second;
}

Polynomial SecondExecution::operator()(const Polynomial& value) {
  return mapped(value, [&](SymbolId id) { return image(id); });
}

Formula SecondExecution::operator()(Formula formula) {
  if (const auto known = formulas_.find(formula); known != formulas_.end()) return known->second;
  const Formula result =
      mapped_formula(terms_, formula, *this, [&](SymbolId id) { return terms_.flag(copy(id)); });
  formulas_.emplace(formula, result);
  return result;
}

}  // namespace warpcheck::proof
