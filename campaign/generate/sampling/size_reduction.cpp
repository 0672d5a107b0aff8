#include "campaign/generate/sampling/size_reduction.hpp"

#include <algorithm>

namespace warpcheck::campaign::generate {

void SizeReduction::keep_large(const Fields& kept, bool by_size, Case& problem) const {
  Fields others = costs_.schema().fields_of_kind(CaseField::Kind::extent);
  std::erase_if(others, [&](std::size_t one) {
    return std::find(kept.begin(), kept.end(), one) != kept.end();
  });
  for (const std::int64_t least : {2, 1}) {
    reduce(problem, others, by_size, least);
    reduce(problem, kept, by_size, least);
  }
}

void SizeReduction::reduce(Case& problem, const Fields& extents, bool by_size,
                           std::int64_t least) const {
  const std::vector<CaseField>& fields = costs_.schema().fields;
  const auto size_of = [&](std::size_t one) { return fields[one].get(problem); };
  while (!is_affordable(problem)) {
    const auto may_shrink = [&](std::size_t one) { return size_of(one) > least_size(one, least); };
    auto chosen = std::find_if(extents.begin(), extents.end(), may_shrink);
    if (chosen == extents.end()) return;
    for (auto other = chosen; by_size && other != extents.end(); ++other) {
      if (may_shrink(*other) && size_of(*other) > size_of(*chosen)) chosen = other;
    }
    fields[*chosen].set(problem, reduced(*chosen, size_of(*chosen), least));
  }
}

/// Returns the size below which the extent does not cost less, or `least`.
std::int64_t SizeReduction::least_size(std::size_t number, std::int64_t least) const {
  const ExtentTiles& tiles = costs_.tiles().extents[number];
  if (!costs_.schema().works_in_tiles) return least;
  return std::max(least, costs_.schema().fields[number].is_reduced
                             ? tiles.period
                             : std::max(tiles.tile, tiles.period));
}

/// Returns about three quarters of a size. It keeps its position within a tile.
std::int64_t SizeReduction::reduced(std::size_t number, std::int64_t size,
                                    std::int64_t least) const {
  const std::int64_t tile = costs_.tiles().extents[number].tile;
  const std::int64_t quarter = (size + 3) / 4;
  const std::int64_t whole_tiles = std::max(quarter / tile, std::int64_t{1}) * tile;
  const std::int64_t less = size > tile ? whole_tiles : quarter;
  return std::max(size - less, least_size(number, least));
}

}  // namespace warpcheck::campaign::generate
