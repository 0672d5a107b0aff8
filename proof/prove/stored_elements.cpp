#include "proof/prove/stored_elements.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpcheck::proof {
namespace {

/// The number x whose quotient x / extent and remainder are the two indices from `axis` on; empty
/// if they are something else.
std::optional<Polynomial> joined_index(const Terms& terms, const StoredElements& stored,
                                       std::size_t axis, const Polynomial& extent) {
  const Polynomial& index = stored.indices[axis];
  const std::vector<SymbolId> symbols = index.symbols();
  const bool is_one = axis + 2 < stored.indices.size() || stored.count == Polynomial(1);
  if (symbols.size() != 1 || index != Polynomial::of(symbols.front()) || !is_one) return {};
  const auto* const quotient = std::get_if<Quotient>(&terms[symbols.front()].definition);
  if (quotient == nullptr || quotient->divisor != extent) return {};
  const Polynomial remainder = quotient->dividend - extent * index;
  return stored.indices[axis + 1] == remainder ? std::optional(quotient->dividend) : std::nullopt;
}

/// Joins two axes if each store computes both indices from one number. Returns false if none are.
bool join_two_axes(const Terms& terms, std::vector<StoredElements>& stores,
                   std::vector<Polynomial>& extents) {
  for (std::size_t axis = 0; axis + 1 < extents.size(); ++axis) {
    std::vector<Polynomial> joined;
    for (const StoredElements& stored : stores) {
      const auto index = joined_index(terms, stored, axis, extents[axis + 1]);
      if (index) joined.push_back(*index);
    }
    if (joined.size() != stores.size()) continue;
    const auto at = static_cast<std::ptrdiff_t>(axis);
    for (std::size_t i = 0; i < stores.size(); ++i) {
      stores[i].indices.erase(stores[i].indices.begin() + at);
      stores[i].indices[axis] = joined[i];
    }
    extents[axis + 1] = extents[axis] * extents[axis + 1];
    extents.erase(extents.begin() + at);
    return true;
  }
  return false;
}

/// Splits an axis in which each store has the index of the block, if the blocks are as many as a
/// product of two sizes.
void split_axis(const Domain& domain, std::size_t block_axis, std::vector<StoredElements>& stores,
                std::vector<Polynomial>& extents) {
  const auto& product = domain.products[block_axis];
  if (!product || product->divisor.terms().size() != 1) return;
  const auto factor = domain.grid[block_axis].divided_by(product->divisor.terms().front());
  const Polynomial& block = domain.block[block_axis];
  for (std::size_t axis = 0; factor && axis < extents.size(); ++axis) {
    const bool is_block = std::ranges::all_of(stores, [&](const StoredElements& stored) {
      return stored.indices[axis] == block &&
             (axis + 1 < extents.size() || stored.count == Polynomial(1));
    });
    if (!is_block || extents[axis] != domain.grid[block_axis]) continue;
    const auto at = static_cast<std::ptrdiff_t>(axis);
    for (StoredElements& stored : stores) {
      stored.indices[axis] = block - product->quotient * product->divisor;
      stored.indices.insert(stored.indices.begin() + at, product->quotient);
    }
    extents[axis] = product->divisor;
    extents.insert(extents.begin() + at, *factor);
    return;
  }
}

/// The numbers that one execution adds to the indices of a tile.
using Offsets = std::vector<std::int64_t>;

/// The executions of stores that differ in these numbers only.
struct Tile {
  std::set<Offsets> offsets;
  std::set<std::size_t> stores;
};

/// The indices without their numbers, and the conditions.
using TileKey = std::pair<std::vector<Polynomial>, std::vector<Formula>>;

class Tiles {
 public:
  Tiles(const Kernel& kernel, const std::vector<Polynomial>& extents)
      : kernel_(kernel), terms_(kernel.terms), extents_(extents) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<SymbolId> symbols = kernel.domain.thread[axis].symbols();
      const auto extent = kernel.domain.block_shape[axis].constant();
      if (!symbols.empty() && extent) counts_.emplace(symbols.front(), *extent);
    }
    for (const LoopForm& form : kernel.lifted.loops) {
      const auto last = form.runs_all && form.last ? form.last->constant() : std::nullopt;
      if (last && *last < kMostExecutions) counts_.emplace(*form.iteration, *last + 1);
    }
  }

  /// Adds the executions of a store by all threads of a block, in all iterations, unless its place
  /// in a tile depends on more, or there are too many.
  void add(std::size_t number, const StoredElements& stored) {
    const auto varying = symbols_of(stored);
    if (!varying || !stored.count.constant()) return;
    for (Substitution& execution : executions(*varying)) add(number, stored, execution);
  }

  /// Two tiles of which one is written if a condition holds, and the other one if it does not, are
  /// one without the condition.
  void resolve(const IntegerSets& sets) {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      const std::map<TileKey, Tile> known = tiles_;
      for (const auto& [key, tile] : known) {
        for (const Formula condition : key.second) {
          if (!sets.is_linear(condition)) is_changed = resolve(key, tile, condition) || is_changed;
        }
      }
    }
  }

  [[nodiscard]] const std::map<TileKey, Tile>& all() const { return tiles_; }

 private:
  static constexpr std::int64_t kMostExecutions = 4096;  // those of one store

  /// The symbols on which an execution depends: the index of the thread, and iterations. Empty if
  /// it depends on others.
  [[nodiscard]] std::optional<std::set<SymbolId>> symbols_of(const StoredElements& stored) const {
    std::set<SymbolId> found;
    std::int64_t executions = 1;
    const auto add_bases = [&](const auto& value) {
      for (const SymbolId id : terms_.bases(value)) {
        if (terms_[id].level != Level::thread || !found.insert(id).second) continue;
        const auto count = counts_.find(id);
        executions = count == counts_.end() ? kMostExecutions + 1 : executions * count->second;
        if (executions > kMostExecutions) return false;
      }
      return true;
    };
    const bool is_fixed = std::ranges::all_of(stored.indices, add_bases) &&
                          std::ranges::all_of(stored.path, add_bases);
    return is_fixed ? std::optional(std::move(found)) : std::nullopt;
  }

  std::vector<Substitution>& executions(const std::set<SymbolId>& varying) {
    std::vector<Substitution>& all = executions_[varying];
    if (!all.empty()) return all;
    std::vector<std::map<SymbolId, Polynomial>> values(1);
    for (const SymbolId id : varying) {
      std::vector<std::map<SymbolId, Polynomial>> more;
      for (const auto& known : values) {
        for (std::int64_t value = 0; value < counts_.at(id); ++value) {
          more.push_back(known);
          more.back().emplace(id, value);
        }
      }
      values = std::move(more);
    }
    for (auto& each : values) all.emplace_back(terms_, std::move(each));
    return all;
  }

  /// Returns true if the tile without the condition gains elements.
  bool resolve(const TileKey& key, const Tile& tile, Formula condition) {
    const auto replaced = [&](std::optional<Formula> by) {
      TileKey other = key;
      std::erase(other.second, condition);
      if (by) other.second.push_back(*by);
      std::ranges::sort(other.second);
      return other;
    };
    const auto partner = tiles_.find(replaced(terms_.negate(condition)));
    if (partner == tiles_.end()) return false;
    const Tile opposite = partner->second;
    Tile& merged = tiles_[replaced(std::nullopt)];
    const std::size_t before = merged.offsets.size();
    std::ranges::set_intersection(tile.offsets, opposite.offsets,
                                  std::inserter(merged.offsets, merged.offsets.end()));
    merged.stores.insert(tile.stores.begin(), tile.stores.end());
    merged.stores.insert(opposite.stores.begin(), opposite.stores.end());
    return merged.offsets.size() != before;
  }

  void add(std::size_t number, const StoredElements& stored, Substitution& execution) {
    std::vector<Polynomial> indices;
    for (const Polynomial& index : stored.indices) indices.push_back(execution(index));
    std::vector<Formula> conditions;
    for (const Formula formula : stored.path) {
      const Formula condition = execution(formula);
      if (condition == kFalse) return;
      for (const Formula part : terms_.conjuncts(condition)) {
        if (part != kTrue && !follows(part, indices)) conditions.push_back(part);
      }
    }
    std::ranges::sort(conditions);
    const auto repeated = std::ranges::unique(conditions);
    conditions.erase(repeated.begin(), repeated.end());
    Offsets offsets;
    for (Polynomial& index : indices) {
      offsets.push_back(index.constant_term());
      index = index.without_constant();
    }
    Tile& tile = tiles_[{std::move(indices), std::move(conditions)}];
    tile.stores.insert(number);
    const std::int64_t first = offsets.back();
    for (std::int64_t i = 0; i < *stored.count.constant(); ++i) {
      offsets.back() = first + i;
      tile.offsets.insert(offsets);
    }
  }

  /// True if a condition of a store of one element holds since the element exists: it limits an
  /// index by the extent of its axis, or by more.
  [[nodiscard]] bool follows(Formula condition, const std::vector<Polynomial>& indices) const {
    const FormulaNode& node = terms_.node(condition);
    if (node.kind != FormulaKind::at_most_zero) return false;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const auto distance = (node.polynomial - (indices[axis] + 1 - extents_[axis])).constant();
      if (distance && *distance <= 0) return true;
    }
    return false;
  }

  const Kernel& kernel_;
  Terms& terms_;
  const std::vector<Polynomial>& extents_;
  std::map<SymbolId, std::int64_t> counts_;  // values of a symbol, from 0 on
  std::map<std::set<SymbolId>, std::vector<Substitution>> executions_;
  std::map<TileKey, Tile> tiles_;
};

/// The tile as a box; empty if some of its elements are missing.
std::optional<Image> box(const TileKey& key, const Tile& tile) {
  Image image{key.first, {}, key.second};
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < key.first.size(); ++axis) {
    const auto [least, most] = std::ranges::minmax(
        tile.offsets, {}, [&](const Offsets& offsets) { return offsets[axis]; });
    const std::int64_t count = most[axis] - least[axis] + 1;
    image.indices[axis] = image.indices[axis] + least[axis];
    image.counts.emplace_back(count);
    elements *= count;
  }
  if (elements != std::ssize(tile.offsets)) return std::nullopt;
  return image;
}

}  // namespace

void join_divided_axes(const Terms& terms, std::vector<StoredElements>& stores,
                       std::vector<Polynomial>& extents) {
  while (join_two_axes(terms, stores, extents)) {
  }
}

void split_product_axes(const Domain& domain, std::vector<StoredElements>& stores,
                        std::vector<Polynomial>& extents) {
  for (std::size_t axis = 0; axis < 3; ++axis) split_axis(domain, axis, stores, extents);
}

std::vector<Image> take_tiles(const Kernel& kernel, const IntegerSets& sets,
                              std::vector<StoredElements>& stores,
                              const std::vector<Polynomial>& extents) {
  Tiles tiles(kernel, extents);
  for (std::size_t i = 0; i < stores.size(); ++i) tiles.add(i, stores[i]);
  tiles.resolve(sets);
  const auto is_linear = [&](const auto& value) { return sets.is_linear(value); };
  std::vector<Image> images;
  std::set<std::size_t> written;
  std::set<std::size_t> kept;
  for (const auto& [key, tile] : tiles.all()) {
    const bool is_known =
        std::ranges::all_of(key.first, is_linear) && std::ranges::all_of(key.second, is_linear);
    if (!is_known) continue;
    const auto image = box(key, tile);
    if (image) images.push_back(*image);
    (image ? written : kept).insert(tile.stores.begin(), tile.stores.end());
  }
  if (images.size() > stores.size()) return {};
  std::size_t number = 0;
  std::erase_if(stores, [&](const StoredElements&) {
    const std::size_t store = number++;
    return written.contains(store) && !kept.contains(store);
  });
  return images;
}

}  // namespace warpcheck::proof
