#include "workflows/init/draft/geometry_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

constexpr std::int64_t kMostThreads = 1024;

struct Tile {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t per_thread = 0;  // elements of C; 0: unknown
};

/// The numbers that a kernel's body names, by the role that the name suggests.
struct Constants {
  std::vector<std::int64_t> tile_m;
  std::vector<std::int64_t> tile_n;
  std::vector<std::int64_t> tile;
  std::vector<std::int64_t> threads;
};

void add(std::vector<std::int64_t>& values, std::int64_t value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

bool contains_any(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

/// Sorts a number by the name of its constant.
void sort_in(const std::string& name, std::int64_t value, Constants& constants) {
  const std::string lower = lower_case(name);
  if (contains_any(lower, {"thread"}) && !contains_any(lower, {"per_thread", "thread_"})) {
    if (value >= 32 && value <= kMostThreads) add(constants.threads, value);
    return;
  }
  if (value < 2 || value > 512) return;
  const bool uses_k = contains_any(
      lower, {"bk", "tile_k", "k_step", "kstep", "tilek", "_k", "per_thread", "padding", "pad"});
  if (uses_k) return;
  if (lower == "bm" ||
      contains_any(lower, {"tile_m", "block_m", "tilem", "blockm", "block_size_m", "tile_rows"}))
    return add(constants.tile_m, value);
  if (lower == "bn" ||
      contains_any(lower, {"tile_n", "block_n", "tilen", "blockn", "block_size_n", "tile_col"}))
    return add(constants.tile_n, value);
  if (lower == "t" || lower == "ts" || lower == "bs" ||
      contains_any(lower, {"tile", "block", "width", "size", "dim"}))
    add(constants.tile, value);
}

/// The constants that a kernel names, those of its own body first, and the extents of its arrays in
/// shared memory.
Constants constants_of(const GeometryInput& input) {
  Constants constants;
  const Tokens body = input.kernel.body;
  for (const auto& [name, value] : values_in(body)) {
    const HostValue found = input.scope.value(Tokens(value));
    if (found && found->is_number()) sort_in(name, found->number, constants);
  }
  for (const TemplateParameter& parameter : input.kernel.templates) {
    const HostValue found = input.scope.value(parameter.name);
    if (found && found->is_number()) sort_in(parameter.name, found->number, constants);
  }
  std::set<std::string> known;
  for (const Token& token : body) {
    if (!token.is_word() || !known.insert(std::string(token.text)).second) continue;
    const HostValue found = input.scope.value(token.text);
    if (found && found->is_number()) sort_in(std::string(token.text), found->number, constants);
  }
  for (std::size_t i = 0; i + 3 < body.size(); ++i) {
    if (!body[i].is("__shared__")) continue;
    for (std::size_t j = i + 1; j < body.size() && !body[j].is(";") && !body[j].is("="); ++j) {
      if (!body[j].is("[")) continue;
      const std::size_t close = contract::closing_bracket(body, j);
      if (close >= body.size()) break;
      const HostValue found = input.scope.value(body.subspan(j + 1, close - j - 1));
      if (found && found->is_number() && found->number >= 8 && found->number <= 256 &&
          found->number % 8 == 0) {
        add(constants.tile, found->number);
      }
      j = close;
    }
  }
  return constants;
}

/// The constants of the file and its headers, for a kernel whose body names none: it may pass its
/// work on to a device function.
Constants constants_anywhere(const HostScope& scope) {
  Constants constants;
  for (const std::string& name : scope.names()) {
    const HostValue found = scope.value(name);
    if (found && found->is_number()) sort_in(name, found->number, constants);
  }
  return constants;
}

std::vector<Tile> tiles_of(const Constants& constants, bool block_size) {
  std::vector<Tile> tiles;
  const auto add_tile = [&](Tile tile) {
    const bool known = std::any_of(tiles.begin(), tiles.end(), [&](const Tile& other) {
      return other.m == tile.m && other.n == tile.n;
    });
    if (!known) tiles.push_back(tile);
  };
  for (const std::int64_t m : constants.tile_m) {
    for (const std::int64_t n : constants.tile_n) add_tile({m, n});
  }
  std::vector<std::int64_t> squares = constants.tile;
  std::stable_sort(squares.begin(), squares.end(), std::greater<>());
  for (const std::int64_t size : squares) add_tile({size, size});
  if (tiles.empty() || block_size) {
    add_tile({16, 16});
    add_tile({32, 32});
  }
  for (const std::int64_t size : {64, 128}) add_tile({size, size});
  return tiles;
}

using Block = std::vector<std::int64_t>;

std::int64_t threads_in(const Block& block) {
  std::int64_t threads = 1;
  for (const std::int64_t extent : block) threads *= extent;
  return threads;
}

/// Blocks for a tile, the most likely one first.
std::vector<Block> blocks_for(const Tile& tile, const ptx::EntryUsage& usage,
                              const Constants& constants) {
  std::vector<Block> blocks;
  const auto add_block = [&](Block block) {
    const bool positive =
        std::all_of(block.begin(), block.end(), [](std::int64_t e) { return e > 0; });
    const std::int64_t threads = threads_in(block);
    const bool fits = !usage.most_threads || threads == *usage.most_threads;
    if (positive && threads >= 16 && threads <= kMostThreads && fits &&
        std::find(blocks.begin(), blocks.end(), block) == blocks.end()) {
      blocks.push_back(std::move(block));
    }
  };
  if (usage.thread_axes == 1) {
    if (usage.most_threads) add_block({*usage.most_threads});
    for (const std::int64_t threads : constants.threads) add_block({threads});
    for (const std::int64_t per_thread : {16, 4, 8, 1, 64, 32})
      add_block({tile.m * tile.n / per_thread});
    for (const std::int64_t threads : {256, 128, 64, 512, 1024, 32}) add_block({threads});
    return blocks;
  }
  for (const std::int64_t threads : constants.threads) {
    for (const std::int64_t x : {tile.n, tile.n / 4, std::int64_t{32}, tile.n / 2, tile.n / 8}) {
      if (x > 0 && threads % x == 0) add_block({x, threads / x});
    }
  }
  add_block({tile.n, tile.m});
  for (const std::int64_t part : {4, 2, 8}) {
    if (tile.n % part != 0 || tile.m % part != 0) continue;
    add_block({tile.n / part, tile.m / part});
    add_block({tile.n, tile.m / part});
    add_block({tile.n / part, tile.m});
  }
  add_block({32, 8});
  add_block({16, 16});
  add_block({8, 32});
  return blocks;
}

std::vector<std::vector<std::string>> grids_for(const Tile& tile, const Block& block,
                                                const GeometryInput& input) {
  const std::string rows = fmt::format("ceil_div(m, {})", tile.m);
  const std::string columns = fmt::format("ceil_div(n, {})", tile.n);
  const std::string last = input.has_batch ? "batch" : "4";
  const bool further = input.has_batch || input.has_splits;
  switch (input.usage.block_axes) {
    case 1:
      return {{rows + " * " + columns},
              {fmt::format("ceil_div(m * n, {})", threads_in(block))},
              {fmt::format("ceil_div(m, {})", tile.m)},
              {fmt::format("ceil_div(n, {})", tile.n)},
              {"m"}};
    case 2:
      if (further) return {{rows + " * " + columns, last}, {columns, rows}, {rows, columns}};
      return {{columns, rows}, {rows, columns}};
    default:
      return {{columns, rows, last}, {rows, columns, last}};
  }
}

std::vector<std::string> texts_of(const Block& block) {
  std::vector<std::string> texts;
  for (const std::int64_t extent : block) texts.push_back(std::to_string(extent));
  return texts;
}

}  // namespace

std::optional<Geometry> geometry_of_launch(const KernelLaunch& launch, const HostScope& scope) {
  if (launch.configuration.size() < 2) return std::nullopt;
  const std::vector<HostValue> grid = scope.extents(launch.configuration[0]);
  const std::vector<HostValue> block = scope.extents(launch.configuration[1]);
  Geometry geometry;
  const auto texts = [](const std::vector<HostValue>& values) -> std::vector<std::string> {
    std::vector<std::string> found;
    for (const HostValue& value : values) {
      if (!value) return {};
      found.push_back(to_text(*value));
    }
    while (found.size() > 1 && found.back() == "1") found.pop_back();
    return found;
  };
  geometry.grid = texts(grid);
  geometry.block = texts(block);
  if (launch.configuration.size() > 2) {
    const HostValue shared = scope.value(launch.configuration[2]);
    const bool is_none = !shared || (shared->is_number() && shared->number == 0);
    if (!is_none) geometry.shared = to_text(*shared);
  }
  if (geometry.grid.empty() && geometry.block.empty() && geometry.shared.empty()) {
    return std::nullopt;
  }
  return geometry;
}

std::vector<Geometry> guess_geometry(const GeometryInput& input) {
  Constants constants = constants_of(input);
  const bool no_tile =
      constants.tile.empty() && constants.tile_m.empty() && constants.tile_n.empty();
  if (no_tile && !input.usage.block_size) constants = constants_anywhere(input.scope);
  std::vector<std::pair<std::size_t, Geometry>> ranked;
  const std::vector<Tile> tiles = tiles_of(constants, input.usage.block_size);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const std::vector<Block> blocks = blocks_for(tiles[t], input.usage, constants);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto grids = grids_for(tiles[t], blocks[b], input);
      for (std::size_t g = 0; g < grids.size(); ++g) {
        ranked.emplace_back(2 * t + b + 2 * g,
                            Geometry{texts_of(blocks[b]), grids[g], tiles[t].m, tiles[t].n});
      }
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<Geometry> guesses;
  for (auto& [rank, geometry] : ranked) guesses.push_back(std::move(geometry));
  return guesses;
}

}  // namespace warpcheck::workflows::init
