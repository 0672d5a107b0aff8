#include "device/virtual/machine/family/grid_family.hpp"

#include <algorithm>
#include <iterator>

namespace warpcheck::machine {

Dim3 place_in_extent(const Dim3& extent, std::uint64_t number) {
  return {static_cast<unsigned>(number % extent.x),
          static_cast<unsigned>(number / extent.x % extent.y),
          static_cast<unsigned>(number / extent.x / extent.y)};
}

std::size_t GridFamily::add(Grid grid) {
  grids_.push_back(std::move(grid));
  return grids_.size() - 1;
}

const Grid& GridFamily::grid_of(std::uint32_t block) const {
  const auto after = std::upper_bound(
      grids_.begin(), grids_.end(), block,
      [](std::uint32_t number, const Grid& grid) { return number < grid.first_block; });
  return *std::prev(after);
}

bool GridFamily::descends(const Grid& grid, const Grid& ancestor) const {
  for (const Grid* at = &grid; at->parent; at = &grids_[*at->parent]) {
    if (&grids_[*at->parent] == &ancestor) return true;
  }
  return false;
}

void GridFamily::add_buffer(std::uint64_t address, GridRequest request) {
  buffers_[address] = request;
}

std::optional<GridRequest> GridFamily::take_buffer(std::uint64_t address) {
  const auto found = buffers_.find(address);
  if (found == buffers_.end()) return std::nullopt;
  const GridRequest request = found->second;
  buffers_.erase(found);
  return request;
}

std::vector<std::uint64_t> GridFamily::take_buffers() {
  std::vector<std::uint64_t> addresses;
  for (const auto& [address, request] : buffers_) addresses.push_back(address);
  std::sort(addresses.begin(), addresses.end());
  buffers_.clear();
  return addresses;
}

}  // namespace warpcheck::machine
