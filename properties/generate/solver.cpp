#include "properties/generate/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;

enum Variable : std::size_t {
  m,
  n,
  k,
  lda,
  ldb,
  ldc,
  stride_a,
  stride_b,
  stride_c,
  batch,
  off_a,
  off_b,
  off_c,
  off_bias,
  ta,
  tb,
  alpha,
  beta
};
constexpr std::size_t kVariables = beta + 1;

/// Extents are bound before leading dimensions, which depend on them, and these before strides.
constexpr std::size_t phase(std::size_t variable) {
  if (variable <= k || variable == ta || variable == tb) return 0;
  return variable >= stride_a && variable <= stride_c ? 2 : 1;
}

constexpr std::array<std::int64_t Case::*, 14> kWhole = {
    &Case::m,     &Case::n,        &Case::k,        &Case::lda,      &Case::ldb,
    &Case::ldc,   &Case::stride_a, &Case::stride_b, &Case::stride_c, &Case::batch,
    &Case::off_a, &Case::off_b,    &Case::off_c,    &Case::off_bias};

std::int64_t get(const Case& problem, std::size_t variable) {
  if (variable < kWhole.size()) return problem.*kWhole[variable];
  if (variable == ta) return problem.ta ? 1 : 0;
  if (variable == tb) return problem.tb ? 1 : 0;
  return std::llround(variable == alpha ? problem.alpha : problem.beta);
}

void set(Case& problem, std::size_t variable, std::int64_t value) {
  if (variable < kWhole.size()) {
    problem.*kWhole[variable] = value;
  } else if (variable == ta || variable == tb) {
    (variable == ta ? problem.ta : problem.tb) = value != 0;
  } else {
    (variable == alpha ? problem.alpha : problem.beta) = static_cast<double>(value);
  }
}

/// Of a leading dimension or a stride.
ArgumentWord word_of(const Contract& contract, std::size_t variable) {
  switch (variable) {
    case lda:
      return ArgumentWord::lda;
    case ldb:
      return ArgumentWord::ldb;
    case ldc:
      return contract.takes(ArgumentWord::ldc) ? ArgumentWord::ldc : ArgumentWord::ldd;
    case stride_a:
      return ArgumentWord::stride_a;
    case stride_b:
      return ArgumentWord::stride_b;
    default:
      return contract.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                    : ArgumentWord::stride_d;
  }
}

/// What an operand's place in memory is made of: rows, columns, and the rest.
struct Place {
  ArgumentWord leading_word;
  ArgumentWord stride_word;
  Layout Contract::*layout;
  Variable rows;
  Variable columns;
  Variable leading;
  Variable stride;
  std::optional<ArgumentWord> transpose_word;
  Variable transpose;
};

constexpr std::array<Place, 4> kPlaces = {{
    {ArgumentWord::lda, ArgumentWord::stride_a, &Contract::layout_a, m, k, lda, stride_a,
     ArgumentWord::ta, ta},
    {ArgumentWord::ldb, ArgumentWord::stride_b, &Contract::layout_b, k, n, ldb, stride_b,
     ArgumentWord::tb, tb},
    {ArgumentWord::ldc, ArgumentWord::stride_c, &Contract::layout_c, m, n, ldc, stride_c, {}, ta},
    {ArgumentWord::ldd, ArgumentWord::stride_d, &Contract::layout_c, m, n, ldc, stride_c, {}, ta},
}};

/// The variables that an effective leading dimension or stride follows, where `name` is one.
void add_place(const Contract& contract, const Place& place, std::string_view name,
               std::set<std::size_t>& to) {
  const bool is_stride = name == contract::name(place.stride_word);
  if (!is_stride && name != contract::name(place.leading_word)) return;
  if (is_stride && contract.takes(place.stride_word)) {
    to.insert(place.stride);
    return;
  }
  const bool transposable = place.transpose_word && contract.takes(*place.transpose_word);
  const bool by_row = contract.*place.layout == Layout::row;
  if (transposable) to.insert({place.rows, place.columns, place.transpose});
  if (contract.takes(place.leading_word)) {
    to.insert(place.leading);
  } else {
    to.insert(by_row ? place.columns : place.rows);
  }
  if (is_stride) to.insert(by_row ? place.rows : place.columns);
}

void add_variables(const Contract& contract, const std::string& name, std::set<std::size_t>& to) {
  constexpr std::array<std::pair<std::string_view, Variable>, 13> kNamed = {
      {{"m", m},
       {"n", n},
       {"k", k},
       {"batch", batch},
       {"ta", ta},
       {"tb", tb},
       {"alpha", alpha},
       {"beta", beta},
       {"aligned:a", off_a},
       {"aligned:b", off_b},
       {"aligned:c", off_c},
       {"aligned:d", off_c},
       {"aligned:bias", off_bias}}};
  for (const auto& [known, variable] : kNamed) {
    if (name == known) to.insert(variable);
  }
  for (const Place& place : kPlaces) add_place(contract, place, name, to);
}

constexpr std::int64_t kScan = 4096;  // how far from the wish every value is tried
constexpr std::size_t kBranches = 6;  // values of a variable tried before an earlier one changes
constexpr std::int64_t kSteps = 200'000;  // evaluations of one search

}  // namespace

struct Solver::Search {
  Case problem;
  const Case& wish;
  std::int64_t steps_left = kSteps;
};

Solver::Solver(const Contract& contract) : contract_(contract) {
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      Conjunct entry{conjunct, {}};
      for (const std::string& name : conjunct.names()) {
        add_variables(contract, name, entry.variables);
      }
      for (const std::int64_t literal : conjunct.literals()) literals_.insert(literal);
      conjuncts_.push_back(std::move(entry));
    }
  }
  // Next comes the variable that decides most conjuncts: pins before what is tied to them.
  std::set<std::size_t> bound;
  while (order_.size() < kVariables) {
    std::size_t best = kVariables;
    std::vector<std::size_t> best_completes;
    for (std::size_t variable = 0; variable < kVariables; ++variable) {
      if (bound.contains(variable)) continue;
      if (best != kVariables && phase(variable) > phase(best)) continue;
      std::vector<std::size_t> completes;
      for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
        const auto& needs = conjuncts_[i].variables;
        const bool here = needs.contains(variable) || (needs.empty() && bound.empty());
        if (here && std::all_of(needs.begin(), needs.end(), [&](std::size_t other) {
              return other == variable || bound.contains(other);
            })) {
          completes.push_back(i);
        }
      }
      if (best == kVariables || phase(variable) < phase(best) ||
          completes.size() > best_completes.size()) {
        best = variable;
        best_completes = std::move(completes);
      }
    }
    bound.insert(best);
    order_.push_back(best);
    completed_.push_back(std::move(best_completes));
  }
}

bool Solver::holds(const Case& problem, const std::vector<std::size_t>& conjuncts) const {
  const contract::Bindings names = bindings(contract_, problem);
  return std::all_of(conjuncts.begin(), conjuncts.end(), [&](std::size_t i) {
    return conjuncts_[i].expression.evaluate(names).value_or(0) != 0;
  });
}

/// Nearest first. Beyond the scan come the contract's literals and the values already bound, for
/// pins and ties far from the wish.
std::vector<std::int64_t> Solver::candidates(const Case& problem, std::size_t variable,
                                             bool constrained) const {
  if (variable == ta || variable == tb) {
    const std::int64_t wish = get(problem, variable);
    return {wish, 1 - wish};
  }
  std::int64_t least = variable >= alpha ? -kScan : variable == batch ? 1 : 0;
  if (variable >= lda && variable <= ldc) {
    least = std::max<std::int64_t>(
        1, tight_dimension(contract_, problem, word_of(contract_, variable)));
  }
  if (variable >= stride_a && variable <= stride_c) {
    least = tight_stride(contract_, problem, word_of(contract_, variable));
  }
  const std::int64_t wish = std::max(get(problem, variable), least);
  std::vector<std::int64_t> values{wish};
  for (std::int64_t i = 1; i <= (constrained ? kScan : std::int64_t{kBranches}); ++i) {
    if (wish - i >= least) values.push_back(wish - i);
    values.push_back(wish + i);
  }
  if (!constrained) return values;
  std::vector<std::int64_t> far(literals_.begin(), literals_.end());
  for (std::size_t other = 0; other <= stride_c; ++other) far.push_back(get(problem, other));
  std::erase_if(far, [&](std::int64_t value) {
    return value < least || (value >= wish - kScan && value <= wish + kScan);
  });
  std::sort(far.begin(), far.end());
  values.insert(values.end(), far.begin(), far.end());
  return values;
}

bool Solver::bind(Search& search, std::size_t level) const {
  if (level == order_.size()) return true;
  const std::size_t variable = order_[level];
  const std::vector<std::size_t>& decides = completed_[level];
  if (variable >= alpha && decides.empty()) return bind(search, level + 1);  // any number will do
  set(search.problem, variable, get(search.wish, variable));
  const bool alignable = variable >= off_a && variable <= off_bias;
  std::size_t branches = 0;
  for (const std::int64_t value : candidates(search.problem, variable, !decides.empty())) {
    if (branches == kBranches || --search.steps_left < 0) return false;
    if (alignable && value > 256) continue;
    set(search.problem, variable, value);
    if (!holds(search.problem, decides)) continue;
    ++branches;
    if (bind(search, level + 1)) return true;
  }
  return false;
}

std::optional<Case> Solver::nearest(const Case& wish) const {
  Search search{wish, wish};
  // Not handed to the kernel, a leading dimension is the tight one whatever the field says.
  if (!bind(search, 0)) return std::nullopt;
  return normalized(contract_, search.problem);
}

std::int64_t Solver::least(std::size_t extent) const {
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < conjuncts_.size(); ++i) {
    if (conjuncts_[i].variables == std::set<std::size_t>{extent}) alone.push_back(i);
  }
  if (alone.empty()) return 0;
  Case problem;
  set(problem, extent, 0);
  for (const std::int64_t value : candidates(problem, extent, true)) {
    set(problem, extent, value);
    if (holds(problem, alone)) return value;
  }
  return 0;
}

}  // namespace warpcheck::properties::generate
