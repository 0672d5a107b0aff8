// Decides conjunctions of formulas by linear integer arithmetic, with z3. A product of symbols is a
// fresh variable with the consequences that are linear; a model has the exact products.
//
// Each query has a context of its own and a limit in z3's own unit of work, so that its answer
// depends neither on other queries nor on the machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

enum class Satisfiability : std::uint8_t { impossible, possible, unknown };

/// Values of symbols; 1 and 0 for flags. A symbol that is absent can have any value of its range.
using Model = std::map<SymbolId, std::int64_t>;

/// z3's limit of work of one query.
enum class Effort : std::uint32_t { quick = 200'000, usual = 1'000'000, thorough = 10'000'000 };

/// Facts about the products of symbols. Each kind takes the solver longer than the one before.
enum class Products : std::uint8_t {
  free,        // variables with the limits of their factors
  multiplied,  // also the products of inequalities and symbols, and the order of products
  extended,    // also the products of inequalities and products of symbols, and of divisions
  exact
};

/// z3's limit of work of all queries of the lift of a kernel, or of one property: some tens of
/// seconds.
inline constexpr std::uint64_t kMostWork = 40'000'000;

class Solver {
 public:
  /// `query_path`: query 7 is written to `query_path`.00007.smt2, as SMT-LIB 2; empty: none is.
  /// `most_work`: the limit of all queries of a part of the proof.
  explicit Solver(Terms& terms, std::string query_path = {}, std::uint64_t most_work = kMostWork)
      : terms_(terms), query_path_(std::move(query_path)), most_work_(most_work) {}

  /// False: the build had no z3. Every answer is then `unknown`.
  [[nodiscard]] static bool is_available();
  [[nodiscard]] static std::string version();

  /// Begins another part of the proof. A query beyond the limit of a part throws Unsupported.
  void begin_part() { work_left_ = most_work_; }
  [[nodiscard]] bool has_work_left() const { return work_left_ > 0; }

  /// Adds a formula that holds in every query.
  void assume(Formula formula) { assumptions_.push_back(formula); }

  /// Decides if all formulas can be true at once. `possible` may be wrong about products.
  [[nodiscard]] Satisfiability check(const std::vector<Formula>& formulas,
                                     Effort effort = Effort::usual);

  /// True only if the conditions imply the formula. Remembers answers.
  [[nodiscard]] bool implies(const std::vector<Formula>& conditions, Formula formula,
                             Effort effort = Effort::quick);

  struct Search {
    Satisfiability result = Satisfiability::unknown;
    Model model = {};
    bool has_products = false;  // some terms are products of symbols
  };
  /// Values with which all formulas are true, products of two factors included.
  [[nodiscard]] Search find(const std::vector<Formula>& formulas, Effort effort = Effort::usual);

  [[nodiscard]] std::size_t queries() const { return queries_; }

 private:
  [[nodiscard]] Search run(const std::vector<Formula>& formulas, Products products, Effort effort);
  void spend(std::uint64_t work) { work_left_ -= std::min(work, work_left_); }

  Terms& terms_;
  std::string query_path_;
  std::vector<Formula> assumptions_;
  std::map<std::pair<std::vector<Formula>, Formula>, bool> implied_;
  std::size_t queries_ = 0;
  std::uint64_t most_work_;
  std::uint64_t work_left_ = most_work_;
};

}  // namespace warpcheck::proof
