#include "workflows/init/operations/operation_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace warpcheck::workflows::init {
namespace {

std::string ceil_div(const std::string& extent, std::int64_t by) {
  return by == 1 ? extent : fmt::format("ceil_div({}, {})", extent, by);
}

void add_size(std::vector<std::int64_t>& values, std::int64_t value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

/// Threads of a block of one axis, the most likely number first.
std::vector<std::int64_t> block_sizes(const OperationKernel& kernel) {
  std::vector<std::int64_t> sizes;
  if (kernel.usage.most_threads) add_size(sizes, *kernel.usage.most_threads);
  for (const Token& token : kernel.body) {
    for (const std::int64_t size : {64, 128, 256, 512, 1024}) {
      if (token.is(std::to_string(size))) add_size(sizes, size);
    }
  }
  add_size(sizes, 256);
  if (!kernel.usage.block_size) add_size(sizes, 32);
  return sizes;
}

void add_geometries_of_one_axis(std::int64_t threads, const std::string& rows,
                                const std::string& columns, bool two_extents, unsigned block_axes,
                                std::vector<PossibleGeometry>& all) {
  const std::vector<std::string> block = {std::to_string(threads)};
  const auto add_grid = [&](std::vector<std::string> grid, std::int64_t per_thread = 1) {
    all.push_back({{block, std::move(grid)}, per_thread});
  };
  if (!two_extents) {
    for (const std::int64_t per_thread : {8, 4, 2, 1}) {
      add_grid({ceil_div(columns, per_thread * threads)}, per_thread);
    }
    add_grid({"1"});
    return;
  }
  if (block_axes > 1) {
    for (const std::int64_t per_thread : {8, 4, 2, 1}) {
      add_grid({ceil_div(columns, per_thread * threads), rows}, per_thread);
    }
    return;
  }
  add_grid({ceil_div(rows, threads)});
  add_grid({ceil_div(columns, threads)});
  if (threads > 32) add_grid({ceil_div(rows, threads / 32)});
  add_grid({rows});
  add_grid({columns});
  add_grid({ceil_div(rows + " * " + columns, threads)});
}

/// The geometries of a kernel whose grid is not known; `block`: the threads of a block, if they are
/// known. If there is one extent, both names are the same.
std::vector<PossibleGeometry> geometries_of(const OperationKernel& kernel,
                                            std::optional<std::int64_t> block,
                                            const std::string& rows, const std::string& columns,
                                            bool two_extents) {
  std::vector<PossibleGeometry> all;
  if (kernel.usage.thread_axes > 1 && two_extents) {
    constexpr std::array<std::array<int, 4>, 6> kBlocks = {{{32, 8, 32, 32},
                                                            {32, 32, 32, 32},
                                                            {16, 16, 16, 16},
                                                            {32, 8, 32, 8},
                                                            {32, 4, 32, 4},
                                                            {8, 8, 8, 8}}};
    for (const auto& [x, y, of_columns, of_rows] : kBlocks) {
      std::vector<std::string> grid;
      if (kernel.usage.block_axes > 1) grid.push_back(ceil_div(columns, of_columns));
      grid.push_back(ceil_div(rows, of_rows));
      all.push_back({{{std::to_string(x), std::to_string(y)}, std::move(grid)}});
    }
    return all;
  }
  for (const std::int64_t threads :
       block ? std::vector<std::int64_t>{*block} : block_sizes(kernel)) {
    add_geometries_of_one_axis(threads, rows, columns, two_extents, kernel.usage.block_axes, all);
  }
  return all;
}

}  // namespace

std::vector<PossibleGeometry> possible_geometries(const OperationKernel& kernel, const Roles& roles,
                                                  const std::vector<std::string>& extents) {
  std::optional<std::int64_t> block;
  if (kernel.launched) {
    std::vector<std::string> words(roles.names.size());
    for (const std::size_t one : roles.extents) words[one] = roles.names[one];
    const std::optional<Geometry> launched = kernel.launched(words);
    if (launched && !launched->block.empty() && !launched->grid.empty()) return {{*launched}};
    if (launched && launched->block.size() == 1) {
      const auto threads = std::strtoll(launched->block.front().c_str(), nullptr, 10);
      if (threads > 0) block = threads;
    }
  }
  return geometries_of(kernel, block, extents.front(), extents.back(), extents.size() > 1);
}

}  // namespace warpcheck::workflows::init
