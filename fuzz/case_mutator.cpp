// Generates the cases of the target `case` as a campaign does, and mutates them as `warpcheck
// fuzz`.
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/shrink/cases_of.hpp"
#include "fuzz/checked_variants.hpp"
#include "fuzz/target.hpp"
#include "properties/law.hpp"
#include "workflows/fuzz/mutator.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed);

namespace {

using namespace warpcheck;
using campaign::Case;
using campaign::generate::Rng;

std::vector<std::string> properties_of(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const properties::Law& law : properties::laws()) {
    if (law.applies(contract)) names.emplace_back(law.name);
  }
  return names;
}

struct Target {
  explicit Target(const contract::Variant& variant)
      : name(variant.contract.name),
        properties(properties_of(variant.contract)),
        generated(campaign::shrink::cases_of(variant, {.max_size = 48})),
        mutator(variant.contract, workflows::fuzz::literals_of(variant), properties, {}) {}

  std::string name;
  std::vector<std::string> properties;
  rc::Gen<Case> generated;
  workflows::fuzz::Mutator mutator;
};

/// Makes the target of a variant when it is needed first.
const Target& target_of(const contract::Variant& variant) {
  static std::map<const contract::Variant*, std::unique_ptr<Target>> targets;
  std::unique_ptr<Target>& target = targets[&variant];
  if (!target) target = std::make_unique<Target>(variant);
  return *target;
}

/// The case of the input, changed; empty if the input is no case, or the change leads to none.
std::optional<Case> mutated(std::string_view text, Rng& random) {
  try {
    const Case parent = campaign::parse_case(text, "input");
    for (const contract::Variant& variant : fuzz::checked_variants()) {
      if (variant.contract.name != parent.variant) continue;
      const Target& target = target_of(variant);
      return target.mutator.mutated(parent, random(target.generated), random);
    }
  } catch (const InputError&) {
  }
  return std::nullopt;
}

Case generated(Rng& random) {
  const Target& target = target_of(random.of(fuzz::checked_variants()));
  Case problem = random(target.generated);
  problem.property = random.of(target.properties);
  return problem;
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t limit,
                                    unsigned seed) {
  Rng random(seed);
  std::optional<Case> next;
  if (!random.one_in(8)) next = mutated(fuzz::text_of(data, size), random);
  const std::string line = to_line(next ? *next : generated(random));
  if (line.size() > limit) return size;
  std::memcpy(data, line.data(), line.size());
  return line.size();
}
