#include "campaign/generate/covering/factors.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "campaign/case/schema.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using Kind = CaseField::Kind;
using Level = std::optional<std::size_t>;

constexpr std::int64_t kMostNamedTiles = 9;
constexpr std::array<std::string_view, kMostNamedTiles + 1> kNumbers = {"0", "1", "2", "3", "4",
                                                                        "5", "6", "7", "8", "9"};

/// The residue of an extent modulo its tile. An extent that is often 0 also has the level "0". A
/// change of the level keeps the number of tiles if it can.
Factor residue(const CaseField& extent, std::size_t number, std::int64_t tile) {
  const bool zero = extent.has_zero;
  Factor factor;
  factor.name = extent.name;
  factor.extent = number;
  factor.is_reduced = extent.is_reduced;
  if (zero) factor.levels.push_back("0");
  const std::size_t one = factor.levels.size();
  for (const char* level :
       {"1", "below a tile", "whole tiles", "tiles + 1", "tiles - 1", "other"}) {
    factor.levels.push_back(level);
  }
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t size = extent.get(problem);
    if (size == 0) return zero ? Level(0) : Level();
    if (size == 1) return one;
    if (size % tile == 0) return one + 2;
    if (size % tile == 1) return one + 3;
    if (size % tile == tile - 1) return one + 4;
    return size < tile ? one + 1 : one + 5;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    const std::int64_t tiles = std::max<std::int64_t>(1, (extent.get(problem) + tile - 1) / tile);
    const std::int64_t before = tile * std::max<std::int64_t>(1, tiles - 1);
    const std::int64_t inside = std::min(tile, 2 + chance(std::max<std::int64_t>(tile - 3, 1)));
    const std::array<std::int64_t, 6> sizes{1,          inside,           tile * tiles,
                                            before + 1, tile * tiles - 1, before + inside};
    extent.set(problem, level < one ? 0 : sizes.at(level - one));
  };
  return factor;
}

/// Numbers of tiles with a level of their own: of sums also those around the stages of a pipeline.
std::vector<std::int64_t> named_counts(const CaseField& extent, const Tiles& tiles) {
  std::set<std::int64_t> counts{1, 2, 3};
  for (const std::int64_t stages : tiles.stages) {
    if (extent.is_reduced) counts.insert({stages, stages + 1});
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
Factor tile_count(const CaseField& extent, std::size_t number, const ExtentTiles& tiles,
                  const std::vector<std::int64_t>& named) {
  const std::int64_t tile = tiles.tile;
  const std::int64_t period = tiles.period;
  Factor factor;
  factor.name = "tiles of " + extent.name;
  factor.extent = number;
  factor.is_reduced = extent.is_reduced;
  for (const std::int64_t count : named) {
    factor.levels.push_back(kNumbers.at(static_cast<std::size_t>(count)));
  }
  factor.levels.insert(factor.levels.end(), {"more, even", "more, odd"});
  const auto count_of = [=](const Case& problem) { return tiles.count(extent.get(problem)); };
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
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    // Most have the least number, because work is the product of three numbers of tiles.
    const std::int64_t further = chance(3) == 0 ? 1 + chance(2) : 0;
    const std::int64_t count =
        level < named.size() ? named[level] : other_count(named, level > named.size(), further);
    const std::int64_t size = extent.get(problem);
    const std::int64_t changed =
        size == 0 ? count * tile : size + (count - count_of(problem)) * tile;
    extent.set(problem, (changed + period - 1) / period * period);
  };
  return factor;
}

/// Level 0: tight; 1: wider, and no multiple of 4; 2: wider, and a multiple of 4.
Factor distance(const CaseField& stride, std::function<std::int64_t(const Case&)> tight) {
  Factor factor;
  factor.name = stride.name;
  factor.levels = {"tight", "uneven", "multiple of 4"};
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t elements = stride.get(problem);
    if (elements <= tight(problem)) return 0;  // 0, or too small after a size has grown
    return elements % 4 == 0 ? 2 : 1;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    const std::int64_t least = std::max<std::int64_t>(1, tight(problem));
    const std::int64_t round = (least / 4 + 1 + chance(3)) * 4;
    stride.set(problem, level == 0 ? 0 : level == 2 ? round : round + 1 + chance(3));
  };
  return factor;
}

Factor offset(const CaseField& field) {
  Factor factor;
  factor.name = field.name;
  factor.levels = {"0", "1", "2", "3"};
  factor.level_of = [=](const Case& problem) -> Level {
    return static_cast<std::size_t>(field.get(problem) % 4);
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance&) {
    field.set(problem, static_cast<std::int64_t>(level));
  };
  return factor;
}

Factor transposition(const CaseField& field) {
  Factor factor;
  factor.name = field.name;
  factor.levels = {"n", "t"};
  factor.level_of = [=](const Case& problem) -> Level { return field.get(problem) != 0 ? 1 : 0; };
  factor.set = [=](Case& problem, std::size_t level, const Chance&) {
    field.set(problem, level == 1 ? 1 : 0);
  };
  return factor;
}

Factor batch(const CaseField& field) {
  Factor factor;
  factor.name = field.name;
  factor.levels = {"1", "more"};
  factor.level_of = [=](const Case& problem) -> Level {
    const std::int64_t count = field.get(problem);
    return count == 0 ? Level() : Level(count == 1 ? 0 : 1);
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    field.set(problem, level == 0 ? 1 : 2 + chance(2));
  };
  return factor;
}

/// Level 0: 1; 1: any other, of few bits, so that exact sums stay exact; 2: 0, for alpha and beta.
Factor scale(const CaseField& field) {
  Factor factor;
  factor.name = field.name;
  factor.levels = {"1", "other"};
  if (field.has_zero) factor.levels.push_back("0");
  factor.level_of = [=](const Case& problem) -> Level {
    const double value = field.number(problem);
    return value == 1.0 ? 0 : value == 0.0 && field.has_zero ? 2 : 1;
  };
  factor.set = [=](Case& problem, std::size_t level, const Chance& chance) {
    constexpr std::array<double, 4> kOthers{-1.0, 2.0, -3.0, -1.0};
    field.set_number(problem, level == 0   ? 1.0
                              : level == 2 ? 0.0
                                           : kOthers.at(static_cast<std::size_t>(chance(4))));
  };
  return factor;
}

Factor recipe(const std::vector<Recipe>& recipes) {
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

std::vector<Factor> factors(const Contract& contract, const CaseSchema& schema,
                            const Tiles& tiles) {
  std::vector<Factor> all;
  // Combinations of numbers of tiles are met first.
  for (std::size_t i = 0; i < tiles.extents.size(); ++i) {
    const CaseField& extent = schema.fields[i];
    all.push_back(tile_count(extent, i, tiles.extents[i], named_counts(extent, tiles)));
  }
  for (std::size_t i = 0; i < tiles.extents.size(); ++i) {
    const CaseField& extent = schema.fields[i];
    const std::int64_t tile = tiles.extents[i].tile;
    if (tile > 1) all.push_back(residue(extent, i, tile));
  }
  // Strides follow the extents and transpositions, which decide the tight ones.
  using Make = Factor (*)(const CaseField&);
  const auto add = [&](Kind kind, Make make) {
    for (const std::size_t field : schema.fields_of_kind(kind)) {
      if (schema.fields[field].is_taken) all.push_back(make(schema.fields[field]));
    }
  };
  add(Kind::transposition, transposition);
  add(Kind::batch, batch);
  for (const Kind kind : {Kind::leading_dimension, Kind::batch_stride}) {
    for (const std::size_t field : schema.fields_of_kind(kind)) {
      const CaseField& stride = schema.fields[field];
      if (!stride.is_taken) continue;
      all.push_back(distance(stride, [&contract, name = stride.name](const Case& problem) {
        return tight_stride(contract, problem, name);
      }));
    }
  }
  add(Kind::offset, offset);
  add(Kind::factor, scale);
  all.push_back(recipe(schema.recipes));
  return all;
}

}  // namespace warpcheck::campaign::generate
