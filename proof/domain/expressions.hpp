// Expressions of contracts as polynomials and formulas.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "contract/expression/expression_node.hpp"
#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

struct Words {
  std::map<std::string, Polynomial> numbers;      // names of sizes
  std::map<std::string, SymbolId> pointers = {};  // the key is the name of the buffer
};

class Expressions {
 public:
  Expressions(Terms& terms, const Words& words) : terms_(terms), words_(words) {}

  /// From here on, minimum i is its first operand if bit i of `choices` is 0.
  void choose(unsigned choices) {
    choices_ = choices;
    chooses_ = true;
  }
  /// Conditions that the choices assume.
  [[nodiscard]] const std::vector<Formula>& assumptions() const { return assumptions_; }

  /// These throw Unsupported for an expression that has no polynomial.
  [[nodiscard]] Polynomial number(const contract::Expression::Node& node);
  [[nodiscard]] Formula condition(const contract::Expression::Node& node);

 private:
  [[nodiscard]] Polynomial division(const contract::Expression::Node& node);
  [[nodiscard]] Polynomial extremum(const contract::Expression::Node& node);

  Terms& terms_;
  const Words& words_;
  bool chooses_ = false;
  unsigned choices_ = 0;
  unsigned seen_ = 0;
  std::vector<Formula> assumptions_;
};

}  // namespace warpcheck::proof
