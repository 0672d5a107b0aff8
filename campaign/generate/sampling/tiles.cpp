#include "campaign/generate/sampling/tiles.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/text/characters.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"

namespace warpcheck::campaign::generate {
namespace {

using SizeSet = std::set<std::int64_t>;

constexpr std::int64_t kSmallest = 2;
constexpr std::int64_t kLargest = 512;
constexpr std::int64_t kMostTile = 128;  // largest tile of an output, unless the grid shows it
constexpr std::int64_t kMostStep = 32;   // largest step of sums, unless `requires` shows it
constexpr std::int64_t kMostStages = 8;
constexpr std::int64_t kMostGrowth = 1 << 14;
constexpr std::int64_t kOtherExtents = 4096;
constexpr std::int64_t kMostPeriod = 2048;

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
    if (is_digit(c)) {
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
                      const std::vector<std::string>& names) {
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      for (const std::string& name : names) add_literals(sizes, conjunct, name);
    }
  }
}

std::vector<std::int64_t> sorted(const SizeSet& sizes) { return {sizes.begin(), sizes.end()}; }

/// Returns the least size above `from` for which the blocks exceed those of `from`; 0 if there is
/// none up to kMostGrowth. The number of blocks does not decrease.
std::int64_t next_growth(const std::function<std::int64_t(std::int64_t)>& blocks,
                         std::int64_t from) {
  const std::int64_t least = blocks(from);
  std::int64_t distance = 1;
  while (blocks(from + distance) <= least) {
    distance *= 2;
    if (distance > kMostGrowth) return 0;
  }
  std::int64_t same = from + distance / 2;
  std::int64_t more = from + distance;
  while (more - same > 1) {
    const std::int64_t middle = same + (more - same) / 2;
    (blocks(middle) > least ? more : same) = middle;
  }
  return more;
}

/// Returns the distance between the first two sizes at which an axis has more blocks; 0 if it does
/// not depend on the extent.
std::int64_t step_of(const contract::Contract& contract, const contract::Expression& axis,
                     const CaseField& extent) {
  if (!axis.names().contains(extent.name)) return 0;
  const CaseSchema schema = case_schema(contract);
  // A grid of one block per 256 elements has a step of 1 if the other extents are large. If they
  // are small, it grows although its number of blocks is limited.
  for (const std::int64_t others : {kOtherExtents, std::int64_t{1}}) {
    Case problem;
    schema.set_extents(problem, others);
    const auto blocks = [&](std::int64_t size) {
      extent.set(problem, size);
      return axis.evaluate(bindings(contract, problem)).value_or(0);
    };
    const std::int64_t first = next_growth(blocks, 1);
    if (first == 0) continue;
    if (const std::int64_t second = next_growth(blocks, first); second != 0) return second - first;
    return blocks(1) > 0 ? first - 1 : first;
  }
  return 0;
}

std::int64_t largest_up_to(const std::vector<std::int64_t>& tiles, std::int64_t most) {
  std::int64_t largest = tiles.front();
  for (const std::int64_t tile : tiles) {
    if (tile <= most) largest = std::max(largest, tile);
  }
  return largest;
}

/// A period of sums below 8 is that of vector accesses rather than of the loop.
std::int64_t step_of_sums(const std::vector<std::int64_t>& sizes, std::int64_t period) {
  constexpr std::int64_t kLeastStep = 8;
  if (period >= kLeastStep) return period;
  std::int64_t step = 0;
  for (const std::int64_t size : sizes) {
    if (size <= kMostStep && size % period == 0) step = std::max(step, size);
  }
  return step == 0 ? largest_up_to(sizes, kMostStep) : step;
}

/// Returns the template arguments of the kernels that are numbers: 4 of "tiled<E4m3, 4>".
SizeSet template_numbers(const contract::Contract& contract) {
  SizeSet numbers;
  for (const contract::LaunchStep& step : contract.launches) {
    const std::string_view name = step.kernel;
    std::size_t begin = std::min(name.find('<'), name.size());
    for (std::size_t end = begin; begin < name.size(); begin = end + 1) {
      end = begin;
      while (end < name.size() && is_identifier_character(name[end])) ++end;
      const std::string_view word = name.substr(begin, end - begin);
      if (!word.empty() && is_digit(word.front())) {
        add_all(numbers, numbers_in(word));
      }
    }
  }
  return numbers;
}

/// The number of blocks of all launches; empty if an axis of a grid has no value.
std::optional<std::int64_t> blocks(const contract::Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  std::int64_t all = 0;
  for (const contract::LaunchStep& step : contract.launches) {
    if (!applies(contract, step, problem)) continue;
    std::int64_t launch_blocks = 1;
    for (const contract::Expression& axis : step.grid) {
      const auto value = axis.evaluate(names);
      if (!value) return std::nullopt;
      launch_blocks *= *value;
    }
    all += launch_blocks;
  }
  return all;
}

/// The sizes of loops over sums.
SizeSet loop_sizes(const contract::Contract& contract, const SizeSet& grid) {
  SizeSet sizes{4, 8, 16};
  add_all(sizes, grid);
  for (const contract::LaunchStep& step : contract.launches) {
    add_all(sizes, numbers_in(step.kernel));
    for (const contract::Expression& extent : step.block) add_all(sizes, extent.literals());
  }
  return sizes;
}

/// The extent, and the strides of operands whose lines it may be a part of.
std::vector<std::string> names_of(const CaseSchema& schema, const CaseField& extent) {
  std::vector<std::string> names = {extent.name};
  for (const OperandShape& operand : schema.operands) {
    if (!extent.is_reduced || operand.dimensions.size() < 2) continue;
    const auto is_dimension = [&](const contract::Expression& dimension) {
      return dimension.names().contains(extent.name);
    };
    if (std::any_of(operand.dimensions.begin(), operand.dimensions.end(), is_dimension)) {
      for (const OperandShape::Stride& stride : operand.strides) {
        if (stride.within == 1) names.push_back(stride.name);
      }
    }
  }
  return names;
}

/// Returns true if the grid is proportional to the extent, as long as the others are 1: each index
/// has blocks of its own, as those of "heads" in the grid ["ceil_div(length, 32)", "heads"].
bool has_blocks_of_its_own(const contract::Contract& contract, const CaseField& extent) {
  const auto blocks_with = [&](std::int64_t size) {
    Case problem;
    problem.variant = contract.name;
    extent.set(problem, size);
    return blocks(contract, normalized(contract, problem));
  };
  const auto blocks_with_one = blocks_with(1);
  return blocks_with_one && *blocks_with_one > 0 && blocks_with(2) == 2 * *blocks_with_one &&
         blocks_with(3) == 3 * *blocks_with_one;
}

void choose_tile(const contract::Contract& contract, const CaseField& extent, ExtentTiles& found) {
  found.period = domain_period(contract, extent);
  if (extent.is_reduced) {
    found.tile = step_of_sums(found.sizes, found.period);
    return;
  }
  const std::int64_t step = grid_step(contract, extent);
  found.tile = step > 1                                  ? step
               : found.period > 1                        ? found.period
               : has_blocks_of_its_own(contract, extent) ? 1
                                                         : largest_up_to(found.sizes, kMostTile);
}

}  // namespace

std::int64_t grid_step(const contract::Contract& contract, const CaseField& extent) {
  std::int64_t found = 0;
  for (const contract::LaunchStep& launch : contract.launches) {
    for (const contract::Expression& axis : launch.grid) {
      if (found <= 1) found = std::max(found, step_of(contract, axis, extent));
    }
  }
  return found;
}

std::int64_t domain_period(const contract::Contract& contract, const CaseField& extent) {
  std::vector<contract::Expression> alone;
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.names() == std::set<std::string>{extent.name}) alone.push_back(conjunct);
    }
  }
  if (alone.empty()) return 1;
  Case problem;
  const contract::Bindings names = bindings(contract, problem);
  std::int64_t period = 0;
  std::optional<std::int64_t> last;
  for (std::int64_t size = 0; size <= kMostPeriod && period != 1; ++size) {
    extent.set(problem, size);
    const bool admitted =
        std::all_of(alone.begin(), alone.end(), [&](const contract::Expression& conjunct) {
          return conjunct.evaluate(names).value_or(0) != 0;
        });
    if (!admitted) continue;
    if (last) period = std::gcd(period, size - *last);
    last = size;
  }
  return std::max<std::int64_t>(period, 1);
}

std::vector<std::size_t> block_extents_of(const contract::Contract& contract,
                                          const CaseSchema& schema) {
  const std::vector<std::size_t> all = schema.fields_of_kind(CaseField::Kind::extent);
  std::vector<std::size_t> found = all;
  std::erase_if(found, [&](std::size_t extent) {
    return has_blocks_of_its_own(contract, schema.fields[extent]);
  });
  return found.empty() ? all : found;
}

Tiles tiles(const contract::Contract& contract) {
  const CaseSchema schema = case_schema(contract);
  SizeSet grid;
  for (const CaseField& field : schema.fields) {
    if (field.is_output_extent()) add_all(grid, from_grid(contract, field.name));
  }
  const SizeSet loops = loop_sizes(contract, grid);
  Tiles found;
  found.split_k = contract.split_k;
  for (const CaseField& field : schema.fields) {
    if (field.kind != CaseField::Kind::extent) continue;
    SizeSet sizes = field.is_reduced ? SizeSet() : from_grid(contract, field.name);
    if (sizes.empty()) sizes = loops;
    add_requirements(sizes, contract, names_of(schema, field));
    if (field.is_reduced) {
      for (const std::int64_t step : sorted(sizes)) add(sizes, step * contract.split_k);
    }
    ExtentTiles& tiles = found.extents.emplace_back();
    tiles.sizes = sorted(sizes);
    choose_tile(contract, field, tiles);
  }
  for (const std::int64_t number : template_numbers(contract)) {
    if (number <= kMostStages) found.stages.push_back(number);
  }
  return found;
}

}  // namespace warpcheck::campaign::generate
