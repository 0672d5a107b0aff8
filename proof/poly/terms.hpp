// Symbols, the formulas over them, and the functions that polynomials lack: division by a number,
// division by a symbol, and the choice between two values. Each of these is a symbol with a
// definition, an atom. Equal atoms and equal formulas have one number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "proof/poly/polynomial.hpp"

namespace warpcheck::proof {

/// The number of a formula in Terms.
struct Formula {
  std::uint32_t number = 0;

  friend auto operator<=>(const Formula&, const Formula&) = default;
};

inline constexpr Formula kFalse{0};
inline constexpr Formula kTrue{1};

enum class FormulaKind : std::uint8_t {
  constant,
  at_most_zero,  // the polynomial is at most 0
  zero,          // the polynomial is 0
  flag,          // a symbol that is true or false
  negation,      // negates a `zero` or a `flag`
  all,
  any,
};

struct FormulaNode {
  FormulaKind kind = FormulaKind::constant;
  Polynomial polynomial = {};
  SymbolId flag = 0;
  std::vector<Formula> parts = {};

  friend auto operator<=>(const FormulaNode&, const FormulaNode&) = default;
};

/// The values between two limits, both included; an empty limit is none.
struct Interval {
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;

  [[nodiscard]] bool is_within(std::int64_t low, std::int64_t high) const {
    return least && most && *least >= low && *most <= high;
  }
};

enum class SymbolKind : std::uint8_t {
  parameter,  // a size of the contract
  pointer,    // the address of a buffer
  array,      // the address of an array of the kernel in its memory space
  window,     // the generic address at which a memory space begins
  block_index,
  thread_index,
  iteration,  // the number of an iteration of a loop, from 0
  unknown,    // any value in its range
  atom,
};

/// The executions that share the value of a symbol: those of a grid, of a block or of a thread.
enum class Level : std::uint8_t { grid, block, thread };

struct FloorDivision {  // rounds down
  Polynomial dividend;
  std::int64_t divisor = 1;

  friend auto operator<=>(const FloorDivision&, const FloorDivision&) = default;
};

struct Choice {
  Formula condition;
  Polynomial when_true;
  Polynomial when_false;

  friend auto operator<=>(const Choice&, const Choice&) = default;
};

struct Quotient {  // divides a number that is not negative by a positive one
  Polynomial dividend;
  Polynomial divisor;

  friend auto operator<=>(const Quotient&, const Quotient&) = default;
};

using Definition = std::variant<std::monostate, FloorDivision, Choice, Quotient>;

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::unknown;
  Level level = Level::thread;
  Interval range = {};
  Definition definition = {};
  std::vector<Formula> facts = {};   // hold for every value of the symbol
  bool is_truth = false;             // a flag, not a number
  bool is_data = false;              // a number from memory, or computed from such numbers alone
  std::vector<SymbolId> bases = {};  // symbols without definition on which an atom depends
};

class Terms {
 public:
  Terms();

  SymbolId add(Symbol symbol);
  [[nodiscard]] const Symbol& operator[](SymbolId id) const { return symbols_[id]; }
  [[nodiscard]] std::size_t size() const { return symbols_.size(); }
  void add_fact(SymbolId id, Formula fact) { symbols_[id].facts.push_back(fact); }

  [[nodiscard]] const FormulaNode& node(Formula formula) const { return *nodes_[formula.number]; }

  [[nodiscard]] Formula at_most(const Polynomial& left, const Polynomial& right);
  [[nodiscard]] Formula less(const Polynomial& left, const Polynomial& right) {
    return at_most(left + 1, right);
  }
  [[nodiscard]] Formula equal(const Polynomial& left, const Polynomial& right);
  [[nodiscard]] Formula within(const Polynomial& value, std::int64_t least, std::int64_t most);
  [[nodiscard]] Formula negate(Formula formula);
  [[nodiscard]] Formula all(const std::vector<Formula>& parts);
  [[nodiscard]] Formula any(const std::vector<Formula>& parts);
  [[nodiscard]] Formula flag(SymbolId symbol);
  /// The parts of a conjunction; the formula itself if it is none.
  [[nodiscard]] std::vector<Formula> conjuncts(Formula formula) const;

  [[nodiscard]] Polynomial floor_div(const Polynomial& dividend, std::int64_t divisor);
  [[nodiscard]] Polynomial remainder(const Polynomial& dividend, std::int64_t divisor) {
    return dividend - Polynomial(divisor) * floor_div(dividend, divisor);
  }
  /// `split`: chooses between the factors of each product of sizes and addresses, so that the row
  /// of an address remains the factor of the leading dimension.
  [[nodiscard]] Polynomial choice(Formula condition, const Polynomial& when_true,
                                  const Polynomial& when_false, bool split = false);
  [[nodiscard]] Polynomial quotient(const Polynomial& dividend, const Polynomial& divisor);

  [[nodiscard]] Polynomial unknown(const std::string& name, Level level, Interval range = {});
  [[nodiscard]] Formula unknown_truth(const std::string& name, Level level);
  /// A truth value that is the same in the whole grid, such as "beta equals 0".
  [[nodiscard]] Formula named_truth(const std::string& name);

  [[nodiscard]] Interval range(const Polynomial& value) const;
  /// True if the value is computed from numbers from memory and constants. An index may choose
  /// between several such values.
  [[nodiscard]] bool is_data(const Polynomial& value) const;
  /// The symbols without definition on which a value depends, in ascending order.
  [[nodiscard]] std::vector<SymbolId> bases(const Polynomial& value) const;
  [[nodiscard]] std::vector<SymbolId> bases(Formula formula) const;
  [[nodiscard]] Level level(Formula formula) const;

  [[nodiscard]] std::string text(const Polynomial& value) const;

 private:
  [[nodiscard]] Formula intern(FormulaNode node);
  [[nodiscard]] Formula at_most_zero(const Polynomial& value);
  /// Terms whose sum has a smaller range than they have: a remainder, or one term.
  struct Piece {
    Polynomial value;
    Interval range;
  };
  [[nodiscard]] std::vector<Piece> pieces(const Polynomial& value) const;
  [[nodiscard]] std::optional<Piece> remainder_in(const Polynomial& value,
                                                  const Polynomial::Term& quotient) const;
  [[nodiscard]] Interval range(const Polynomial::Term& term) const;
  [[nodiscard]] std::optional<std::pair<Polynomial, Polynomial>> digits(
      const Polynomial& value) const;
  [[nodiscard]] bool is_data(Formula formula) const;
  [[nodiscard]] Formula join(const std::vector<Formula>& parts, FormulaKind kind);
  [[nodiscard]] Polynomial atom(const Definition& definition, const std::string& name,
                                Interval range);
  [[nodiscard]] std::vector<SymbolId> bases(const Definition& definition) const;
  [[nodiscard]] Polynomial plain_choice(Formula condition, const Polynomial& when_true,
                                        const Polynomial& when_false);
  void collect(const Polynomial& value, std::vector<SymbolId>& found) const;
  void collect(Formula formula, std::vector<SymbolId>& found) const;

  std::vector<Symbol> symbols_;
  std::map<FormulaNode, Formula> formulas_;
  std::vector<const FormulaNode*> nodes_;  // keys of formulas_, by number
  std::map<Definition, SymbolId> atoms_;
  std::map<std::string, SymbolId> truths_;
};

}  // namespace warpcheck::proof
