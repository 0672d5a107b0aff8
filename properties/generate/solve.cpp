#include "properties/generate/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "properties/domain.hpp"
#include "properties/layout.hpp"

namespace warpcheck::properties {
namespace {

using kernels::ArgumentWord;
using kernels::Contract;
using kernels::Layout;

enum Variable : std::size_t { m, n, k, lda, ldb, ldc, off_a, off_b, off_c, alpha, beta };
constexpr std::size_t kVariables = beta + 1;

/// Extents are bound before leading dimensions, which depend on them.
constexpr std::size_t phase(std::size_t variable) { return variable <= k ? 0 : 1; }

constexpr std::array<std::int64_t Case::*, 9> kWhole = {&Case::m,     &Case::n,     &Case::k,
                                                        &Case::lda,   &Case::ldb,   &Case::ldc,
                                                        &Case::off_a, &Case::off_b, &Case::off_c};

std::int64_t get(const Case& problem, std::size_t variable) {
  if (variable < kWhole.size()) return problem.*kWhole[variable];
  return std::llround(variable == alpha ? problem.alpha : problem.beta);
}

void set(Case& problem, std::size_t variable, std::int64_t value) {
  if (variable < kWhole.size()) {
    problem.*kWhole[variable] = value;
  } else {
    (variable == alpha ? problem.alpha : problem.beta) = static_cast<double>(value);
  }
}

ArgumentWord word_of(std::size_t leading) {
  return leading == lda   ? ArgumentWord::lda
         : leading == ldb ? ArgumentWord::ldb
                          : ArgumentWord::ldc;
}

/// The variable that an effective leading dimension follows.
std::size_t leading_variable(const Contract& contract, ArgumentWord word) {
  if (word == ArgumentWord::lda) {
    return contract.takes(word) ? lda : contract.layout_a == Layout::row ? k : m;
  }
  if (word == ArgumentWord::ldb) {
    return contract.takes(word) ? ldb : contract.layout_b == Layout::row ? n : k;
  }
  return contract.takes(word) ? ldc : contract.layout_c == Layout::row ? n : m;
}

void add_variables(const Contract& contract, const std::string& name, std::set<std::size_t>& to) {
  const auto lines = [](Layout layout, std::size_t rows, std::size_t columns) {
    return layout == Layout::row ? rows : columns;
  };
  if (name == "m") to.insert(m);
  if (name == "n") to.insert(n);
  if (name == "k") to.insert(k);
  if (name == "alpha") to.insert(alpha);
  if (name == "beta") to.insert(beta);
  if (name == "aligned:a") to.insert(off_a);
  if (name == "aligned:b") to.insert(off_b);
  if (name == "aligned:c" || name == "aligned:d") to.insert(off_c);
  if (name == "lda" || name == "stride_a") to.insert(leading_variable(contract, ArgumentWord::lda));
  if (name == "ldb" || name == "stride_b") to.insert(leading_variable(contract, ArgumentWord::ldb));
  if (name == "ldc" || name == "stride_c") to.insert(leading_variable(contract, ArgumentWord::ldc));
  if (name == "ldd") to.insert(leading_variable(contract, ArgumentWord::ldd));
  if (name == "stride_a") to.insert(lines(contract.layout_a, m, k));
  if (name == "stride_b") to.insert(lines(contract.layout_b, k, n));
  if (name == "stride_c") to.insert(lines(contract.layout_c, m, n));
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
  for (const kernels::Expression& requirement : contract.requires_) {
    for (const kernels::Expression& conjunct : requirement.conjuncts()) {
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
      if (best == kVariables || completes.size() > best_completes.size()) {
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
  const kernels::Bindings names = bindings(contract_, problem);
  return std::all_of(conjuncts.begin(), conjuncts.end(), [&](std::size_t i) {
    return conjuncts_[i].expression.evaluate(names).value_or(0) != 0;
  });
}

/// Nearest first. Beyond the scan come the contract's literals and the values already bound, for
/// pins and ties far from the wish.
std::vector<std::int64_t> Solver::candidates(const Case& problem, std::size_t variable,
                                             bool constrained) const {
  std::int64_t least = variable >= alpha ? -kScan : 0;
  if (variable == lda || variable == ldb || variable == ldc) {
    least = std::max<std::int64_t>(1, tight_dimension(contract_, problem, word_of(variable)));
  }
  const std::int64_t wish = std::max(get(problem, variable), least);
  std::vector<std::int64_t> values{wish};
  for (std::int64_t i = 1; i <= (constrained ? kScan : std::int64_t{kBranches}); ++i) {
    if (wish - i >= least) values.push_back(wish - i);
    values.push_back(wish + i);
  }
  if (!constrained) return values;
  std::vector<std::int64_t> far(literals_.begin(), literals_.end());
  for (std::size_t other = 0; other <= ldc; ++other) far.push_back(get(problem, other));
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
  const bool alignable = variable >= off_a && variable <= off_c;
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

}  // namespace warpcheck::properties
