#include "campaign/conditions/example.hpp"

#include <utility>

#include "base/parallel_for.hpp"
#include "campaign/case/normalized.hpp"

namespace warpcheck::campaign::conditions {
namespace {

std::uint64_t degenerate_quantities(const std::vector<double>& values,
                                    const std::vector<Quantity>& quantities) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const Quantity::Kind kind = quantities[i].kind;
    const bool degenerate =
        (kind == Quantity::Kind::extent && values[i] <= 1.0) ||
        (kind == Quantity::Kind::factor && values[i] == 0.0 && quantities[i].name == "alpha");
    if (degenerate) set |= std::uint64_t{1} << i;
  }
  return set;
}

}  // namespace

Example example_of(const Case& problem, const std::vector<Quantity>& quantities) {
  Example made;
  made.problem = problem;
  for (const Quantity& quantity : quantities) {
    made.values.push_back(value_of(problem, quantity));
  }
  made.degenerate = degenerate_quantities(made.values, quantities);
  return made;
}

Examples::Examples(const contract::Contract& contract, TrialFunction run, unsigned jobs)
    : contract_(contract),
      quantities_(conditions::quantities(contract)),
      run_(std::move(run)),
      jobs_(jobs) {}

Example Examples::example(const Case& problem) const {
  Example made{problem, values_of(contract_, problem, quantities_), {}, 0};
  made.degenerate = degenerate_quantities(made.values, quantities_) & ~accepted_;
  return made;
}

bool Examples::contains(const Case& problem) const {
  return known_.contains(to_line(normalized(contract_, problem)));
}

std::vector<std::size_t> Examples::add(const std::vector<Case>& cases) {
  const std::size_t before = examples_.size();
  std::vector<std::size_t> places;
  for (const Case& given : cases) {
    const Case problem = normalized(contract_, given);
    const auto [entry, is_new] = known_.emplace(to_line(problem), examples_.size());
    if (is_new) examples_.push_back(example(problem));
    places.push_back(entry->second);
  }
  confirmed_.resize(examples_.size());
  parallel_for(examples_.size() - before, jobs_, [&](std::size_t i) {
    Example& item = examples_[before + i];
    item.trial = run_(item.problem);
  });
  return places;
}

void Examples::accept_common_degeneracy() {
  std::uint64_t common = ~std::uint64_t{0};
  for (const Example& example : examples_) {
    if (example.passed()) common &= example.degenerate;
  }
  accepted_ = common;
  for (Example& example : examples_) example.degenerate &= ~common;
}

void Examples::confirm_pass(std::size_t i) {
  constexpr std::uint64_t kRuns = 2;
  if (confirmed_[i] || !examples_[i].passed()) return;
  confirmed_[i] = true;
  for (std::uint64_t run = 1; run <= kRuns && examples_[i].passed(); ++run) {
    Case other = examples_[i].problem;
    other.seed += run;
    if (run == kRuns) other.data = Recipe::normal;
    Trial trial = run_(normalized(contract_, other));
    if (trial.outcome != Outcome::failed) continue;
    examples_[i].trial = std::move(trial);
    examples_[i].problem = other;
  }
}

}  // namespace warpcheck::campaign::conditions
