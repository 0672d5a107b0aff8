#include "properties/generate/covering/factors.hpp"

#include <algorithm>
#include <utility>

#include "properties/case/operand.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Level = std::optional<std::size_t>;

constexpr std::int64_t kMostTile = 128;  // of m and n
constexpr std::int64_t kMostStep = 32;   // of k
constexpr std::int64_t kMostExtent = 300;

std::int64_t largest_up_to(const std::vector<std::int64_t>& tiles, std::int64_t most) {
  std::int64_t largest = tiles.front();
  for (const std::int64_t tile : tiles) {
    if (tile <= most) largest = std::max(largest, tile);
  }
  return largest;
}

/// The residue of an extent modulo its tile. k also has the level "0".
Factor extent(std::string_view name, std::int64_t Case::*field, std::int64_t tile, bool zero) {
  Factor factor;
  factor.name = name;
  if (zero) factor.levels.push_back("0");
  const std::size_t one = factor.levels.size();
  for (const char* level :
       {"1", "below a tile", "whole tiles", "tiles + 1", "tiles - 1", "other"}) {
    factor.levels.push_back(level);
  }
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t size = problem.*field;
    if (size == 0) return zero ? Level(0) : Level();
    if (size == 1) return one;
    if (size % tile == 0) return one + 2;
    if (size % tile == 1) return one + 3;
    if (size % tile == tile - 1) return one + 4;
    return size < tile ? one + 1 : one + 5;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    const std::int64_t most = std::clamp<std::int64_t>(kMostExtent / tile, 1, 4);
    const std::int64_t whole = tile * (1 + std::min(chance(most), chance(most)));
    const std::int64_t inside = std::min(tile, 2 + chance(std::max<std::int64_t>(tile - 3, 1)));
    const std::array<std::int64_t, 6> sizes{1, inside, whole, whole + 1, whole - 1, whole + inside};
    problem.*field = level < one ? 0 : sizes.at(level - one);
  };
  return factor;
}

/// Level 0: tight; 1: wider, and no multiple of 4; 2: wider, and a multiple of 4.
Factor distance(const StrideField& stride, std::function<std::int64_t(const Case&)> tight) {
  const auto field = stride.field;
  Factor factor;
  factor.name = stride.name;
  factor.levels = {"tight", "uneven", "multiple of 4"};
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t elements = problem.*field;
    if (elements <= tight(problem)) return 0;  // 0, or too small after a size has grown
    return elements % 4 == 0 ? 2 : 1;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    const std::int64_t least = std::max<std::int64_t>(1, tight(problem));
    const std::int64_t round = (least / 4 + 1 + chance(3)) * 4;
    problem.*field = level == 0 ? 0 : level == 2 ? round : round + 1 + chance(3);
  };
  return factor;
}

Factor offset(std::string_view name, std::int64_t Case::*field) {
  Factor factor;
  factor.name = name;
  factor.levels = {"0", "1", "2", "3"};
  factor.level_of = [=](const Case& problem) -> Level {
    return static_cast<std::size_t>(problem.*field % 4);
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance&) {
    problem.*field = static_cast<std::int64_t>(level);
  };
  return factor;
}

Factor flag(std::string_view name, bool Case::*field) {
  Factor factor;
  factor.name = name;
  factor.levels = {"n", "t"};
  factor.level_of = [=](const Case& problem) -> Level { return problem.*field ? 1 : 0; };
  factor.set = [=](Case& problem, std::size_t level, const Chance&) {
    problem.*field = level == 1;
  };
  return factor;
}

Factor batch_factor() {
  Factor factor;
  factor.name = "batch";
  factor.levels = {"1", "more"};
  factor.level_of = [](const Case& problem) -> Level {
    return problem.batch == 0 ? Level() : Level(problem.batch == 1 ? 0 : 1);
  };
  factor.set = [](Case& problem, std::size_t level, const Chance& chance) {
    problem.batch = level == 0 ? 1 : 2 + chance(2);
  };
  return factor;
}

/// Level 0: 1; 1: 0; 2: any other, of few bits, so that exact sums stay exact.
Factor scale(std::string_view name, double Case::*field) {
  Factor factor;
  factor.name = name;
  factor.levels = {"1", "0", "other"};
  factor.level_of = [=](const Case& problem) -> Level {
    return problem.*field == 1.0 ? 0 : problem.*field == 0.0 ? 1 : 2;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    constexpr std::array<double, 4> kOthers{-1.0, 2.0, -3.0, -1.0};
    problem.*field = level == 0   ? 1.0
                     : level == 1 ? 0.0
                                  : kOthers.at(static_cast<std::size_t>(chance(4)));
  };
  return factor;
}

Factor recipe(const Contract& contract) {
  std::vector<Recipe> recipes{Recipe::lattice, Recipe::cancellation, Recipe::spikes,
                              Recipe::onehot};
  if (unit_roundoff(contract.type_a) != 0.0) {
    recipes.insert(recipes.end(), {Recipe::normal, Recipe::wide, Recipe::special});
  }
  Factor factor;
  factor.name = "data";
  for (const Recipe each : recipes) factor.levels.push_back(name(each));
  factor.level_of = [recipes](const Case& problem) -> Level {
    const auto at = std::find(recipes.begin(), recipes.end(), problem.data);
    if (at == recipes.end()) return {};
    return static_cast<std::size_t>(at - recipes.begin());
  };
  factor.set = [recipes](Case& problem, std::size_t level, const Chance&) {
    problem.data = recipes[level];
  };
  return factor;
}

}  // namespace

std::vector<Factor> factors(const Contract& contract, const Tiles& tiles) {
  std::vector<Factor> all{
      extent("m", &Case::m, largest_up_to(tiles.m, kMostTile), false),
      extent("n", &Case::n, largest_up_to(tiles.n, kMostTile), false),
      extent("k", &Case::k, largest_up_to(tiles.k, kMostStep), true),
  };
  const auto add_if = [&](bool taken, Factor factor) {
    if (taken) all.push_back(std::move(factor));
  };
  const auto takes = [&](ArgumentWord word) { return contract.takes(word); };
  add_if(takes(ArgumentWord::ta), flag("ta", &Case::ta));
  add_if(takes(ArgumentWord::tb), flag("tb", &Case::tb));
  add_if(takes(ArgumentWord::batch), batch_factor());
  // These follow the sizes, which decide the tight strides.
  for (const StrideField& stride : stride_fields(contract)) {
    if (!stride.taken_by(contract)) continue;
    all.push_back(distance(stride, [&contract, stride](const Case& problem) {
      return stride.tight(contract, problem);
    }));
  }
  all.push_back(offset("off_a", &Case::off_a));
  all.push_back(offset("off_b", &Case::off_b));
  all.push_back(offset("off_c", &Case::off_c));
  add_if(takes(ArgumentWord::bias), offset("off_bias", &Case::off_bias));
  add_if(takes(ArgumentWord::alpha), scale("alpha", &Case::alpha));
  add_if(takes(ArgumentWord::beta), scale("beta", &Case::beta));
  all.push_back(recipe(contract));
  return all;
}

}  // namespace warpcheck::properties::generate
