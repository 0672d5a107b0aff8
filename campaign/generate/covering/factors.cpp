#include "campaign/generate/covering/factors.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "campaign/case/operand.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Level = std::optional<std::size_t>;

constexpr std::int64_t kMostNamedTiles = 9;
constexpr std::array<std::string_view, kMostNamedTiles + 1> kNumbers = {"0", "1", "2", "3", "4",
                                                                        "5", "6", "7", "8", "9"};

struct SizeFactors {
  std::size_t number;  // 0, 1, 2
  std::string_view name;
  std::string_view count_name;
  std::int64_t Case::*field;
};
constexpr std::array<SizeFactors, 3> kSizeFactors = {{{0, "m", "tiles of m", &Case::m},
                                                      {1, "n", "tiles of n", &Case::n},
                                                      {2, "k", "tiles of k", &Case::k}}};

/// The residue of an extent modulo its tile. k also has the level "0". A change of the level keeps
/// the number of tiles if it can.
Factor residue(const SizeFactors& extent, std::int64_t tile) {
  const bool zero = extent.number == 2;
  Factor factor;
  factor.name = extent.name;
  factor.extent = extent.number;
  if (zero) factor.levels.push_back("0");
  const std::size_t one = factor.levels.size();
  for (const char* level :
       {"1", "below a tile", "whole tiles", "tiles + 1", "tiles - 1", "other"}) {
    factor.levels.push_back(level);
  }
  factor.level_of = [=, field = extent.field](const Case& problem) -> Level {
    const std::int64_t size = problem.*field;
    if (size == 0) return zero ? Level(0) : Level();
    if (size == 1) return one;
    if (size % tile == 0) return one + 2;
    if (size % tile == 1) return one + 3;
    if (size % tile == tile - 1) return one + 4;
    return size < tile ? one + 1 : one + 5;
  };
  factor.set = [=, field = extent.field](Case& problem, std::size_t level, const Chance& chance) {
    const std::int64_t tiles = std::max<std::int64_t>(1, (problem.*field + tile - 1) / tile);
    const std::int64_t before = tile * std::max<std::int64_t>(1, tiles - 1);
    const std::int64_t inside = std::min(tile, 2 + chance(std::max<std::int64_t>(tile - 3, 1)));
    const std::array<std::int64_t, 6> sizes{1,          inside,           tile * tiles,
                                            before + 1, tile * tiles - 1, before + inside};
    problem.*field = level < one ? 0 : sizes.at(level - one);
  };
  return factor;
}

/// Numbers of tiles with a level of their own: along k also those around the stages of a pipeline.
std::vector<std::int64_t> named_counts(const SizeFactors& extent, const Tiles& tiles) {
  std::set<std::int64_t> counts{1, 2, 3};
  for (const std::int64_t stages : tiles.stages) {
    if (extent.number == 2) counts.insert({stages, stages + 1});
  }
  return {counts.begin(), counts.end()};
}

/// Returns the least number of tiles above all of `named` of the given parity, or one of the next
/// two.
std::int64_t other_count(const std::vector<std::int64_t>& named, bool odd, std::int64_t further) {
  std::int64_t count = named.back() + 1;
  if ((count % 2 != 0) != odd) ++count;
  return count + 2 * further;
}

/// The number of tiles of an extent, the last of which may be partial: one of `named`, more and
/// even, or more and odd. A change of the level keeps the residue, but rounds up to the period of
/// the domain, which would otherwise round down to fewer tiles.
Factor tile_count(const SizeFactors& extent, const Tiles& tiles,
                  const std::vector<std::int64_t>& named) {
  const std::int64_t tile = tiles.tile.at(extent.number);
  const std::int64_t period = tiles.period.at(extent.number);
  Factor factor;
  factor.name = extent.count_name;
  factor.extent = extent.number;
  for (const std::int64_t count : named) {
    factor.levels.push_back(kNumbers.at(static_cast<std::size_t>(count)));
  }
  factor.levels.insert(factor.levels.end(), {"more, even", "more, odd"});
  const auto count_of = [=, field = extent.field](const Case& problem) {
    return (problem.*field + tile - 1) / tile;
  };
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t count = count_of(problem);
    if (count == 0) return {};
    const auto at = std::find(named.begin(), named.end(), count);
    if (at != named.end()) return static_cast<std::size_t>(at - named.begin());
    // A number between two named ones is none of the levels.
    if (count < named.back()) return {};
    return named.size() + (count % 2 == 0 ? 0 : 1);
  };
  factor.tile = tile;
  factor.least_tiles = named;
  for (const bool odd : {false, true}) factor.least_tiles.push_back(other_count(named, odd, 0));
  factor.set = [=, field = extent.field](Case& problem, std::size_t level, const Chance& chance) {
    // Most have the least number, because work is the product of three numbers of tiles.
    const std::int64_t further = chance(3) == 0 ? 1 + chance(2) : 0;
    const std::int64_t count =
        level < named.size() ? named[level] : other_count(named, level > named.size(), further);
    std::int64_t& size = problem.*field;
    size = size == 0 ? count * tile : size + (count - count_of(problem)) * tile;
    size = (size + period - 1) / period * period;
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
  std::vector<Factor> all;
  // Combinations of numbers of tiles are met first.
  for (const SizeFactors& extent : kSizeFactors) {
    all.push_back(tile_count(extent, tiles, named_counts(extent, tiles)));
  }
  for (const SizeFactors& extent : kSizeFactors) {
    all.push_back(residue(extent, tiles.tile.at(extent.number)));
  }
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

}  // namespace warpcheck::campaign::generate
