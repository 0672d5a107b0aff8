#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <isl/version.h>

#include <memory>
#include <set>

#include "proof/solve/integer_sets.hpp"

namespace warpcheck::proof {
namespace {

constexpr unsigned long kMostOperations = 2'000'000;  // isl's own measure of its work

struct Free {
  void operator()(isl_ctx* context) const { isl_ctx_free(context); }
  void operator()(isl_set* set) const { isl_set_free(set); }
  void operator()(isl_point* point) const { isl_point_free(point); }
};
using Set = std::unique_ptr<isl_set, Free>;

/// Writes formulas as constraints in the language of isl, with those of the symbols in them.
class Constraints {
 public:
  Constraints(const Terms& terms, const std::set<SymbolId>& fixed) : terms_(terms), fixed_(fixed) {}

  [[nodiscard]] std::string text(const Polynomial& value) {
    std::vector<std::string> parts = {"0"};
    for (const auto& [monomial, factor] : value.terms()) {
      parts.push_back(monomial.empty() ? fmt::format("{}", factor)
                                       : fmt::format("{} * {}", factor, name(monomial)));
    }
    return fmt::format("({})", fmt::join(parts, " + "));
  }

  [[nodiscard]] std::string text(Formula formula) {
    const FormulaNode& node = terms_.node(formula);
    switch (node.kind) {
      case FormulaKind::at_most_zero:
        return text(node.polynomial) + " <= 0";
      case FormulaKind::zero:
        return text(node.polynomial) + " = 0";
      case FormulaKind::negation:
        return text(terms_.node(node.parts.front()).polynomial) + " != 0";
      case FormulaKind::all:
      case FormulaKind::any: {
        std::vector<std::string> parts;
        for (const Formula part : node.parts) parts.push_back(text(part));
        return fmt::format("({})",
                           fmt::join(parts, node.kind == FormulaKind::all ? " and " : " or "));
      }
      default:
        return formula == kTrue ? "0 = 0" : "0 = 1";
    }
  }

  /// The constraints of all symbols so far.
  [[nodiscard]] const std::vector<std::string>& definitions() const { return definitions_; }
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  /// The values that sets have in common, by their names.
  [[nodiscard]] const std::map<std::string, Monomial>& sizes() const { return sizes_; }

 private:
  std::string name(const Monomial& monomial) {
    const std::string made = fmt::format("x{}", fmt::join(monomial, "_"));
    if (!seen_.insert(monomial).second) return made;
    if (is_common(monomial)) {
      sizes_.emplace(made, monomial);
    } else {
      variables_.push_back(made);
    }
    define(monomial, made);
    return made;
  }

  /// True for a product or quotient of sizes, a size and a symbol that is fixed.
  [[nodiscard]] bool is_common(const Monomial& monomial) const {
    if (monomial.size() > 1 || fixed_.contains(monomial.front())) return true;
    const Symbol& symbol = terms_[monomial.front()];
    if (symbol.level != Level::grid) return false;
    return symbol.kind != SymbolKind::atom || std::holds_alternative<Quotient>(symbol.definition);
  }

  void define(const Monomial& monomial, const std::string& made) {
    const Interval range = terms_.range(Polynomial::of(monomial, 1));
    if (range.least) definitions_.push_back(fmt::format("{} >= {}", made, *range.least));
    if (range.most) definitions_.push_back(fmt::format("{} <= {}", made, *range.most));
    if (monomial.size() > 1) return;
    const Symbol& symbol = terms_[monomial.front()];
    if (const auto* division = std::get_if<FloorDivision>(&symbol.definition)) {
      const std::string rest =
          fmt::format("{} - {} * {}", text(division->dividend), division->divisor, made);
      definitions_.push_back(fmt::format("0 <= {} < {}", rest, division->divisor));
    } else if (const auto* chosen = std::get_if<Choice>(&symbol.definition)) {
      const std::string condition = text(chosen->condition);
      definitions_.push_back(fmt::format("(({} and {} = {}) or (not ({}) and {} = {}))", condition,
                                         made, text(chosen->when_true), condition, made,
                                         text(chosen->when_false)));
    }
    for (const Formula fact : symbol.facts) definitions_.push_back(text(fact));
  }

  const Terms& terms_;
  const std::set<SymbolId>& fixed_;
  std::set<Monomial> seen_;
  std::map<std::string, Monomial> sizes_;
  std::vector<std::string> variables_;
  std::vector<std::string> definitions_;
};

class Cover {
 public:
  Cover(const Terms& terms, const std::set<SymbolId>& fixed)
      : terms_(terms), fixed_(fixed), context_(isl_ctx_alloc()) {
    isl_options_set_on_error(context_.get(), ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(context_.get(), kMostOperations);
  }

  Solver::Search run(const Image& all, const std::vector<Image>& images,
                     const std::vector<Formula>& conditions) {
    for (std::size_t i = 0; i < all.indices.size(); ++i) {
      dimensions_.push_back(fmt::format("i{}", i));
    }
    Set rest = set(all);
    std::vector<Set> sets;
    for (const Image& image : images) sets.push_back(set(image));
    rest.reset(isl_set_intersect_params(rest.release(), domain(conditions).release()));
    for (Set& image : sets) {
      rest.reset(isl_set_coalesce(
          isl_set_subtract(rest.release(), isl_set_compute_divs(image.release()))));
      if (!rest) return {};
      if (isl_set_is_empty(rest.get()) == isl_bool_true) return {Satisfiability::impossible};
    }
    return small_point(std::move(rest));
  }

 private:
  Set read(const Constraints& constraints, const std::string& tuple,
           std::vector<std::string> formulas) {
    const auto& more = constraints.definitions();
    formulas.insert(formulas.end(), more.begin(), more.end());
    if (formulas.empty()) formulas.emplace_back("0 = 0");
    std::vector<std::string> names;
    for (const auto& [name, monomial] : constraints.sizes()) {
      names.push_back(name);
      sizes_.emplace(name, monomial);
    }
    const auto& variables = constraints.variables();
    const std::string exists =
        variables.empty() ? "" : fmt::format("exists {}: ", fmt::join(variables, ", "));
    const std::string text = fmt::format("[{}] -> {{ {}: {}{} }}", fmt::join(names, ", "), tuple,
                                         exists, fmt::join(formulas, " and "));
    return Set(isl_set_read_from_str(context_.get(), text.c_str()));
  }

  [[nodiscard]] std::string tuple() const {
    return fmt::format("[{}]", fmt::join(dimensions_, ", "));
  }

  /// The values that the sets so far have in common: the complement of a set does not limit them.
  Set domain(const std::vector<Formula>& conditions) {
    Constraints constraints(terms_, fixed_);
    std::vector<std::string> formulas;
    for (const auto& [name, monomial] : sizes_) (void)constraints.text(Polynomial::of(monomial, 1));
    for (const Formula condition : conditions) formulas.push_back(constraints.text(condition));
    return read(constraints, "", std::move(formulas));
  }

  Set set(const Image& image) {
    Constraints constraints(terms_, fixed_);
    std::vector<std::string> formulas;
    for (std::size_t i = 0; i < image.indices.size(); ++i) {
      const std::string index = constraints.text(image.indices[i]);
      const Polynomial count = i < image.counts.size() ? image.counts[i] : 1;
      formulas.push_back(
          fmt::format("{} <= {} < {} + {}", index, dimensions_[i], index, constraints.text(count)));
    }
    for (const Formula condition : image.conditions) {
      formulas.push_back(constraints.text(condition));
    }
    return read(constraints, tuple(), std::move(formulas));
  }

  /// A point of the set with small sizes.
  Solver::Search small_point(Set rest) {
    for (const std::int64_t bound : {1, 2, 5, 20, 70, 300, 3000}) {
      Set small(isl_set_copy(rest.get()));
      const auto count = static_cast<unsigned>(isl_set_dim(small.get(), isl_dim_param));
      for (unsigned i = 0; i < count; ++i) {
        small.reset(
            isl_set_upper_bound_si(small.release(), isl_dim_param, i, static_cast<int>(bound)));
      }
      const isl_bool is_empty = isl_set_is_empty(small.get());
      if (is_empty == isl_bool_error) return {};
      if (is_empty == isl_bool_false) return {Satisfiability::possible, model(std::move(small))};
    }
    return {Satisfiability::possible};
  }

  Model model(Set small) {
    Model values;
    const std::unique_ptr<isl_point, Free> point(isl_set_sample_point(isl_set_copy(small.get())));
    const auto count = static_cast<unsigned>(isl_set_dim(small.get(), isl_dim_param));
    for (unsigned i = 0; point && i < count; ++i) {
      const auto found = sizes_.find(isl_set_get_dim_name(small.get(), isl_dim_param, i));
      isl_val* const value =
          isl_point_get_coordinate_val(point.get(), isl_dim_param, static_cast<int>(i));
      if (found != sizes_.end() && found->second.size() == 1 && value != nullptr) {
        values[found->second.front()] = isl_val_get_num_si(value);
      }
      isl_val_free(value);
    }
    return values;
  }

  const Terms& terms_;
  const std::set<SymbolId>& fixed_;
  std::unique_ptr<isl_ctx, Free> context_;
  std::vector<std::string> dimensions_;
  std::map<std::string, Monomial> sizes_;
};

}  // namespace

bool IntegerSets::is_available() { return true; }
std::string IntegerSets::version() {
  const std::string version = isl_version();  // "isl-0.25-GMP" and a newline
  return version.substr(0, version.find_last_not_of('\n') + 1);
}

Solver::Search IntegerSets::uncovered(const Image& all, const std::vector<Image>& images,
                                      const std::vector<Formula>& conditions,
                                      const std::set<SymbolId>& fixed) const {
  return Cover(terms_, fixed).run(all, images, conditions);
}

}  // namespace warpcheck::proof
