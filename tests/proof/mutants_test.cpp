// Defects in the PTX of built-in variants: a property that is proved of a mutant holds in every
// case that is run. WARPCHECK_MUTANTS=N plants N defects in each variant, 0 all of them;
// WARPCHECK_VARIANTS=softmax chooses the variants whose names begin so, and WARPCHECK_SEED=N other
// defects and cases.
#include "workflows/mutate/operators/mutants.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/hash.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/replay.hpp"
#include "contract/compile/prebuilt.hpp"
#include "device/virtual/virtual_device.hpp"
#include "proof/proof.hpp"
#include "ptx/analysis/registers.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/proof/environment.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::proof {
namespace {

using contract::Variant;
using workflows::mutate::operators::Mutant;

constexpr std::int64_t kCases = 10;
constexpr std::int64_t kLargestExtent = 150;
constexpr std::size_t kMostContradictions = 5;

/// A defect: the mutated PTX, and what was changed.
struct Defect {
  std::string ptx;
  std::string change;
};

Variant with_ptx(const Variant& variant, std::string ptx) {
  Variant changed = variant;
  auto compiled = std::make_shared<contract::Compiled>(*variant.compiled);
  compiled->ptx = std::move(ptx);
  changed.compiled = std::move(compiled);
  return changed;
}

/// Replacements of one instruction that `warpcheck mutate` does not plant: another axis of the
/// thread or block, constants of twice the size, products of 32 bits.
std::vector<ptx::Instruction> more_replacements(const ptx::Instruction& instruction) {
  std::vector<ptx::Instruction> all;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    if (const auto* special = ptx::analysis::operand<ptx::SpecialRegister>(instruction, i)) {
      const std::size_t dot = special->name.find('.');
      if (dot == std::string::npos) continue;
      const std::string axis = special->name.substr(dot) == ".x" ? ".y" : ".x";
      const std::string base = special->name.substr(0, dot);
      for (const std::string& name : {base + axis, (base == "tid" ? "ctaid" : "tid") + axis}) {
        all.emplace_back(instruction).operands[i] = ptx::SpecialRegister{name};
      }
    }
    const auto* const number = ptx::analysis::operand<ptx::Integer>(instruction, i);
    constexpr std::array kChanged = {"add", "mul", "mad", "shl", "setp", "and"};
    const auto is_changed = [&](const char* name) {
      return ptx::analysis::has_mnemonic(instruction, {name});
    };
    if (number == nullptr || std::none_of(kChanged.begin(), kChanged.end(), is_changed)) continue;
    for (const std::uint64_t changed : {2 * number->bits, std::uint64_t{0}}) {
      if (changed == number->bits) continue;
      all.emplace_back(instruction).operands[i] = ptx::Integer{changed, number->is_unsigned};
    }
  }
  return all;
}

/// The defects of a kernel, those of `warpcheck mutate` and more.
std::vector<Defect> defects(const ptx::Module& module, const std::string& entry, std::size_t most,
                            std::uint64_t seed) {
  namespace operators = workflows::mutate::operators;
  std::vector<Mutant> all = operators::mutants(module, std::vector<std::string>{entry});
  std::erase_if(all, [](const Mutant& mutant) {
    return mutant.planted->name == "rounding-changed" || mutant.planted->name == "fma-to-mul";
  });
  const auto function = std::find_if(module.functions.begin(), module.functions.end(),
                                     [&](const auto& one) { return one.name == entry; });
  std::vector<Mutant> more;
  for (std::size_t i = 0; i < function->body.size(); ++i) {
    for (ptx::Instruction& instead : more_replacements(function->body[i])) {
      more.push_back({nullptr, static_cast<std::size_t>(function - module.functions.begin()), i,
                      std::move(instead)});
    }
  }
  std::stable_sort(more.begin(), more.end(), [&](const Mutant& one, const Mutant& other) {
    return mixed(seed, one.instruction) < mixed(seed, other.instruction);
  });
  if (most > 0) {
    all = operators::sample(all, most - most / 4, seed);
    more.resize(std::min(more.size(), most - all.size()));
  }
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Defect> found;
  for (const Mutant& mutant : all) {
    const ptx::Function& owner = module.functions[mutant.function];
    found.push_back(
        {ptx::to_text(operators::mutated(module, mutant)),
         fmt::format("{} -> {}", ptx::to_text(module, owner, owner.body[mutant.instruction]),
                     operators::text_after(module, mutant))});
  }
  return found;
}

/// The class of a finding, and whether it is a race of two writes to an output.
using FoundKind = std::pair<FindingClass, bool>;

/// The findings of a variant's cases, with a case of each kind.
std::map<FoundKind, std::string> findings(const Variant& variant, const Variant& mutant,
                                          std::uint64_t seed) {
  const auto device = device::make_virtual_device();
  const campaign::generate::CaseGenerator generator(variant,
                                                    {.seed = seed, .max_size = kLargestExtent});
  campaign::Listener listener;
  std::map<FoundKind, std::string> found;
  for (std::int64_t i = 0; i < kCases; ++i) {
    const campaign::Case problem = generator.draw(i).problem;
    const auto run = campaign::replay(mutant, problem, *device, listener, {true, true});
    for (const auto& one : run.report.findings) {
      if (one.finding.grade == Grade::declared_alignment) continue;
      const bool writes_twice =
          workflows::prove::violates(Property::written_once, one, variant.contract);
      found.emplace(FoundKind(one.finding.kind, writes_twice),
                    fmt::format("{}: {}", campaign::to_line(problem), one.finding.message));
    }
  }
  return found;
}

struct Counts {
  std::size_t proved = 0;
  std::size_t violated = 0;  // not proved, and a case violates it
  std::size_t unknown = 0;
};

struct Tally {
  std::map<Property, Counts> properties;
  std::set<Property> proved;  // those of a variant without a defect
  std::size_t mutants = 0;
  std::size_t contradictions = 0;
};

void attack(const Variant& variant, const Defect& defect, std::uint64_t seed, Tally& tally) {
  const Variant mutant = with_ptx(variant, defect.ptx);
  const std::clock_t started = std::clock();
  const Proof proof = prove(mutant, {.search_witnesses = false});
  const double seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  if (seconds > 60) {
    std::cout << fmt::format("{}: {:.0f} s of {}\n", variant.contract.name, seconds, defect.change);
  }
  ++tally.mutants;
  const auto found = findings(variant, mutant, seed);
  const bool all_end = std::ranges::any_of(proof.properties, [](const PropertyProof& one) {
    return one.property == Property::ends && one.is_proved;
  });
  for (const PropertyProof& one : proof.properties) {
    std::optional<std::string> violation;
    for (const auto& [found_kind, text] : found) {
      const auto& [kind, writes_twice] = found_kind;
      if (one.property == Property::written_once && !writes_twice) continue;
      if (one.property == Property::overflow) break;
      if (one.property == Property::barriers && !all_end) break;  // a thread may never arrive
      if (workflows::prove::violates(one.property, kind)) violation = text;
    }
    Counts& counts = tally.properties[one.property];
    ++(one.is_proved ? counts.proved : violation ? counts.violated : counts.unknown);
    if (!one.is_proved || !violation) continue;
    ++tally.contradictions;
    ADD_FAILURE() << variant.contract.name << ": " << defect.change << ": " << name(one.property)
                  << " is proved, but " << *violation;
  }
}

/// The variants of the environment, or some that are proved in a second.
std::vector<Variant> chosen_variants() {
  const char* const prefix = std::getenv("WARPCHECK_VARIANTS");
  constexpr std::array kQuick = {"sgemm_tiled8",
                                 "sgemm_padded",
                                 "sgemm_register_4x4_float4",
                                 "softmax_three_passes",
                                 "transpose_tiles",
                                 "scan_block_per_row",
                                 "gemv_warp_per_row",
                                 "reduction_thread_per_row"};
  return contract::builtin_matching([&](const std::string& name) {
           if (prefix != nullptr) return name.starts_with(prefix);
           return std::find(kQuick.begin(), kQuick.end(), name) != kQuick.end();
         })
      .variants;
}

TEST(Mutants, PropertiesThatAreProvedHoldInEachCase) {
  if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  const std::vector<Variant> variants = chosen_variants();
  if (variants.empty()) GTEST_SKIP() << "the build has no built-in variants";
  const std::uint64_t seed = test::number_from_environment("WARPCHECK_SEED", 1);
  const std::size_t most = test::number_from_environment("WARPCHECK_MUTANTS", 9);
  std::cout << "seed " << seed << '\n';
  Tally tally;
  for (const Variant& variant : variants) {
    if (variant.entries.size() != 1) continue;
    const ptx::Module module = ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file);
    const Proof proof = prove(variant, {.search_witnesses = false});
    const bool is_covered = std::any_of(proof.properties.begin(), proof.properties.end(),
                                        [](const PropertyProof& one) { return one.is_proved; });
    if (!is_covered) continue;
    for (const PropertyProof& one : proof.properties) {
      if (one.is_proved) tally.proved.insert(one.property);
    }
    const std::size_t before = tally.mutants;
    for (const Defect& defect : defects(module, variant.entries.front().name, most, seed)) {
      if (tally.contradictions == kMostContradictions) break;
      attack(variant, defect, seed, tally);
    }
    std::cout << fmt::format("{}: {} mutants\n", variant.contract.name, tally.mutants - before)
              << std::flush;
  }
  std::cout << fmt::format("{} mutants, {} contradictions\n", tally.mutants, tally.contradictions);
  for (const auto& [property, counts] : tally.properties) {
    std::cout << fmt::format("  {}: {} proved, {} violated, {} unknown\n", name(property),
                             counts.proved, counts.violated, counts.unknown);
    if (!tally.proved.contains(property)) continue;
    EXPECT_GT(counts.proved, 0U) << name(property);
  }
}

}  // namespace
}  // namespace warpcheck::proof
