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

void add_geometries_of_one_axis(const OperationKernel& kernel, std::int64_t threads,
                                const std::string& rows, const std::string& columns,
                                bool two_extents, std::vector<PossibleGeometry>& all) {
  const std::vector<std::string> block = {std::to_string(threads)};
  const auto add_grid = [&](std::vector<std::string> grid, std::int64_t per_thread = 1) {
    all.push_back({{block, std::move(grid)}, per_thread});
  };
  if (!kernel.usage.block_index) return add_grid({"1"});
  if (!two_extents) {
    for (const std::int64_t per_thread : {8, 4, 2, 1}) {
      add_grid({ceil_div(columns, per_thread * threads)}, per_thread);
    }
    return;
  }
  if (kernel.usage.block_axes > 1) {
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
  if (kernel.usage.thread_axes > 1 && two_extents && kernel.usage.block_index) {
    constexpr std::array<std::array<int, 4>, 6> kBlocks = {{{32, 8, 32, 32},
                                                            {32, 32, 32, 32},
                                                            {16, 16, 16, 16},
                                                            {32, 8, 32, 8},
                                                            {32, 4, 32, 4},
                                                            {8, 8, 8, 8}}};
    for (const auto& [x, y, block_columns, block_rows] : kBlocks) {
      std::vector<std::string> grid;
      if (kernel.usage.block_axes > 1) grid.push_back(ceil_div(columns, block_columns));
      grid.push_back(ceil_div(rows, block_rows));
      all.push_back({{{std::to_string(x), std::to_string(y)}, std::move(grid)}});
    }
    return all;
  }
  for (const std::int64_t threads :
       block ? std::vector<std::int64_t>{*block} : block_sizes(kernel)) {
    add_geometries_of_one_axis(kernel, threads, rows, columns, two_extents, all);
  }
  return all;
}

/// The geometries with the dynamic shared memory that a kernel may need whose launch is not known:
/// for all small cases, or a row of four bytes each.
std::vector<PossibleGeometry> with_shared_memory(std::vector<PossibleGeometry> all,
                                                 const std::string& columns) {
  std::vector<PossibleGeometry> with_both;
  for (PossibleGeometry& one : all) {
    one.geometry.shared = "32768";
    with_both.push_back(one);
    one.geometry.shared = columns + " * 4";
    with_both.push_back(std::move(one));
  }
  return with_both;
}

}  // namespace

const std::string& columns_of(const std::vector<std::string>& extents) {
  return extents.size() > 1 ? extents[1] : extents.front();
}

std::vector<PossibleGeometry> possible_geometries(const OperationKernel& kernel, const Roles& roles,
                                                  const std::vector<std::string>& extents) {
  Geometry launched;
  if (kernel.launched) {
    std::vector<std::string> words(roles.names.size());
    for (const std::size_t one : roles.extents) words[one] = roles.names[one];
    launched = kernel.launched(words).value_or(Geometry());
  }
  std::vector<PossibleGeometry> all = {{launched}};
  if (launched.block.empty() || launched.grid.empty()) {
    std::optional<std::int64_t> block;
    if (launched.block.size() == 1) {
      const auto threads = std::strtoll(launched.block.front().c_str(), nullptr, 10);
      if (threads > 0) block = threads;
    }
    all = geometries_of(kernel, block, extents.front(), columns_of(extents), extents.size() > 1);
  }
  if (launched.shared.empty() && kernel.usage.dynamic_shared) {
    return with_shared_memory(std::move(all), columns_of(extents));
  }
  for (PossibleGeometry& one : all) one.geometry.shared = launched.shared;
  return all;
}

}  // namespace warpcheck::workflows::init
