#include "properties/generate/tiles.hpp"

#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>

namespace warpcheck::properties {
namespace {

using Sizes = std::set<std::int64_t>;

constexpr std::int64_t kSmallest = 2;
constexpr std::int64_t kLargest = 512;

void add(Sizes& sizes, std::int64_t size) {
  if (size >= kSmallest && size <= kLargest) sizes.insert(size);
}

void add_all(Sizes& sizes, const Sizes& more) {
  for (const std::int64_t size : more) add(sizes, size);
}

/// The whole numbers in a name: "sgemm<128, 8>" has 128 and 8.
Sizes numbers_in(std::string_view name) {
  Sizes numbers;
  std::int64_t number = 0;
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number = number <= kLargest ? number * 10 + (c - '0') : number;
    } else {
      add(numbers, number);
      number = 0;
    }
  }
  add(numbers, number);
  return numbers;
}

/// Literals of the expressions that speak of `name`.
void add_literals(Sizes& sizes, const kernels::Expression& expression, const std::string& name) {
  if (expression.names().contains(name)) add_all(sizes, expression.literals());
}

Sizes from_grid(const kernels::Contract& contract, const std::string& name) {
  Sizes sizes;
  for (const kernels::LaunchStep& step : contract.launches) {
    for (const kernels::Expression& axis : step.grid) add_literals(sizes, axis, name);
  }
  return sizes;
}

void add_requirements(Sizes& sizes, const kernels::Contract& contract,
                      std::initializer_list<const char*> names) {
  for (const kernels::Expression& requirement : contract.requires_) {
    for (const kernels::Expression& conjunct : requirement.conjuncts()) {
      for (const char* name : names) add_literals(sizes, conjunct, name);
    }
  }
}

std::vector<std::int64_t> listed(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

Tiles tiles(const kernels::Contract& contract) {
  Sizes m = from_grid(contract, "m");
  Sizes n = from_grid(contract, "n");
  Sizes k{4, 8, 16};
  add_all(k, m);
  add_all(k, n);
  for (const kernels::LaunchStep& step : contract.launches) {
    add_all(k, numbers_in(step.kernel));
    for (const kernels::Expression& extent : step.block) add_all(k, extent.literals());
  }
  if (m.empty()) m = k;
  if (n.empty()) n = k;
  add_requirements(m, contract, {"m"});
  add_requirements(n, contract, {"n"});
  add_requirements(k, contract, {"k", "lda", "ldb"});
  for (const std::int64_t step : listed(k)) add(k, step * contract.split_k);
  return {listed(m), listed(n), listed(k), contract.split_k};
}

}  // namespace warpcheck::properties
