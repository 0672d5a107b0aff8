#include "campaign/generate/sampling/landmarks.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/diagnostic.hpp"
#include "campaign/generate/sampling/ptx_numbers.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::campaign::generate {
namespace {

using Numbers = std::set<std::int64_t>;

constexpr std::int64_t kMostOfContract = 1 << 17;
constexpr std::int64_t kMostOfPtx = 8192;
constexpr std::int64_t kMostContractNumber = 8192;
constexpr std::int64_t kUsualTiles = 3;  // numbers of tiles that each campaign has anyway

void add_literals_with(Numbers& numbers, const std::string& name,
                       const contract::Expression& expression) {
  if (expression.names().contains(name)) numbers.merge(expression.literals());
}

/// Literals of the launches, which may count elements or tiles.
Numbers literals_of_launches(const contract::Contract& contract, const std::string& name) {
  Numbers literals;
  for (const contract::LaunchStep& launch : contract.launches) {
    for (const contract::Expression& axis : launch.grid) add_literals_with(literals, name, axis);
    for (const contract::Expression& axis : launch.block) add_literals_with(literals, name, axis);
  }
  return literals;
}

/// Literals of `requires` and `when`, which count elements.
Numbers literals_of_domain(const contract::Contract& contract, const std::string& name) {
  Numbers literals;
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      add_literals_with(literals, name, conjunct);
    }
  }
  for (const contract::LaunchStep& launch : contract.launches) {
    if (launch.when) add_literals_with(literals, name, *launch.when);
  }
  return literals;
}

/// Appends the sizes that are neither too large nor ordinary.
void append_sizes(std::vector<std::int64_t>& sizes, const Numbers& more, std::int64_t tile,
                  std::int64_t most) {
  for (const std::int64_t size : more) {
    // A number within a tile is rather one of a thread's elements.
    const bool usual = size <= tile || (size % tile == 0 && size / tile <= kUsualTiles);
    if (usual || size > most || std::count(sizes.begin(), sizes.end(), size) > 0) continue;
    sizes.push_back(size);
  }
}

Numbers in_tiles(const Numbers& counts, std::int64_t tile) {
  Numbers sizes;
  for (const std::int64_t count : counts) {
    // The tile itself is a divisor in the grid and in `requires`.
    if (count > 0 && count != tile && count <= kMostOfContract) sizes.insert(count * tile);
  }
  return sizes;
}

std::vector<CaseField> extents_of(const CaseSchema& schema) {
  std::vector<CaseField> extents;
  for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
    extents.push_back(schema.fields[extent]);
  }
  return extents;
}

void append_ptx(Landmarks& landmarks, const contract::Variant& variant, const Tiles& tiles) {
  const ptx::Module module = ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file);
  const std::vector<CaseField> extents = extents_of(case_schema(variant.contract));
  std::vector<PtxNumbers> all(extents.size());
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const ptx::Function* kernel = module.find_function(variant.entries[i].name);
    if (kernel == nullptr || i >= variant.contract.launches.size()) continue;
    auto numbers = ptx_numbers(*kernel, variant.contract.launches[i], extents);
    for (std::size_t extent = 0; extent < extents.size(); ++extent) {
      all[extent].elements.merge(numbers[extent].elements);
      all[extent].tiles.merge(numbers[extent].tiles);
    }
  }
  for (std::size_t extent = 0; extent < extents.size(); ++extent) {
    const std::int64_t tile = tiles.extents.at(extent).tile;
    Numbers sizes = in_tiles(all[extent].tiles, tile);
    sizes.merge(all[extent].elements);
    append_sizes(landmarks.at(extent), sizes, tile, kMostOfPtx);
  }
}

}  // namespace

std::vector<std::int64_t> contract_numbers(const contract::Contract& contract) {
  Numbers found;
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Expression& axis : step.grid) found.merge(axis.literals());
    std::int64_t threads = 1;
    for (const contract::Expression& axis : step.block) {
      const Numbers literals = axis.literals();
      if (literals.size() == 1) threads *= *literals.begin();
      found.insert(literals.begin(), literals.end());
    }
    found.insert({threads, 4 * threads});  // a thread may handle vectors of four elements
    found.merge(step.shared.literals());
  }
  for (const contract::Expression& demand : contract.requires_) found.merge(demand.literals());
  std::erase_if(found,
                [](std::int64_t number) { return number < 2 || number > kMostContractNumber; });
  return {found.begin(), found.end()};
}

std::vector<std::vector<std::int64_t>> extent_sizes(const contract::Contract& contract,
                                                    const Tiles& tiles) {
  const std::vector<std::int64_t> numbers = contract_numbers(contract);
  std::vector<std::vector<std::int64_t>> sizes;
  for (const ExtentTiles& extent : tiles.extents) {
    Numbers all(numbers.begin(), numbers.end());
    all.insert(extent.sizes.begin(), extent.sizes.end());
    sizes.emplace_back(all.begin(), all.end());
  }
  return sizes;
}

Landmarks landmarks(const contract::Contract& contract, const Tiles& tiles) {
  const CaseSchema schema = case_schema(contract);
  const std::vector<std::int64_t> numbers = contract_numbers(contract);
  Landmarks found(tiles.extents.size());
  for (std::size_t extent = 0; extent < found.size(); ++extent) {
    const std::int64_t tile = tiles.extents.at(extent).tile;
    const std::string& name = schema.fields[extent].name;
    Numbers sizes = literals_of_launches(contract, name);
    sizes.merge(in_tiles(sizes, tile));
    sizes.merge(literals_of_domain(contract, name));
    if (!schema.works_in_tiles) sizes.insert(numbers.begin(), numbers.end());
    append_sizes(found.at(extent), sizes, tile,
                 schema.works_in_tiles ? kMostOfContract : kMostContractNumber);
  }
  return found;
}

Landmarks landmarks(const contract::Variant& variant, const Tiles& tiles) {
  Landmarks found = landmarks(variant.contract, tiles);
  if (!variant.compiled) return found;
  try {
    append_ptx(found, variant, tiles);
  } catch (const InputError&) {
    // The device reports errors in the PTX when it loads the module.
  }
  return found;
}

}  // namespace warpcheck::campaign::generate
