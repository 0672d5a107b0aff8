#include "properties/generate/sampling/tiles.hpp"

#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>

namespace warpcheck::properties::generate {
namespace {

using SizeSet = std::set<std::int64_t>;

constexpr std::int64_t kSmallest = 2;
constexpr std::int64_t kLargest = 512;

void add(SizeSet& sizes, std::int64_t size) {
  if (size >= kSmallest && size <= kLargest) sizes.insert(size);
}

void add_all(SizeSet& sizes, const SizeSet& more) {
  for (const std::int64_t size : more) add(sizes, size);
}

/// Returns the whole numbers in a name: "sgemm<128, 8>" has 128 and 8.
SizeSet numbers_in(std::string_view name) {
  SizeSet numbers;
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

/// Adds the literals of an expression that contains `name`.
void add_literals(SizeSet& sizes, const contract::Expression& expression, const std::string& name) {
  if (expression.names().contains(name)) add_all(sizes, expression.literals());
}

SizeSet from_grid(const contract::Contract& contract, const std::string& name) {
  SizeSet sizes;
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Expression& axis : step.grid) add_literals(sizes, axis, name);
  }
  return sizes;
}

void add_requirements(SizeSet& sizes, const contract::Contract& contract,
                      std::initializer_list<const char*> names) {
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      for (const char* name : names) add_literals(sizes, conjunct, name);
    }
  }
}

std::vector<std::int64_t> sorted(const SizeSet& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

Tiles tiles(const contract::Contract& contract) {
  SizeSet m = from_grid(contract, "m");
  SizeSet n = from_grid(contract, "n");
  SizeSet k{4, 8, 16};
  add_all(k, m);
  add_all(k, n);
  for (const contract::LaunchStep& step : contract.launches) {
    add_all(k, numbers_in(step.kernel));
    for (const contract::Expression& extent : step.block) add_all(k, extent.literals());
  }
  if (m.empty()) m = k;
  if (n.empty()) n = k;
  add_requirements(m, contract, {"m"});
  add_requirements(n, contract, {"n"});
  add_requirements(k, contract, {"k", "lda", "ldb"});
  for (const std::int64_t step : sorted(k)) add(k, step * contract.split_k);
  return {sorted(m), sorted(n), sorted(k), contract.split_k};
}

}  // namespace warpcheck::properties::generate
