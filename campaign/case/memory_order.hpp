// The order of a tensor's dimensions in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpcheck::campaign {

/// The orders that the strides of a kernel allow. Each is the numbers of the dimensions, that with
/// the longest stride first. A case states it as decimal digits: "0213" of the four dimensions of a
/// tensor of batches, heads, rows and columns whose heads lie within a row.
struct MemoryOrders {
  std::size_t dimensions = 0;
  std::size_t permuted = 0;  // so many dimensions change places; those behind them are contiguous

  /// The number of orders. The first one is that of the dimensions.
  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] std::vector<std::size_t> order(std::int64_t number) const;
  [[nodiscard]] double digits(std::int64_t number) const;
  /// Empty if the digits are no order.
  [[nodiscard]] std::optional<std::int64_t> number_of(double digits) const;
};

}  // namespace warpcheck::campaign
