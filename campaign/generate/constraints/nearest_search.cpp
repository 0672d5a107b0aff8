#include "campaign/generate/constraints/nearest_search.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::campaign::generate {
namespace {

/// Subsets of the values of one variable, the nearest to the target first.
class Candidates {
 public:
  Candidates(const IntegerSet& all, std::int64_t target) : target_(target) { split(all); }

  [[nodiscard]] bool empty() const { return sets_.empty(); }

  /// Removes and returns the nearest subset, of two equally near ones the lower one.
  IntegerSet take_nearest() {
    const auto nearest = std::min_element(
        sets_.begin(), sets_.end(), [this](const IntegerSet& x, const IntegerSet& y) {
          return distance(x) != distance(y) ? distance(x) < distance(y) : x.low < y.low;
        });
    const IntegerSet taken = *nearest;
    sets_.erase(nearest);
    return taken;
  }

  /// Returns what the constraints have left of a subset. If its nearest value remains, separates
  /// that value from the others, which are split in halves: subsets near the target are small.
  void give_back(const IntegerSet& before, const IntegerSet& rest) {
    if (distance(rest) > distance(before)) {
      sets_.push_back(rest);
    } else {
      split(rest);
    }
  }

 private:
  [[nodiscard]] std::int64_t distance(const IntegerSet& set) const {
    const std::int64_t nearest = set.nearest(target_);
    return nearest > target_ ? nearest - target_ : target_ - nearest;
  }

  void add(const IntegerSet& from, std::int64_t low, std::int64_t high) {
    const IntegerSet part = IntegerSet::make(low, high, from.modulus, from.residue);
    if (!part.is_empty()) sets_.push_back(part);
  }

  void split(const IntegerSet& set) {
    const std::int64_t nearest = set.nearest(target_);
    sets_.push_back(IntegerSet::only(nearest));
    if (set.is_single()) return;
    if (nearest != set.low && nearest != set.high) {
      add(set, set.low, nearest - 1);
      add(set, nearest + 1, set.high);
      return;
    }
    const std::int64_t middle = set.low + (set.high - set.low) / 2;
    add(set, set.low + (nearest == set.low ? 1 : 0), middle);
    add(set, std::max(middle + 1, set.low + 1), set.high - (nearest == set.high ? 1 : 0));
  }

  std::int64_t target_;
  std::vector<IntegerSet> sets_;
};

class Search {
 public:
  Search(const ConstraintSystem& system, const std::vector<std::size_t>& order,
         const SearchTarget& target, const SearchLimits& limits,
         const std::function<bool(const Values&)>& accepts)
      : system_(system), order_(order), target_(target), limits_(limits), accepts_(accepts) {}

  SearchResult run() {
    if (system_.is_contradictory()) return {std::nullopt, true};
    if (bind(0, first_state())) return {found_, false};
    return {std::nullopt, !cut_};
  }

 private:
  static const inline VariableMask kAll = VariableMask().set();
  static constexpr std::size_t kMostBit = VariableMask().size() - 1;

  /// Makes the variables positive that can be.
  State first_state() {
    State state(system_.domains());
    for (const std::size_t variable : target_.positive) {
      State narrowed = state;
      IntegerSet& domain = narrowed.domains[variable];
      domain = intersection(domain, IntegerSet{1, kUnbounded});
      if (domain.is_empty() || !system_.propagate(narrowed, variable, propagation_)) continue;
      state = std::move(narrowed);
    }
    return state;
  }

  /// Binds the variables from order_[level] on. Returns true if it finds values. If not, conflict_
  /// has the bound variables to which the failure is due: without another value for one of them, no
  /// value for the variables in between helps.
  bool bind(std::size_t level, const State& state) {
    while (level < order_.size() && state.domains[order_[level]].is_single()) ++level;
    if (level == order_.size()) return accept(state.domains);
    const std::size_t variable = order_[level];
    const VariableMask own = VariableMask().set(std::min(variable, kMostBit));
    VariableMask due = state.reasons[variable];
    std::size_t branches = 0;
    Candidates candidates(state.domains[variable], target_.values[variable]);
    while (!candidates.empty()) {
      if (branches == limits_.branches || propagation_.narrowings > limits_.narrowings) {
        cut_ = true;
        return fail(kAll);
      }
      const IntegerSet candidate = candidates.take_nearest();
      State narrowed = state;
      narrowed.domains[variable] = candidate;
      narrowed.reasons[variable] |= own;
      if (!system_.propagate(narrowed, variable, propagation_)) {
        due |= propagation_.conflict;
        continue;
      }
      if (!narrowed.domains[variable].is_single()) {
        due |= narrowed.reasons[variable];
        candidates.give_back(candidate, narrowed.domains[variable]);
        continue;
      }
      ++branches;
      if (bind(level + 1, narrowed)) return true;
      if ((conflict_ & own).none()) return false;
      due |= conflict_;
    }
    return fail(variable < kMostBit ? due & ~own : due);
  }

  bool fail(VariableMask due) {
    conflict_ = due;
    return false;
  }

  bool accept(const Domains& domains) {
    found_.resize(domains.size());
    for (std::size_t i = 0; i < domains.size(); ++i) {
      found_[i] = domains[i].is_single() ? domains[i].low : domains[i].nearest(target_.values[i]);
    }
    return accepts_(found_) || fail(kAll);
  }

  const ConstraintSystem& system_;
  const std::vector<std::size_t>& order_;
  const SearchTarget& target_;
  const SearchLimits& limits_;
  const std::function<bool(const Values&)>& accepts_;
  Propagation propagation_;
  Values found_;
  VariableMask conflict_;
  bool cut_ = false;
};

}  // namespace

SearchResult search_nearest(const ConstraintSystem& system, const std::vector<std::size_t>& order,
                            const SearchTarget& target, const SearchLimits& limits,
                            const std::function<bool(const Values&)>& accepts) {
  return Search(system, order, target, limits, accepts).run();
}

}  // namespace warpcheck::campaign::generate
