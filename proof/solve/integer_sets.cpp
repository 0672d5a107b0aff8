#include "proof/solve/integer_sets.hpp"

#include <algorithm>

namespace warpcheck::proof {

bool IntegerSets::is_linear(const Polynomial& value) const {
  return std::all_of(value.terms().begin(), value.terms().end(), [&](const Polynomial::Term& term) {
    if (term.monomial.empty()) return true;
    const auto is_size = [&](SymbolId id) { return terms_[id].kind == SymbolKind::parameter; };
    if (term.monomial.size() > 1) {  // a product of sizes is a size
      return std::all_of(term.monomial.begin(), term.monomial.end(), is_size);
    }
    const Symbol& symbol = terms_[term.monomial.front()];
    if (const auto* division = std::get_if<FloorDivision>(&symbol.definition)) {
      return is_linear(division->dividend);
    }
    if (const auto* chosen = std::get_if<Choice>(&symbol.definition)) {
      return is_linear(chosen->condition) && is_linear(chosen->when_true) &&
             is_linear(chosen->when_false);
    }
    return symbol.kind == SymbolKind::parameter || symbol.kind == SymbolKind::thread_index ||
           symbol.kind == SymbolKind::block_index || iterations_.contains(term.monomial.front());
  });
}

bool IntegerSets::is_linear(Formula formula) const {
  const FormulaNode& content = terms_.node(formula);
  if (content.kind == FormulaKind::constant) return true;
  if (content.kind == FormulaKind::flag) return false;
  return is_linear(content.polynomial) &&
         std::all_of(content.parts.begin(), content.parts.end(),
                     [&](Formula part) { return is_linear(part); });
}

}  // namespace warpcheck::proof
