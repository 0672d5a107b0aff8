// The solver of a build without z3.
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {

bool Solver::is_available() { return false; }
std::string Solver::version() { return "none"; }

Solver::Search Solver::run(const std::vector<Formula>&, Products, Effort) {
  ++queries_;
  return {Satisfiability::unknown};
}

}  // namespace warpcheck::proof
