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

namespace warpcheck::campaign::generate {

/// A level of each factor; empty: undefined.
using Row = std::vector<std::optional<std::size_t>>;

/// Converts a row to a letter for each level, from a, or - if it is undefined; and back.
[[nodiscard]] std::string to_text(const Row& row);
[[nodiscard]] Row row_from(std::string_view text);

/// The combinations of the levels of `strength` factors (2 or 3), and which of them have occurred.
class Interactions {
 public:
  Interactions(std::vector<std::size_t> levels, std::size_t strength);

  /// Marks every combination of the row's levels as met.
  void add(const Row& row);

  /// Marks a combination as impossible. It no longer counts in all().
  void exclude(std::size_t number);

  /// Excludes the triples that contain an excluded pair.
  void exclude_with(const Interactions& pairs);

  /// Returns the number of combinations, the excluded ones included. They are numbered from 0.
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::size_t all() const { return states_.size() - excluded_; }
  [[nodiscard]] std::size_t met() const { return met_; }
  [[nodiscard]] bool complete() const { return met_ == all(); }

  /// Returns the first combination at or after `from`, cyclically, that is neither met nor
  /// excluded.
  [[nodiscard]] std::optional<std::size_t> missing(std::size_t from) const;

  /// Returns a combination by its number; returns true if a row contains it.
  [[nodiscard]] Row row_of(std::size_t number) const;
  [[nodiscard]] bool holds(const Row& row, std::size_t number) const;

  /// Returns for each level of a factor the number of combinations that the row would meet for the
  /// first time with it; empty if one of them is excluded.
  [[nodiscard]] std::vector<std::optional<std::size_t>> gains(const Row& row,
                                                              std::size_t factor) const;

 private:
  enum class State : std::uint8_t { missing, met, excluded };
  struct Group {  // all combinations of the same factors
    std::array<std::size_t, 3> factors;
    std::size_t first;  // number of its first combination
  };

  [[nodiscard]] const Group& group_of(std::size_t number) const;
  [[nodiscard]] std::optional<std::size_t> number_in(const Group& group, const Row& row) const;
  /// The same for a row whose level of a factor is level_of(factor).
  template <class LevelOf>
  [[nodiscard]] std::optional<std::size_t> number_by(const Group& group,
                                                     const LevelOf& level_of) const;

  std::vector<std::size_t> levels_;
  std::size_t strength_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> groups_of_factor_;
  std::vector<State> states_;
  std::size_t met_ = 0;
  std::size_t excluded_ = 0;
};

/// A combination for which the search finds no case, and the number of cases before the search.
struct Excluded {
  std::int64_t after = 0;
  std::size_t number = 0;
};

/// The combinations to meet: the number of levels of each factor, and the excluded combinations.
struct Combinations {
  std::vector<std::size_t> levels;
  std::vector<Excluded> pairs;
  std::vector<Excluded> triples;

  /// Returns the combinations of two or three factors, none of them met, without those excluded
  /// within the first `cases` cases.
  [[nodiscard]] Interactions among(std::int64_t cases, std::size_t strength) const;
};

}  // namespace warpcheck::campaign::generate
