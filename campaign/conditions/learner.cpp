#include "campaign/conditions/learner.hpp"

#include <algorithm>
#include <limits>

#include "campaign/conditions/candidates.hpp"

namespace warpcheck::campaign::conditions {
namespace {

using Kind = Condition::Kind;

std::uint64_t quantities_of(const Condition& condition) {
  return (std::uint64_t{1} << condition.x) |
         (condition.names_two() ? std::uint64_t{1} << condition.y : 0U);
}

struct Split {
  std::vector<const Example*> passing;
  std::vector<const Example*> failing;
  const Example* regular = nullptr;  // a passing one; any passing one if none is regular
};

Split split(const std::vector<Example>& examples, const Conjunction& assumed) {
  Split result;
  for (const Example& example : examples) {
    if (!holds(assumed, example.values)) continue;
    if (example.failed()) result.failing.push_back(&example);
    if (!example.passed()) continue;
    result.passing.push_back(&example);
    if (result.regular == nullptr || (!result.regular->is_regular() && example.is_regular())) {
      result.regular = &example;
    }
  }
  return result;
}

/// Chooses conditions that exclude all failing examples.
class Cover {
 public:
  Cover(const Conjunction& possible, const std::vector<const Example*>& failing,
        const std::vector<Quantity>& quantities)
      : possible_(possible) {
    for (const Condition& condition : possible) {
      std::vector<bool> excludes;
      for (const Example* example : failing) excludes.push_back(!condition.holds(example->values));
      excludes_.push_back(std::move(excludes));
      costs_.push_back(cost(condition, quantities));
    }
    excluded_.assign(failing.size(), 0);
  }

  Conjunction choose() {
    while (add_best()) {
    }
    drop_redundant();
    weaken();
    drop_redundant();
    std::sort(chosen_.begin(), chosen_.end(), [&](std::size_t i, std::size_t j) {
      return possible_[i].x != possible_[j].x ? possible_[i].x < possible_[j].x : i < j;
    });
    Conjunction conditions;
    for (const std::size_t i : chosen_) conditions.push_back(possible_[i]);
    return conditions;
  }

  [[nodiscard]] bool explains(std::size_t failing) const { return excluded_[failing] > 0; }

 private:
  void count(std::size_t condition, int by) {
    for (std::size_t i = 0; i < excluded_.size(); ++i) {
      if (excludes_[condition][i]) excluded_[i] += by;
    }
  }

  bool add_best() {
    double best = 0.0;
    std::size_t choice = 0;
    for (std::size_t i = 0; i < possible_.size(); ++i) {
      double gain = 0.0;
      for (std::size_t j = 0; j < excluded_.size(); ++j) {
        gain += excludes_[i][j] && excluded_[j] == 0 ? 1.0 : 0.0;
      }
      if (gain / costs_[i] > best) {
        best = gain / costs_[i];
        choice = i;
      }
    }
    if (best == 0.0) return false;
    chosen_.push_back(choice);
    count(choice, 1);
    return true;
  }

  /// Returns true if each example that the chosen condition alone excludes is excluded by `other`.
  [[nodiscard]] bool can_replace(std::size_t chosen, const std::vector<bool>& other) const {
    for (std::size_t i = 0; i < excluded_.size(); ++i) {
      if (excluded_[i] == 1 && excludes_[chosen][i] && !other[i]) return false;
    }
    return true;
  }

  void drop_redundant() {
    const std::vector<bool> nothing(excluded_.size(), false);
    std::stable_sort(chosen_.begin(), chosen_.end(),
                     [&](std::size_t i, std::size_t j) { return costs_[i] > costs_[j]; });
    for (std::size_t at = 0; at < chosen_.size();) {
      if (!can_replace(chosen_[at], nothing)) {
        ++at;
        continue;
      }
      count(chosen_[at], -1);
      chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  /// Replaces each condition by the one of the lowest cost that does the same.
  void weaken() {
    for (std::size_t& chosen : chosen_) {
      std::size_t best = chosen;
      for (std::size_t i = 0; i < possible_.size(); ++i) {
        if (costs_[i] < costs_[best] && can_replace(chosen, excludes_[i])) best = i;
      }
      count(chosen, -1);
      count(best, 1);
      chosen = best;
    }
  }

  const Conjunction& possible_;
  std::vector<std::vector<bool>> excludes_;  // indexed by condition, then by failing example
  std::vector<double> costs_;
  std::vector<int> excluded_;  // number of chosen conditions that exclude each failing example
  std::vector<std::size_t> chosen_;
};

}  // namespace

bool eliminates(const Example& example, const Condition& condition) {
  if (!example.passed() || condition.holds(example.values)) return false;
  if (example.is_regular()) return true;
  if (condition.kind == Kind::at_least && example.values[condition.x] == 0.0) return true;
  const bool is_zero = example.values[condition.x] == 0.0 ||
                       (condition.names_two() && example.values[condition.y] == 0.0);
  return !is_zero && (quantities_of(condition) & ~example.degenerate) == 0;
}

Hypothesis infer(const std::vector<Example>& examples, const std::vector<Quantity>& quantities,
                 const Conjunction& assumed) {
  Hypothesis hypothesis;
  hypothesis.conditions = assumed;
  const Split data = split(examples, assumed);
  if (data.regular == nullptr) return hypothesis;
  for (const Condition& condition : candidate_conditions(*data.regular, data.failing, quantities)) {
    const bool possible =
        std::none_of(data.passing.begin(), data.passing.end(),
                     [&](const Example* example) { return eliminates(*example, condition); });
    if (possible) hypothesis.possible.push_back(condition);
  }
  Cover cover(hypothesis.possible, data.failing, quantities);
  for (const Condition& condition : cover.choose()) hypothesis.conditions.push_back(condition);
  for (std::size_t i = 0; i < data.failing.size(); ++i) {
    if (cover.explains(i)) continue;
    hypothesis.unexplained.push_back(static_cast<std::size_t>(data.failing[i] - examples.data()));
  }
  return hypothesis;
}

Conjunction with_attained_limits(Conjunction conditions, const std::vector<Example>& examples) {
  const Conjunction all = conditions;
  for (Condition& condition : conditions) {
    if (condition.kind != Kind::at_least && condition.kind != Kind::at_most) continue;
    const bool least = condition.kind == Kind::at_least;
    std::optional<double> limit;
    for (const Example& example : examples) {
      if (!example.passed() || !holds(all, example.values)) continue;
      const double value = example.values[condition.x];
      limit = !limit ? value : least ? std::min(*limit, value) : std::max(*limit, value);
    }
    if (limit) condition.constant = *limit;
  }
  return conditions;
}

Conjunction without_redundant(Conjunction conditions, const std::vector<Example>& examples) {
  const auto admits_failure = [&](const Conjunction& rest) {
    return std::any_of(examples.begin(), examples.end(), [&](const Example& example) {
      return example.failed() && holds(rest, example.values);
    });
  };
  if (admits_failure(conditions)) return conditions;
  for (std::size_t i = 0; i < conditions.size();) {
    Conjunction rest = conditions;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (admits_failure(rest)) {
      ++i;
    } else {
      conditions = std::move(rest);
    }
  }
  return conditions;
}

std::optional<Condition> best_assumption(const std::vector<Example>& examples,
                                         const std::vector<Quantity>& quantities,
                                         const Hypothesis& hypothesis) {
  const Split data = split(examples, hypothesis.conditions);
  if (data.regular == nullptr) return std::nullopt;
  std::vector<const Example*> unexplained;
  for (const std::size_t i : hypothesis.unexplained) unexplained.push_back(&examples[i]);
  std::optional<Condition> best;
  double best_score = 0.0;
  for (const Example* passing : data.passing) {
    if (!passing->is_regular()) continue;
    for (const Condition& condition : candidate_conditions(*passing, unexplained, quantities)) {
      double excluded = 0.0;
      double kept = 0.0;
      for (const Example* example : unexplained) {
        excluded += condition.holds(example->values) ? 0.0 : 1.0;
      }
      if (2.0 * excluded < static_cast<double>(unexplained.size())) continue;
      for (const Example* example : data.passing) {
        kept += condition.holds(example->values) ? 1.0 : 0.0;
      }
      const double score = excluded / static_cast<double>(unexplained.size()) * kept /
                           static_cast<double>(data.passing.size()) /
                           (1.0 + 0.1 * cost(condition, quantities));
      if (score <= best_score) continue;
      best_score = score;
      best = condition;
    }
    break;  // the candidates of one passing example suffice
  }
  return best;
}

}  // namespace warpcheck::campaign::conditions
