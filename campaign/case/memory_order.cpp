#include "campaign/case/memory_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpcheck::campaign {

std::int64_t MemoryOrders::count() const {
  std::int64_t count = 1;
  for (std::size_t i = 2; i <= permuted; ++i) count *= static_cast<std::int64_t>(i);
  return count;
}

std::vector<std::size_t> MemoryOrders::order(std::int64_t number) const {
  std::vector<std::size_t> rest(dimensions);
  std::iota(rest.begin(), rest.end(), 0);
  std::vector<std::size_t> order;
  std::int64_t count = this->count();  // the orders of the places that are left
  for (std::size_t left = permuted; left > 0; --left) {
    count /= static_cast<std::int64_t>(left);
    const auto chosen = rest.begin() + number / count;
    order.push_back(*chosen);
    rest.erase(chosen);
    number %= count;
  }
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

double MemoryOrders::digits(std::int64_t number) const {
  double digits = 0.0;
  for (const std::size_t dimension : order(number)) {
    digits = 10.0 * digits + static_cast<double>(dimension);
  }
  return digits;
}

std::optional<std::int64_t> MemoryOrders::number_of(double digits) const {
  const double unit = std::pow(10.0, static_cast<double>(dimensions) - 1.0);
  if (!(digits >= 0.0 && digits < 10.0 * unit)) return std::nullopt;
  std::vector<std::size_t> rest(dimensions);
  std::iota(rest.begin(), rest.end(), 0);
  std::int64_t number = 0;
  std::int64_t count = this->count();
  double left = digits;
  double place = unit;
  for (std::size_t i = permuted; i > 0; --i) {
    count /= static_cast<std::int64_t>(i);
    const auto dimension = static_cast<std::size_t>(left / place);
    const auto chosen = std::find(rest.begin(), rest.end(), dimension);
    if (chosen == rest.end()) return std::nullopt;
    number += (chosen - rest.begin()) * count;
    rest.erase(chosen);
    left -= place * static_cast<double>(dimension);
    place /= 10.0;
  }
  // Dimensions behind those that change places have one order.
  if (number >= this->count() || this->digits(number) != digits) return std::nullopt;
  return number;
}

}  // namespace warpcheck::campaign
