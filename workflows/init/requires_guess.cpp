#include "workflows/init/requires_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpcheck::workflows::init {
namespace {

/// The number after `opening`; 0 if the text does not contain it.
std::int64_t number_after(const std::string& text, const std::string& opening) {
  const std::size_t at = text.find(opening);
  if (at == std::string::npos) return 0;
  std::int64_t number = 0;
  const char* const begin = text.data() + at + opening.size();
  std::from_chars(begin, text.data() + text.size(), number);
  return number;
}

std::int64_t step_in(const std::vector<std::string>& grid, const std::string& extent) {
  for (const std::string& text : grid) {
    for (const std::string& opening : {"ceil_div(" + extent + ", ", extent + " / "}) {
      if (const std::int64_t step = number_after(text, opening); step > 1) return step;
    }
  }
  return 0;
}

using Conditions = std::vector<std::string>;

std::string multiple(const std::string& extent, std::int64_t step) {
  return fmt::format("{} % {} == 0", extent, step);
}

/// The extent along which the elements of an operand are contiguous.
std::string contiguous_extent(const Draft& draft, char operand) {
  if (operand == 'a') return draft.column[0] ? "m" : "k";
  if (operand == 'b') return draft.column[1] ? "k" : "n";
  return draft.column[2] ? "m" : "n";
}

/// The conditions of 16-byte accesses to an operand.
Conditions vectors(const Draft& draft, char operand) {
  const ScalarType type = operand == 'a' ? draft.types.a : operand == 'b' ? draft.types.b : draft.types.c;
  const auto elements = static_cast<std::int64_t>(16 / size_of(type));
  if (elements <= 1) return {};
  Conditions conditions = {multiple(contiguous_extent(draft, operand), elements)};
  const std::string leading = std::string("ld") + operand;
  if (draft.takes(leading)) conditions.push_back(multiple(leading, elements));
  conditions.push_back(fmt::format("aligned({}, 16)", operand));
  return conditions;
}

/// Both sets, without repetition and without a multiple that another one implies.
Conditions joined(Conditions first, const Conditions& second) {
  for (const std::string& condition : second) {
    const std::string extent = condition.substr(0, condition.find(" % ") + 3);
    const bool implied = std::any_of(first.begin(), first.end(), [&](const std::string& other) {
      return other == condition || (condition.find(" % ") != std::string::npos && other.starts_with(extent));
    });
    if (!implied) first.push_back(condition);
  }
  return first;
}

void add_for_tiles(const Draft& draft, const TileSteps& steps, std::vector<Conditions>& sets) {
  if (steps.k > 1) {
    sets.push_back({multiple("k", steps.k)});
    sets.push_back({multiple("k", 2 * steps.k)});
    sets.push_back({fmt::format("k % {} == {}", 2 * steps.k, steps.k)});
  }
  if (steps.m > 1 && steps.n > 1) {
    sets.push_back({multiple("m", steps.m), multiple("n", steps.n)});
    if (steps.k > 1) {
      const Conditions tiles = {multiple("m", steps.m), multiple("n", steps.n), multiple("k", steps.k)};
      sets.push_back(tiles);
      sets.push_back(joined(joined(joined(tiles, vectors(draft, 'a')), vectors(draft, 'b')), vectors(draft, 'c')));
    }
  }
}

}  // namespace

TileSteps tile_steps(const Draft& draft, const TileSteps& known) {
  TileSteps steps = known;
  if (const std::int64_t step = step_in(draft.grid, "m"); step > 0) steps.m = step;
  if (const std::int64_t step = step_in(draft.grid, "n"); step > 0) steps.n = step;
  if (steps.m == 0) steps.m = steps.n;
  if (steps.n == 0) steps.n = steps.m;
  if (steps.k == 0) steps.k = std::max(steps.m, steps.n);
  return steps;
}

std::vector<std::vector<std::string>> guess_requires(const Draft& draft, const TileSteps& steps) {
  std::vector<Conditions> sets = {{}, {"m == n"}};
  add_for_tiles(draft, steps, sets);
  const Conditions a = vectors(draft, 'a');
  const Conditions b = vectors(draft, 'b');
  const Conditions c = vectors(draft, 'c');
  for (const Conditions& one : {b, a, joined(a, b), joined(joined(a, b), c), joined(b, c)}) {
    if (!one.empty()) sets.push_back(one);
    if (!one.empty() && steps.k > 1) sets.push_back(joined({multiple("k", steps.k)}, one));
  }
  sets.push_back({"m == n", "k == n"});
  if (steps.n > 1) sets.push_back({"m == n", "k == n", multiple("n", steps.n)});
  // A kernel that reads C although beta is 0.
  if (draft.takes("beta")) {
    std::vector<Conditions> nonzero;
    for (const Conditions& set : sets) nonzero.push_back(joined(set, {"beta != 0"}));
    if (draft.takes("alpha")) {
      for (const Conditions& set : sets) nonzero.push_back(joined(set, {"alpha != 0", "beta != 0"}));
    }
    sets.insert(sets.end(), nonzero.begin(), nonzero.end());
  }
  return sets;
}

std::vector<std::string> grid_limits(const Draft& draft) {
  constexpr std::int64_t kMostBlocks = 65535;  // CUDA C++ Programming Guide, Compute Capabilities
  std::vector<std::string> limits;
  for (std::size_t axis = 1; axis < draft.grid.size(); ++axis) {
    for (const char* extent : {"m", "n"}) {
      const std::int64_t step = step_in({draft.grid[axis]}, extent);
      if (step > 0) limits.push_back(fmt::format("{} <= {}", extent, kMostBlocks * step));
      if (draft.grid[axis] == extent) limits.push_back(fmt::format("{} <= {}", extent, kMostBlocks));
    }
    if (draft.grid[axis] == "batch") limits.push_back(fmt::format("batch <= {}", kMostBlocks));
  }
  return limits;
}

}  // namespace warpcheck::workflows::init
