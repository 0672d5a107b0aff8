#include "proof/poly/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warpcheck::proof {
namespace {

using Limit = std::optional<std::int64_t>;

Limit product(const Limit& left, const Limit& right) {
  std::int64_t result = 0;
  if (!left || !right || __builtin_mul_overflow(*left, *right, &result)) return std::nullopt;
  return result;
}

Limit sum(const Limit& left, const Limit& right) {
  std::int64_t result = 0;
  if (!left || !right || __builtin_add_overflow(*left, *right, &result)) return std::nullopt;
  return result;
}

bool is_not_negative(const Interval& interval) { return interval.least && *interval.least >= 0; }

Interval product(const Interval& left, const Interval& right) {
  if (is_not_negative(left) && is_not_negative(right)) {
    const Limit least = product(left.least, right.least);
    return {least ? least : Limit(0), product(left.most, right.most)};
  }
  Interval result{std::numeric_limits<std::int64_t>::max(),
                  std::numeric_limits<std::int64_t>::min()};
  for (const Limit& x : {left.least, left.most}) {
    for (const Limit& y : {right.least, right.most}) {
      const Limit corner = product(x, y);
      if (!corner) return {};
      result.least = std::min(*result.least, *corner);
      result.most = std::max(*result.most, *corner);
    }
  }
  return result;
}

Interval sum(const Interval& left, const Interval& right) {
  return {sum(left.least, right.least), sum(left.most, right.most)};
}

Interval scaled(const Interval& interval, std::int64_t factor) {
  const Interval turned = factor > 0 ? interval : Interval{interval.most, interval.least};
  return {product(turned.least, factor), product(turned.most, factor)};
}

std::int64_t floor_quotient(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

/// Names of atoms nest: the longest ones would not be readable, and take much memory.
std::string shortened(std::string name) {
  constexpr std::size_t kLongest = 80;
  if (name.size() > kLongest) name = name.substr(0, kLongest) + "...";
  return name;
}

void make_set(std::vector<SymbolId>& symbols) {
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
}

}  // namespace

Terms::Terms() {
  (void)intern({FormulaKind::constant, 0});
  (void)intern({FormulaKind::constant, 1});
}

SymbolId Terms::add(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return static_cast<SymbolId>(symbols_.size() - 1);
}

Formula Terms::intern(FormulaNode node) {
  const auto [place, is_new] =
      formulas_.emplace(std::move(node), Formula{static_cast<std::uint32_t>(nodes_.size())});
  if (is_new) nodes_.push_back(&place->first);
  return place->second;
}

Formula Terms::at_most_zero(const Polynomial& value) {
  const Interval limits = range(value);
  if (limits.most && *limits.most <= 0) return kTrue;
  if (limits.least && *limits.least > 0) return kFalse;
  return intern({FormulaKind::at_most_zero, value});
}

Formula Terms::at_most(const Polynomial& left, const Polynomial& right) {
  return at_most_zero(left - right);
}

/// {s, r} if value = s + g r for a number g, and s is always between -g and g: the value is 0 only
/// if both are. An example: 1024 t + 16 b + x with -16 < x < 16.
std::optional<std::pair<Polynomial, Polynomial>> Terms::digits(const Polynomial& value) const {
  std::vector<Piece> all = pieces(value.without_constant());
  const auto unit = [](const Piece& piece) { return piece.value.common_divisor(); };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Piece& one, const Piece& other) { return unit(one) < unit(other); });
  const std::int64_t number = value.constant_term();
  Polynomial small;
  Interval limits{0, 0};
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    small = small + all[i].value;
    limits = sum(limits, all[i].range);
    std::int64_t divisor = 0;
    for (std::size_t j = i + 1; j < all.size(); ++j) divisor = std::gcd(divisor, unit(all[j]));
    const std::int64_t rest = number - floor_quotient(number, divisor) * divisor;
    for (const std::int64_t constant : {rest, rest - divisor}) {
      if (!sum(limits, {constant, constant}).is_within(1 - divisor, divisor - 1)) continue;
      const Polynomial digit = small + constant;
      return std::pair(digit, (value - digit).divided_by(divisor));
    }
  }
  return std::nullopt;
}

Formula Terms::equal(const Polynomial& left, const Polynomial& right) {
  const Polynomial difference = left - right;
  if (const auto number = difference.constant()) return *number == 0 ? kTrue : kFalse;
  const Interval limits = range(difference);
  if ((limits.least && *limits.least > 0) || (limits.most && *limits.most < 0)) return kFalse;
  if (const auto parts = digits(difference)) {
    return all({equal(parts->first, 0), equal(parts->second, 0)});
  }
  const bool flips = difference.terms().front().factor < 0;
  return intern({FormulaKind::zero, flips ? -difference : difference});
}

Formula Terms::within(const Polynomial& value, std::int64_t least, std::int64_t most) {
  return all({at_most(least, value), at_most(value, most)});
}

Formula Terms::flag(SymbolId symbol) { return intern({FormulaKind::flag, {}, symbol}); }

Formula Terms::negate(Formula formula) {
  if (formula == kTrue) return kFalse;
  if (formula == kFalse) return kTrue;
  const FormulaNode content = node(formula);
  switch (content.kind) {
    case FormulaKind::negation:
      return content.parts.front();
    case FormulaKind::at_most_zero:
      return at_most_zero(1 - content.polynomial);
    case FormulaKind::all:
    case FormulaKind::any: {
      std::vector<Formula> parts;
      for (const Formula part : content.parts) parts.push_back(negate(part));
      return content.kind == FormulaKind::all ? any(parts) : all(parts);
    }
    default:
      return intern({FormulaKind::negation, {}, 0, {formula}});
  }
}

Formula Terms::join(const std::vector<Formula>& parts, FormulaKind kind) {
  const Formula decisive = kind == FormulaKind::all ? kFalse : kTrue;
  const Formula neutral = kind == FormulaKind::all ? kTrue : kFalse;
  std::vector<Formula> flat;
  for (const Formula part : parts) {
    const FormulaNode& content = node(part);
    const std::vector<Formula> inner =
        content.kind == kind ? content.parts : std::vector<Formula>{part};
    for (const Formula formula : inner) {
      if (formula == decisive) return decisive;
      if (formula == neutral || std::find(flat.begin(), flat.end(), formula) != flat.end())
        continue;
      flat.push_back(formula);
    }
  }
  for (const Formula formula : flat) {
    if (node(formula).kind == FormulaKind::all || node(formula).kind == FormulaKind::any) continue;
    if (std::find(flat.begin(), flat.end(), negate(formula)) != flat.end()) return decisive;
  }
  if (flat.empty()) return neutral;
  return flat.size() == 1 ? flat.front() : intern({kind, {}, 0, flat});
}

Formula Terms::all(const std::vector<Formula>& parts) { return join(parts, FormulaKind::all); }
Formula Terms::any(const std::vector<Formula>& parts) { return join(parts, FormulaKind::any); }

std::vector<Formula> Terms::conjuncts(Formula formula) const {
  const FormulaNode& content = node(formula);
  if (content.kind == FormulaKind::all) return content.parts;
  return {formula};
}

Polynomial Terms::atom(const Definition& definition, const std::string& name, Interval range) {
  if (const auto found = atoms_.find(definition); found != atoms_.end()) {
    return Polynomial::of(found->second);
  }
  std::vector<SymbolId> depends_on = bases(definition);
  Level level = Level::grid;
  for (const SymbolId base : depends_on) level = std::max(level, symbols_[base].level);
  const SymbolId id = add({.name = shortened(name),
                           .kind = SymbolKind::atom,
                           .level = level,
                           .range = range,
                           .definition = definition,
                           .bases = std::move(depends_on)});
  atoms_.emplace(definition, id);
  return Polynomial::of(id);
}

Polynomial Terms::floor_div(const Polynomial& dividend, std::int64_t divisor) {
  if (divisor == 1) return dividend;
  Polynomial whole;
  Polynomial rest;
  for (const auto& [monomial, factor] : dividend.terms()) {
    if (monomial.empty()) {
      const std::int64_t quotient = floor_quotient(factor, divisor);
      whole = whole + quotient;
      rest = rest + (factor - quotient * divisor);
    } else if (factor % divisor == 0) {
      whole = whole + Polynomial::of(monomial, factor / divisor);
    } else {
      rest = rest + Polynomial::of(monomial, factor);
    }
  }
  const Interval limits = range(rest);
  Interval quotients;
  if (limits.least) quotients.least = floor_quotient(*limits.least, divisor);
  if (limits.most) quotients.most = floor_quotient(*limits.most, divisor);
  if (quotients.least && quotients.least == quotients.most) return whole + *quotients.least;
  if (const std::int64_t common = std::gcd(divisor, rest.common_divisor()); common > 1) {
    const std::int64_t number = floor_quotient(rest.constant_term(), common);
    return whole + floor_div(rest.without_constant().divided_by(common) + number, divisor / common);
  }
  // The quotient of a quotient: floor((floor(x / d) + r) / c) = floor((x + r d) / (c d)).
  const Polynomial symbols = rest.without_constant();
  if (symbols.terms().size() == 1 && symbols.terms()[0].factor == 1 &&
      symbols.terms()[0].monomial.size() == 1) {
    const Definition inner = symbols_[symbols.terms()[0].monomial[0]].definition;
    if (const auto* division = std::get_if<FloorDivision>(&inner)) {
      const Polynomial numerator =
          division->dividend + Polynomial(rest.constant_term()) * division->divisor;
      return whole +
             floor_div(numerator, (Polynomial(divisor) * division->divisor).constant_term());
    }
  }
  const std::string name = fmt::format("({}) / {}", text(rest), divisor);
  return whole + atom(FloorDivision{rest, divisor}, name, quotients);
}

Polynomial Terms::plain_choice(Formula condition, const Polynomial& when_true,
                               const Polynomial& when_false) {
  Polynomial common;
  for (const auto& term : when_true.terms()) {
    const auto& others = when_false.terms();
    if (std::find(others.begin(), others.end(), term) != others.end()) {
      common = common + Polynomial::of(term.monomial, term.factor);
    }
  }
  const Polynomial first = when_true - common;
  const Polynomial second = when_false - common;
  if (first == second) return when_true;
  const std::int64_t divisor = std::gcd(first.divisor(), second.divisor());
  if (divisor > 1) {
    return common + Polynomial(divisor) * plain_choice(condition, first.divided_by(divisor),
                                                       second.divided_by(divisor));
  }
  const Interval one = range(first);
  const Interval other = range(second);
  Interval limits;
  if (one.least && other.least) limits.least = std::min(*one.least, *other.least);
  if (one.most && other.most) limits.most = std::max(*one.most, *other.most);
  const std::string name = fmt::format("(one of {}, {})", text(first), text(second));
  return common + atom(Choice{condition, first, second}, name, limits);
}

Polynomial Terms::choice(Formula condition, const Polynomial& when_true,
                         const Polynomial& when_false, bool split) {
  if (condition == kTrue || when_true == when_false) return when_true;
  if (condition == kFalse) return when_false;
  if (!split) return plain_choice(condition, when_true, when_false);
  std::map<Monomial, std::pair<Polynomial, Polynomial>> parts;
  const auto add_parts = [&](const Polynomial& value, bool first) {
    for (const auto& [monomial, factor] : value.terms()) {
      Monomial large;
      Monomial small;
      for (const SymbolId symbol : monomial) {
        const SymbolKind kind = symbols_[symbol].kind;
        const bool is_large = kind == SymbolKind::parameter || kind == SymbolKind::pointer ||
                              kind == SymbolKind::array || kind == SymbolKind::window;
        (is_large ? large : small).push_back(symbol);
      }
      auto& part = parts[large];
      Polynomial& side = first ? part.first : part.second;
      side = side + Polynomial::of(small, factor);
    }
  };
  add_parts(when_true, true);
  add_parts(when_false, false);
  Polynomial result;
  for (const auto& [large, part] : parts) {
    result = result + Polynomial::of(large, 1) * plain_choice(condition, part.first, part.second);
  }
  return result;
}

Polynomial Terms::quotient(const Polynomial& dividend, const Polynomial& divisor) {
  const std::string name = fmt::format("({}) / ({})", text(dividend), text(divisor));
  Limit most = range(dividend).most;
  if (most) most = std::max<std::int64_t>(*most, 0);
  return atom(Quotient{dividend, divisor}, name, {0, most});
}

Polynomial Terms::unknown(const std::string& name, Level level, Interval range) {
  return Polynomial::of(add({.name = name, .level = level, .range = range}));
}

Formula Terms::unknown_truth(const std::string& name, Level level) {
  return flag(add({.name = name, .level = level, .is_truth = true}));
}

Formula Terms::named_truth(const std::string& name) {
  const auto found = truths_.find(name);
  if (found != truths_.end()) return flag(found->second);
  const SymbolId id = add({.name = name, .level = Level::grid, .is_truth = true});
  truths_.emplace(name, id);
  return flag(id);
}

Interval Terms::range(const Polynomial::Term& term) const {
  Interval product_range{1, 1};
  for (const SymbolId symbol : term.monomial) {
    product_range = product(product_range, symbols_[symbol].range);
  }
  return scaled(product_range, term.factor);
}

Interval Terms::range(const Polynomial& value) const {
  Interval result{0, 0};
  for (const Piece& piece : pieces(value)) result = sum(result, piece.range);
  return result;
}

bool Terms::is_data(Formula formula) const {
  const std::vector<SymbolId> symbols = bases(formula);
  return !symbols.empty() && std::all_of(symbols.begin(), symbols.end(),
                                         [&](SymbolId id) { return symbols_[id].is_data; });
}

bool Terms::is_data(const Polynomial& value) const {
  const std::vector<SymbolId> symbols = value.symbols();
  const auto is_neutral = [&](const Polynomial& part) {
    return part.constant().has_value() || is_data(part);
  };
  return !symbols.empty() && std::all_of(symbols.begin(), symbols.end(), [&](SymbolId id) {
    const Definition& definition = symbols_[id].definition;
    if (const auto* division = std::get_if<FloorDivision>(&definition)) {
      return is_data(division->dividend);
    }
    if (const auto* chosen = std::get_if<Choice>(&definition)) {
      return is_neutral(chosen->when_true) && is_neutral(chosen->when_false) &&
             (is_data(chosen->when_true) || is_data(chosen->when_false) ||
              is_data(chosen->condition));
    }
    return symbols_[id].is_data;
  });
}

/// x - d floor(x / d) is from 0 to d - 1, and floor(x / a) - d floor(x / (a d)) is, too.
std::optional<Terms::Piece> Terms::remainder_in(const Polynomial& value,
                                                const Polynomial::Term& quotient) const {
  if (quotient.monomial.size() != 1) return std::nullopt;
  const auto* const division =
      std::get_if<FloorDivision>(&symbols_[quotient.monomial[0]].definition);
  if (division == nullptr) return std::nullopt;
  const auto piece = [&](const Polynomial& dividend, std::int64_t divisor) -> std::optional<Piece> {
    if (quotient.factor % divisor != 0) return std::nullopt;
    const std::int64_t factor = -quotient.factor / divisor;
    const Polynomial terms = (Polynomial(factor) * dividend).without_constant();
    if (!value.contains(terms)) return std::nullopt;
    const std::int64_t least = -factor * dividend.constant_term();
    const Interval rests = scaled({0, divisor - 1}, factor);
    return Piece{terms + Polynomial::of(quotient.monomial, quotient.factor),
                 sum(rests, {least, least})};
  };
  if (auto found = piece(division->dividend, division->divisor)) return found;
  for (const Polynomial::Term& term : value.terms()) {
    if (term.monomial.size() != 1 || term.monomial == quotient.monomial) continue;
    const auto* const finer = std::get_if<FloorDivision>(&symbols_[term.monomial[0]].definition);
    if (finer == nullptr || finer->dividend != division->dividend ||
        division->divisor % finer->divisor != 0) {
      continue;
    }
    const Polynomial dividend = Polynomial::of(term.monomial[0]);
    if (auto found = piece(dividend, division->divisor / finer->divisor)) return found;
  }
  return std::nullopt;
}

std::vector<Terms::Piece> Terms::pieces(const Polynomial& value) const {
  std::vector<Piece> all;
  Polynomial rest = value;
  for (const Polynomial::Term& term : value.terms()) {
    auto found = remainder_in(rest, term);
    if (!found || !rest.contains(found->value)) continue;
    rest = rest - found->value;
    all.push_back(std::move(*found));
  }
  for (const Polynomial::Term& term : rest.terms()) {
    all.push_back({Polynomial::of(term.monomial, term.factor), range(term)});
  }
  return all;
}

void Terms::collect(const Polynomial& value, std::vector<SymbolId>& found) const {
  for (const SymbolId id : value.symbols()) {
    const Symbol& symbol = symbols_[id];
    if (symbol.kind == SymbolKind::atom) {
      found.insert(found.end(), symbol.bases.begin(), symbol.bases.end());
    } else {
      found.push_back(id);
    }
  }
}

void Terms::collect(Formula formula, std::vector<SymbolId>& found) const {
  const FormulaNode& content = node(formula);
  if (content.kind == FormulaKind::flag) found.push_back(content.flag);
  if (content.kind != FormulaKind::constant) collect(content.polynomial, found);
  for (const Formula part : content.parts) collect(part, found);
}

std::vector<SymbolId> Terms::bases(const Polynomial& value) const {
  std::vector<SymbolId> found;
  collect(value, found);
  make_set(found);
  return found;
}

std::vector<SymbolId> Terms::bases(Formula formula) const {
  std::vector<SymbolId> found;
  collect(formula, found);
  make_set(found);
  return found;
}

std::vector<SymbolId> Terms::bases(const Definition& definition) const {
  std::vector<SymbolId> found;
  if (const auto* division = std::get_if<FloorDivision>(&definition)) {
    collect(division->dividend, found);
  } else if (const auto* chosen = std::get_if<Choice>(&definition)) {
    collect(chosen->condition, found);
    collect(chosen->when_true, found);
    collect(chosen->when_false, found);
  } else if (const auto* ratio = std::get_if<Quotient>(&definition)) {
    collect(ratio->dividend, found);
    collect(ratio->divisor, found);
  }
  make_set(found);
  return found;
}

Level Terms::level(Formula formula) const {
  Level highest = Level::grid;
  for (const SymbolId symbol : bases(formula)) highest = std::max(highest, symbols_[symbol].level);
  return highest;
}

std::string Terms::text(const Polynomial& value) const {
  if (value.is_zero()) return "0";
  std::string result;
  for (const auto& [monomial, factor] : value.terms()) {
    if (!result.empty()) result += factor < 0 ? " - " : " + ";
    if (result.empty() && factor < 0) result += "-";
    const std::uint64_t magnitude =
        factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    std::string product;
    if (magnitude != 1 || monomial.empty()) product = fmt::format("{}", magnitude);
    for (const SymbolId symbol : monomial) {
      if (!product.empty()) product += " * ";
      product += symbols_[symbol].name;
    }
    result += product;
  }
  return result;
}

}  // namespace warpcheck::proof
