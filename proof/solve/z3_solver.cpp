#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/process/interruption.hpp"
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {
namespace {

/// Translates formulas into one context, with the definitions and facts of every symbol in them.
class Translation {
 public:
  Translation(const Terms& terms, z3::context& context) : terms_(terms), context_(context) {}

  [[nodiscard]] z3::expr formula(Formula formula) {
    if (const auto known = formulas_.find(formula); known != formulas_.end()) return known->second;
    const z3::expr made = make(formula);
    formulas_.emplace(formula, made);
    return made;
  }

  /// The axioms of all symbols that were translated, and the linear consequences of their products
  /// and of the formulas that hold. Axioms add symbols.
  [[nodiscard]] std::vector<z3::expr> axioms(std::vector<Formula> holding, Products products) {
    std::vector<z3::expr> all;
    while (!pending_.empty()) {
      const SymbolId id = pending_.back();
      pending_.pop_back();
      add_axioms(id, all);
      const std::vector<Formula>& facts = terms_[id].facts;
      holding.insert(holding.end(), facts.begin(), facts.end());
    }
    for (const auto& [monomial, product] : products_) add_product_axioms(monomial, product, all);
    if (products == Products::multiplied || products == Products::extended) {
      add_comparisons(all);
      add_multiples(holding, products == Products::extended, all);
    }
    if (products == Products::exact) add_exact_products(all);
    return all;
  }

  [[nodiscard]] bool has_products() const { return !products_.empty(); }

  [[nodiscard]] Model model(const z3::model& found) const {
    Model values;
    for (const auto& [id, expression] : symbols_) {
      const z3::expr value = found.eval(expression, true);
      std::int64_t number = 0;
      if (value.is_bool()) {
        values[id] = value.is_true() ? 1 : 0;
      } else if (value.is_numeral_i64(number)) {
        values[id] = number;
      }
    }
    return values;
  }

 private:
  [[nodiscard]] z3::expr number(std::int64_t value) { return context_.int_val(value); }

  [[nodiscard]] z3::expr symbol(SymbolId id) {
    if (const auto known = symbols_.find(id); known != symbols_.end()) return known->second;
    const std::string name = fmt::format("{} #{}", terms_[id].name, id);
    const z3::expr made =
        terms_[id].is_truth ? context_.bool_const(name.c_str()) : context_.int_const(name.c_str());
    symbols_.emplace(id, made);
    pending_.push_back(id);
    return made;
  }

  [[nodiscard]] z3::expr product(const Monomial& monomial) {
    if (monomial.size() == 1) return symbol(monomial.front());
    if (const auto known = products_.find(monomial); known != products_.end()) return known->second;
    std::string name = "p";
    for (const SymbolId id : monomial) {
      (void)symbol(id);
      name += fmt::format("_{}", id);
    }
    return products_.emplace(monomial, context_.int_const(name.c_str())).first->second;
  }

  [[nodiscard]] z3::expr polynomial(const Polynomial& value) {
    if (const auto constant = value.constant()) return number(*constant);
    z3::expr_vector parts(context_);
    for (const auto& [monomial, factor] : value.terms()) {
      if (monomial.empty()) {
        parts.push_back(number(factor));
      } else {
        parts.push_back(factor == 1 ? product(monomial) : number(factor) * product(monomial));
      }
    }
    return parts.size() == 1 ? parts[0] : z3::sum(parts);
  }

  [[nodiscard]] z3::expr make(Formula formula) {
    const FormulaNode& node = terms_.node(formula);
    z3::expr_vector parts(context_);
    for (const Formula part : node.parts) parts.push_back(this->formula(part));
    switch (node.kind) {
      case FormulaKind::constant:
        return context_.bool_val(formula == kTrue);
      case FormulaKind::at_most_zero:
        return polynomial(node.polynomial) <= 0;
      case FormulaKind::zero:
        return polynomial(node.polynomial) == 0;
      case FormulaKind::flag:
        return symbol(node.flag);
      case FormulaKind::negation:
        return !parts[0];
      case FormulaKind::all:
        return z3::mk_and(parts);
      default:
        return z3::mk_or(parts);
    }
  }

  void add_axioms(SymbolId id, std::vector<z3::expr>& all) {
    const Symbol& content = terms_[id];
    const z3::expr value = symbol(id);
    if (!content.is_truth && content.range.least)
      all.push_back(value >= number(*content.range.least));
    if (!content.is_truth && content.range.most)
      all.push_back(value <= number(*content.range.most));
    if (const auto* division = std::get_if<FloorDivision>(&content.definition)) {
      const z3::expr rest = polynomial(division->dividend) - number(division->divisor) * value;
      all.push_back(rest >= 0);
      all.push_back(rest < number(division->divisor));
    } else if (const auto* chosen = std::get_if<Choice>(&content.definition)) {
      const z3::expr condition = formula(chosen->condition);
      all.push_back(z3::implies(condition, value == polynomial(chosen->when_true)));
      all.push_back(z3::implies(!condition, value == polynomial(chosen->when_false)));
    } else if (const auto* ratio = std::get_if<Quotient>(&content.definition)) {
      const z3::expr whole = polynomial(Polynomial::of(id) * ratio->divisor);
      const z3::expr dividend = polynomial(ratio->dividend);
      const z3::expr divisor = polynomial(ratio->divisor);
      // Other paths may have another sign. They do not compute the quotient.
      all.push_back(z3::implies(dividend >= 0 && divisor >= 1,
                                whole <= dividend && dividend < whole + divisor));
    }
    for (const Formula fact : content.facts) all.push_back(formula(fact));
  }

  /// The linear consequences of a product.
  void add_product_axioms(const Monomial& monomial, const z3::expr& product,
                          std::vector<z3::expr>& all) {
    const Interval range = terms_.range(Polynomial::of(monomial, 1));
    if (range.least) all.push_back(product >= number(*range.least));
    if (range.most) all.push_back(product <= number(*range.most));
    if (!range.least || *range.least < 0) return;
    if (monomial.size() > 2) {
      z3::expr are_positive = context_.bool_val(true);
      for (const SymbolId factor : monomial) {
        all.push_back(z3::implies(symbol(factor) == 0, product == 0));
        all.push_back(z3::implies(product >= 1, product >= symbol(factor)));
        are_positive = are_positive && symbol(factor) >= 1;
      }
      all.push_back(z3::implies(are_positive, product >= 1));
      return;
    }
    const z3::expr x = symbol(monomial[0]);
    const z3::expr y = symbol(monomial[1]);
    for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)}) {
      all.push_back(z3::implies(one >= 1, product >= other));
      all.push_back(z3::implies(one == 0, product == 0));
      all.push_back(z3::implies(one == 1, product == other));
    }
  }

  /// Each product of two factors equals their product. z3 does not count its work on products of
  /// more, so that it might not end.
  void add_exact_products(std::vector<z3::expr>& all) {
    for (const auto& [monomial, product] : products_) {
      if (monomial.size() == 2) all.push_back(product == symbol(monomial[0]) * symbol(monomial[1]));
    }
  }

  /// An inequality that holds also holds when it is multiplied by factors that are not negative.
  /// Products that occur matter and, if it is extended, up to two other ones of two symbols.
  void add_multiples(const std::vector<Formula>& holding, bool is_extended,
                     std::vector<z3::expr>& all) {
    const std::map<Monomial, z3::expr> known = products_;
    const std::set<Monomial> factors = factors_of_products(is_extended);
    for (const Polynomial& value : not_positive(holding, is_extended)) {
      for (const Monomial& factor : factors) add_multiple(value, factor, is_extended, all);
    }
    const std::map<Monomial, z3::expr> more = products_;
    for (const auto& [monomial, product] : more) {
      if (!known.contains(monomial)) add_product_axioms(monomial, product, all);
    }
  }

  /// Polynomials that are at most 0: those of formulas that hold, and of divisions.
  [[nodiscard]] std::vector<Polynomial> not_positive(const std::vector<Formula>& holding,
                                                     bool with_divisions) const {
    std::vector<Polynomial> found;
    for (const Formula formula : holding) {
      for (const Formula part : terms_.conjuncts(formula)) {
        const FormulaNode& node = terms_.node(part);
        if (node.kind == FormulaKind::at_most_zero) found.push_back(node.polynomial);
      }
    }
    for (const auto& [id, value] : symbols_) {
      if (!with_divisions) break;
      const auto* const division = std::get_if<FloorDivision>(&terms_[id].definition);
      if (division == nullptr) continue;
      const Polynomial multiple = Polynomial(division->divisor) * Polynomial::of(id);
      found.push_back(multiple - division->dividend);
      found.push_back(division->dividend - multiple - (division->divisor - 1));
    }
    return found;
  }

  /// The factors, and products of factors, that leave a factor of a product and are not negative.
  [[nodiscard]] std::set<Monomial> factors_of_products(bool with_products) const {
    constexpr std::size_t kMostFactors = 5;
    std::set<Monomial> found;
    for (const auto& [monomial, product] : products_) {
      if (monomial.size() > kMostFactors) continue;
      for (unsigned chosen = 1; chosen + 1 < 1U << monomial.size(); ++chosen) {
        Monomial part;
        for (std::size_t i = 0; i < monomial.size(); ++i) {
          if ((chosen >> i & 1U) != 0) part.push_back(monomial[i]);
        }
        if (part.size() > 1 && !with_products) continue;
        const Interval range = terms_.range(Polynomial::of(part, 1));
        if (range.least && *range.least >= 0) found.insert(std::move(part));
      }
    }
    return found;
  }

  /// `value` is at most 0.
  void add_multiple(const Polynomial& value, const Monomial& factor, bool is_extended,
                    std::vector<z3::expr>& all) {
    const Polynomial multiple = value * Polynomial::of(factor, 1);
    std::size_t known = 0;
    std::size_t others = 0;
    for (const auto& [monomial, number] : multiple.terms()) {
      if (monomial.size() > 2 && !products_.contains(monomial)) return;
      if (monomial.size() >= 2) ++(products_.contains(monomial) ? known : others);
    }
    const std::size_t most_others = is_extended ? 2 : 0;
    if (known > 0 && others <= most_others) all.push_back(polynomial(multiple) <= 0);
  }

  /// If r >= 0, the product x r or y r of the smaller factor is the smaller one, by r
  /// at least. A product that is positive is at least as large as the product of some of its
  /// factors.
  void add_comparisons(std::vector<z3::expr>& all) {
    constexpr std::size_t kMostProducts = 12;
    if (products_.size() > kMostProducts) return;
    const std::map<Monomial, z3::expr> known = products_;
    for (auto one = known.begin(); one != known.end(); ++one) {
      for (auto other = std::next(one); other != known.end(); ++other) {
        add_comparison(*one, *other, all);
      }
    }
  }

  void add_comparison(const std::pair<const Monomial, z3::expr>& one,
                      const std::pair<const Monomial, z3::expr>& other,
                      std::vector<z3::expr>& all) {
    Monomial common;
    std::set_intersection(one.first.begin(), one.first.end(), other.first.begin(),
                          other.first.end(), std::back_inserter(common));
    for (const auto& [part, whole] : {std::pair(one, other), std::pair(other, one)}) {
      const Interval range = terms_.range(Polynomial::of(whole.first, 1));
      if (part.first != common || !range.least || *range.least < 0) continue;
      all.push_back(z3::implies(whole.second >= 1, whole.second >= part.second));
    }
    if (one.first.size() != common.size() + 1 || other.first.size() != common.size() + 1) return;
    const Interval range = terms_.range(Polynomial::of(common, 1));
    if (!range.least || *range.least < 0) return;
    const auto own_factor = [&](const Monomial& monomial) {
      Monomial own;
      std::set_difference(monomial.begin(), monomial.end(), common.begin(), common.end(),
                          std::back_inserter(own));
      return symbol(own.front());
    };
    const z3::expr x = own_factor(one.first);
    const z3::expr y = own_factor(other.first);
    const z3::expr rest = product(common);
    all.push_back(z3::implies(x < y, one.second + rest <= other.second));
    all.push_back(z3::implies(y < x, other.second + rest <= one.second));
    all.push_back(z3::implies(x == y, one.second == other.second));
  }

  const Terms& terms_;
  z3::context& context_;
  std::map<Formula, z3::expr> formulas_;
  std::map<SymbolId, z3::expr> symbols_;
  std::map<Monomial, z3::expr> products_;
  std::vector<SymbolId> pending_;
};

/// The strategies of z3 for a logic try parts for some time: their answers depend on the machine.
z3::tactic strategy(z3::context& context) {
  return z3::tactic(context, "simplify") & z3::tactic(context, "propagate-values") &
         z3::tactic(context, "solve-eqs") & z3::tactic(context, "smt");
}

void write_query(z3::solver& solver, const std::string& path) {
  std::ofstream(path) << solver.to_smt2();
}

std::uint64_t work_of(const z3::solver& solver) {
  const z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i) {
    if (statistics.key(i) == "rlimit count") return statistics.uint_value(i);
  }
  return 0;
}

}  // namespace

bool Solver::is_available() { return true; }

std::string Solver::version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("z3 {}.{}.{}", major, minor, build);
}

Solver::Search Solver::run(const std::vector<Formula>& formulas, Products products, Effort effort) {
  throw_if_interrupted();
  ++queries_;
  if (std::find(formulas.begin(), formulas.end(), kFalse) != formulas.end()) {
    return {Satisfiability::impossible};
  }
  if (work_left_ == 0) {
    throw Unsupported(fmt::format(
        "the queries need more than {} units of z3's work, the limit of the proof of a property",
        most_work_));
  }
  try {
    z3::context context;
    z3::solver solver = strategy(context).mk_solver();
    solver.set("rlimit", static_cast<unsigned>(effort));
    Translation translation(terms_, context);
    for (const Formula formula : assumptions_) solver.add(translation.formula(formula));
    for (const Formula formula : formulas) solver.add(translation.formula(formula));
    std::vector<Formula> holding = assumptions_;
    holding.insert(holding.end(), formulas.begin(), formulas.end());
    for (const z3::expr& axiom : translation.axioms(std::move(holding), products)) {
      solver.add(axiom);
    }
    if (!query_path_.empty()) {
      write_query(solver, fmt::format("{}.{:05}.smt2", query_path_, queries_));
    }
    const z3::check_result result = solver.check();
    spend(work_of(solver));
    const bool has_products = translation.has_products();
    if (result == z3::unsat) return {Satisfiability::impossible, {}, has_products};
    if (result == z3::unknown) return {Satisfiability::unknown, {}, has_products};
    return {Satisfiability::possible, translation.model(solver.get_model()), has_products};
  } catch (const z3::exception&) {
    return {Satisfiability::unknown};
  }
}

}  // namespace warpcheck::proof
