#include "campaign/generate/constraints/constraint_system.hpp"

#include <utility>

#include "campaign/generate/constraints/linear_bounds.hpp"

namespace warpcheck::campaign::generate {
namespace {

// Two constraints may narrow a large domain by one value each time, as n > m and m > n % 2 + n do.
constexpr std::int64_t kMostPerConstraint = 40;

}  // namespace

ConstraintSystem::ConstraintSystem(std::vector<const Constraint*> constraints,
                                   const Domains& initial)
    : constraints_(std::move(constraints)), users_(initial.size()), domains_(initial) {
  Propagation propagation;
  propagation.queued.assign(constraints_.size(), 1);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    propagation.queue.push_back(i);
    for (const std::size_t variable : constraints_[i]->variables) users_[variable].push_back(i);
  }
  State state(domains_);
  contradictory_ =
      !narrow_by_linear_bounds(constraints_, state.domains) || !run(state, propagation);
  domains_ = std::move(state.domains);
}

void ConstraintSystem::enqueue(std::size_t variable, Propagation& propagation) const {
  for (const std::size_t user : users_[variable]) {
    if (std::exchange(propagation.queued[user], 1) == 0) propagation.queue.push_back(user);
  }
}

bool ConstraintSystem::propagate(State& state, std::size_t changed,
                                 Propagation& propagation) const {
  propagation.queue.clear();
  propagation.queued.assign(constraints_.size(), 0);
  enqueue(changed, propagation);
  return run(state, propagation);
}

bool ConstraintSystem::run(State& state, Propagation& propagation) const {
  const auto most = kMostPerConstraint * (constraints_.size() + 1);
  std::vector<std::size_t>& queue = propagation.queue;
  for (std::size_t done = 0; done < most && done < queue.size(); ++done) {
    ++propagation.narrowings;
    const std::size_t number = queue[done];
    const Constraint& constraint = *constraints_[number];
    VariableMask reasons;
    propagation.before.clear();
    for (const std::size_t variable : constraint.variables) {
      reasons |= state.reasons[variable];
      propagation.before.push_back(state.domains[variable]);
    }
    if (!constraint.narrow(state.domains, propagation.values)) {
      propagation.conflict = reasons;
      return false;
    }
    if (constraint.repeats) propagation.queued[number] = 0;  // a second narrowing may remove more
    for (std::size_t i = 0; i < constraint.variables.size(); ++i) {
      const std::size_t variable = constraint.variables[i];
      if (state.domains[variable] == propagation.before[i]) continue;
      state.reasons[variable] = reasons;
      enqueue(variable, propagation);
    }
    if (!constraint.repeats) propagation.queued[number] = 0;
  }
  return true;
}

}  // namespace warpcheck::campaign::generate
