// Constraints that hold together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/generate/constraints/constraint.hpp"

namespace warpcheck::campaign::generate {

/// Domains, and for each variable the bound variables to which its domain is due.
struct State {
  explicit State(const Domains& of) : domains(of), reasons(of.size()) {}

  Domains domains;
  std::vector<VariableMask> reasons;
};

/// Memory that one thread needs to narrow domains, and the number of narrowings.
struct Propagation {
  VariableMask conflict;  // the bound variables to which the last failure is due
  NodeValues values;
  std::vector<IntegerSet> before;  // domains of the variables of one constraint
  std::vector<std::size_t> queue;
  std::vector<char> queued;
  std::int64_t narrowings = 0;
};

/// A set of constraints, and the domains that remain of the initial ones. Refers to the
/// constraints.
class ConstraintSystem {
 public:
  ConstraintSystem(std::vector<const Constraint*> constraints, const Domains& initial);

  /// Returns the domains before any choice.
  [[nodiscard]] const Domains& domains() const { return domains_; }

  /// Returns true if the domains prove that no case satisfies all constraints.
  [[nodiscard]] bool is_contradictory() const { return contradictory_; }

  /// Narrows the domains after a change of one variable. Returns false if no value remains.
  [[nodiscard]] bool propagate(State& state, std::size_t changed, Propagation& propagation) const;

  [[nodiscard]] bool is_constrained(std::size_t variable) const {
    return !users_[variable].empty();
  }

 private:
  [[nodiscard]] bool run(State& state, Propagation& propagation) const;
  void enqueue(std::size_t variable, Propagation& propagation) const;

  std::vector<const Constraint*> constraints_;
  // Numbers of the constraints that contain each variable.
  std::vector<std::vector<std::size_t>> users_;
  Domains domains_;
  bool contradictory_ = false;
};

}  // namespace warpcheck::campaign::generate
