// Replaces symbols by values, in the definitions of atoms too.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

class Substitution {
 public:
  /// `values`: by symbols that are no atoms.
  Substitution(Terms& terms, std::map<SymbolId, Polynomial> values)
      : terms_(terms), values_(std::move(values)) {}

  [[nodiscard]] Polynomial operator()(const Polynomial& value);
  [[nodiscard]] Formula operator()(Formula formula);

 private:
  [[nodiscard]] bool changes(SymbolId id) const;
  [[nodiscard]] Polynomial image(SymbolId id);

  Terms& terms_;
  std::map<SymbolId, Polynomial> values_;
  std::map<SymbolId, Polynomial> images_;  // images of atoms
  std::map<Formula, Formula> formulas_;
};

/// A second execution of the kernel: a copy of each symbol above a level. The symbols of the level
/// and those below it have the same value in both, and so do those of `same`.
class SecondExecution {
 public:
  SecondExecution(Terms& terms, Level shared, std::vector<SymbolId> same = {})
      : terms_(terms), shared_(shared), same_(std::move(same)) {}

  [[nodiscard]] Polynomial operator()(const Polynomial& value);
  [[nodiscard]] Formula operator()(Formula formula);

 private:
  [[nodiscard]] SymbolId copy(SymbolId id);
  [[nodiscard]] Polynomial image(SymbolId id);

  [[nodiscard]] bool is_shared(SymbolId id) const;

  Terms& terms_;
  Level shared_;
  std::vector<SymbolId> same_;
  std::map<SymbolId, SymbolId> copies_;  // copies of symbols that are no atoms
  std::map<SymbolId, Polynomial> images_;
  std::map<Formula, Formula> formulas_;
};

}  // namespace warpcheck::proof
