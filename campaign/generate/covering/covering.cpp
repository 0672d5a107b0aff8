#include "campaign/generate/covering/covering.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warpcheck::campaign::generate {

std::string to_text(const Row& row) {
  std::string text;
  for (const auto& level : row) text += level ? static_cast<char>('a' + *level) : '-';
  return text;
}

Row row_from(std::string_view text) {
  Row row;
  for (const char c : text) {
    row.push_back(c == '-' ? std::nullopt : std::optional(static_cast<std::size_t>(c - 'a')));
  }
  return row;
}

Interactions Combinations::among(std::int64_t cases, std::size_t strength) const {
  const auto exclude = [&](Interactions& all, const std::vector<Excluded>& excluded) {
    for (const Excluded& one : excluded) {
      if (one.after < cases) all.exclude(one.number);
    }
  };
  Interactions two(levels, 2);
  exclude(two, pairs);
  if (strength == 2) return two;
  Interactions three(levels, 3);
  three.exclude_with(two);
  exclude(three, triples);
  return three;
}

Interactions::Interactions(std::vector<std::size_t> levels, std::size_t strength)
    : levels_(std::move(levels)), strength_(strength), groups_of_factor_(levels_.size()) {
  std::size_t numbers = 0;
  const auto add_group = [&](std::array<std::size_t, 3> factors) {
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < strength_; ++i) {
      combinations *= levels_[factors.at(i)];
      groups_of_factor_[factors.at(i)].push_back(groups_.size());
    }
    groups_.push_back({factors, numbers});
    numbers += combinations;
  };
  for (std::size_t a = 0; a < levels_.size(); ++a) {
    for (std::size_t b = a + 1; b < levels_.size(); ++b) {
      if (strength_ == 2) add_group({a, b, 0});
      for (std::size_t c = b + 1; strength_ == 3 && c < levels_.size(); ++c) add_group({a, b, c});
    }
  }
  states_.assign(numbers, State::missing);
}

template <class LevelOf>
std::optional<std::size_t> Interactions::number_by(const Group& group,
                                                   const LevelOf& level_of) const {
  std::size_t number = 0;
  for (std::size_t i = 0; i < strength_; ++i) {
    const std::size_t factor = group.factors.at(i);
    const std::optional<std::size_t> level = level_of(factor);
    if (!level) return std::nullopt;
    number = number * levels_[factor] + *level;
  }
  return group.first + number;
}

std::optional<std::size_t> Interactions::number_in(const Group& group, const Row& row) const {
  return number_by(group, [&](std::size_t factor) { return row[factor]; });
}

void Interactions::add(const Row& row) {
  for (const Group& group : groups_) {
    const auto number = number_in(group, row);
    if (!number || states_[*number] == State::met) continue;
    if (states_[*number] == State::excluded) --excluded_;  // the combination occurs nevertheless
    states_[*number] = State::met;
    ++met_;
  }
}

void Interactions::exclude(std::size_t number) {
  if (states_[number] != State::missing) return;
  states_[number] = State::excluded;
  ++excluded_;
}

void Interactions::exclude_with(const Interactions& pairs) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;  // first number by factors
  for (const Group& group : pairs.groups_) {
    first[{group.factors[0], group.factors[1]}] = group.first;
  }
  for (const Group& group : groups_) {
    const auto [a, b, c] = group.factors;
    const std::size_t ab = first[{a, b}];
    const std::size_t ac = first[{a, c}];
    const std::size_t bc = first[{b, c}];
    std::size_t number = group.first;
    for (std::size_t i = 0; i < levels_[a]; ++i) {
      for (std::size_t j = 0; j < levels_[b]; ++j) {
        for (std::size_t k = 0; k < levels_[c]; ++k, ++number) {
          for (const std::size_t pair :
               {ab + i * levels_[b] + j, ac + i * levels_[c] + k, bc + j * levels_[c] + k}) {
            if (pairs.states_[pair] == State::excluded) exclude(number);
          }
        }
      }
    }
  }
}

std::optional<std::size_t> Interactions::missing(std::size_t from) const {
  const auto middle =
      states_.begin() + static_cast<std::ptrdiff_t>(states_.empty() ? 0 : from % states_.size());
  auto at = std::find(middle, states_.end(), State::missing);
  if (at == states_.end()) {
    at = std::find(states_.begin(), middle, State::missing);
    if (at == middle) return std::nullopt;
  }
  return static_cast<std::size_t>(at - states_.begin());
}

const Interactions::Group& Interactions::group_of(std::size_t number) const {
  const auto after =
      std::upper_bound(groups_.begin(), groups_.end(), number,
                       [](std::size_t value, const Group& group) { return value < group.first; });
  return *std::prev(after);
}

Row Interactions::row_of(std::size_t number) const {
  const Group& group = group_of(number);
  Row row(levels_.size());
  std::size_t rest = number - group.first;
  for (std::size_t i = strength_; i-- > 0;) {
    const std::size_t factor = group.factors.at(i);
    row[factor] = rest % levels_[factor];
    rest /= levels_[factor];
  }
  return row;
}

bool Interactions::holds(const Row& row, std::size_t number) const {
  return number_in(group_of(number), row) == number;
}

std::vector<std::optional<std::size_t>> Interactions::gains(const Row& row,
                                                            std::size_t factor) const {
  std::vector<std::optional<std::size_t>> gained(levels_[factor], 0);
  for (const std::size_t index : groups_of_factor_[factor]) {
    const Group& group = groups_[index];
    std::size_t distance = 1;  // distance of combinations that differ by one level of the factor
    const auto first = number_by(group, [&](std::size_t other) {
      distance = other == factor ? 1 : distance * levels_[other];
      return other == factor ? std::optional<std::size_t>(0) : row[other];
    });
    if (!first) continue;
    for (std::size_t level = 0; level < gained.size(); ++level) {
      const State state = states_[*first + level * distance];
      if (state == State::excluded) gained[level].reset();
      if (state == State::missing && gained[level]) ++*gained[level];
    }
  }
  return gained;
}

}  // namespace warpcheck::campaign::generate
