// Expressions of contracts as polynomials and formulas.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contract/contract.hpp"
#include "contract/expression/expression_node.hpp"
#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

struct Words {
  std::map<std::string, Polynomial> numbers;      // names of sizes
  std::map<std::string, SymbolId> pointers = {};  // the key is the name of the buffer
};

class Expressions {
 public:
  /// `facts` hold wherever the expressions are evaluated.
  Expressions(Terms& terms, const Words& words, std::vector<Formula> facts = {})
      : terms_(terms), words_(words), facts_(std::move(facts)) {}

  /// From here on, minimum i is its first operand if bit i of `choices` is 0.
  void choose(unsigned choices) {
    choices_ = choices;
    chooses_ = true;
  }
  /// From here on, the numbers have values: no divisor is 0.
  void assume_values() { have_values_ = true; }
  /// Conditions that the choices and the values assume.
  [[nodiscard]] const std::vector<Formula>& assumptions() const { return assumptions_; }

  /// These throw Unsupported for an expression that has no polynomial.
  [[nodiscard]] Polynomial number(const contract::Expression::Node& node);
  [[nodiscard]] Formula condition(const contract::Expression::Node& node);

 private:
  [[nodiscard]] Polynomial division(const contract::Expression::Node& node);
  [[nodiscard]] Polynomial division_by_size(contract::Operator op, const Polynomial& dividend,
                                            const Polynomial& divisor);
  [[nodiscard]] bool is_at_least(const Polynomial& value, std::int64_t least) const;
  [[nodiscard]] Polynomial extremum(const contract::Expression::Node& node);

  Terms& terms_;
  const Words& words_;
  std::vector<Formula> facts_;
  bool have_values_ = false;
  bool chooses_ = false;
  unsigned choices_ = 0;
  unsigned seen_ = 0;
  std::vector<Formula> assumptions_;
};

/// The conditions of the key `requires`. One that has no polynomial is left out, so that a theorem
/// covers more cases.
[[nodiscard]] std::vector<Formula> requirements(const contract::Contract& contract, Terms& terms,
                                                const Words& words);

}  // namespace warpcheck::proof
