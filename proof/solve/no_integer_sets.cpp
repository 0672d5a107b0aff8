// The integer sets of a build without isl.
#include "proof/solve/integer_sets.hpp"

namespace warpcheck::proof {

bool IntegerSets::is_available() { return false; }
std::string IntegerSets::version() { return "none"; }

Solver::Search IntegerSets::uncovered(const Image&, const std::vector<Image>&,
                                      const std::vector<Formula>&,
                                      const std::set<SymbolId>&) const {
  return {Satisfiability::unknown};
}

}  // namespace warpcheck::proof
