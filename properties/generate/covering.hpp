// Covering arrays: few rows in which every combination of t factors' levels occurs (Cohen, Dalal,
// Fredman and Patton, "The AETG system", 1997).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::properties::generate {

/// A level of each factor; empty: nothing is said of it.
using Row = std::vector<std::optional<std::size_t>>;

/// A letter each, from a; - where nothing is said. And back.
[[nodiscard]] std::string to_text(const Row& row);
[[nodiscard]] Row row_from(std::string_view text);

/// Which combinations of the levels of `strength` factors (2 or 3) have occurred.
class Interactions {
 public:
  Interactions(std::vector<std::size_t> levels, std::size_t strength);

  /// Every combination of the row's levels has occurred.
  void add(const Row& row);

  /// The combination will never occur, and is not counted.
  void exclude(std::size_t number);

  /// Of triples: those that hold an excluded one of the pairs are excluded.
  void exclude_with(const Interactions& pairs);

  [[nodiscard]] std::size_t all() const { return states_.size() - excluded_; }
  [[nodiscard]] std::size_t met() const { return met_; }
  [[nodiscard]] bool complete() const { return met_ == all(); }

  /// The first combination at or after `from`, cyclically, that has neither occurred nor been
  /// excluded.
  [[nodiscard]] std::optional<std::size_t> missing(std::size_t from) const;

  /// A combination by its number, and whether a row holds it.
  [[nodiscard]] Row row_of(std::size_t number) const;
  [[nodiscard]] bool holds(const Row& row, std::size_t number) const;

  /// How many combinations a row with one more level would meet for the first time; empty where one
  /// of them is excluded.
  [[nodiscard]] std::optional<std::size_t> gain(const Row& row, std::size_t factor,
                                                std::size_t level) const;

 private:
  enum class State : std::uint8_t { missing, met, excluded };
  struct Group {  // of all combinations of the same factors
    std::array<std::size_t, 3> factors;
    std::size_t first;  // number of its first combination
  };

  [[nodiscard]] const Group& group_of(std::size_t number) const;
  [[nodiscard]] std::optional<std::size_t> number_in(const Group& group, const Row& row) const;

  std::vector<std::size_t> levels_;
  std::size_t strength_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> groups_of_factor_;
  std::vector<State> states_;
  std::size_t met_ = 0;
  std::size_t excluded_ = 0;
};

/// A combination that cannot be had, as far as the search can tell, and after how many cases that
/// came out.
struct Excluded {
  std::int64_t after = 0;
  std::size_t number = 0;
};

/// What there is to be met: each factor's number of levels, and what is excluded.
struct Combinations {
  std::vector<std::size_t> levels;
  std::vector<Excluded> pairs;
  std::vector<Excluded> triples;

  /// Those of two or three factors, none of them met, without what was excluded among so many
  /// cases.
  [[nodiscard]] Interactions among(std::int64_t cases, std::size_t strength) const;
};

}  // namespace warpcheck::properties::generate
