#include "workflows/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <mutex>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/checks/reference.hpp"
#include "campaign/replay.hpp"
#include "campaign/run/source.hpp"
#include "contract/cache_folder.hpp"
#include "workflows/prove/proof_cache.hpp"
#include "workflows/prove/sufficient_conditions.hpp"

namespace warpcheck::workflows::prove {
namespace {

using campaign::Case;
using contract::Variant;
using proof::Property;

/// The multiply-adds of the largest case that is replayed: about a second.
constexpr std::int64_t kMostWork = std::int64_t{1} << 26;
/// The size of its largest operand.
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

/// The case of a witness: the fields that the witness does not name have their defaults.
Case case_of(const Variant& variant, const proof::Witness& witness) {
  Case problem;
  problem.variant = variant.contract.name;
  for (const campaign::CaseField& field : campaign::case_fields(variant.contract)) {
    using Kind = campaign::CaseField::Kind;
    if (!field.is_taken) continue;
    const auto size = witness.sizes.find(field.name);
    if (size != witness.sizes.end()) {
      field.set(problem, size->second);
    } else if (field.kind == Kind::offset) {
      const std::string operand = field.name.substr(std::string("off_").size());
      const auto offset = witness.offsets.find(operand);
      const bool is_updated = offset == witness.offsets.end() && operand == "c";
      const auto result = is_updated ? witness.offsets.find("d") : offset;
      field.set(problem, result == witness.offsets.end() ? 0 : result->second);
    } else if (field.name == "beta") {
      field.set(problem, witness.beta_is_zero ? 0 : 1);
    } else {
      field.set_number(problem, field.default_number);
    }
  }
  return campaign::normalized(variant.contract, problem);
}

bool is_small(const Variant& variant, const Case& problem) {
  const auto work =
      campaign::case_schema(variant.contract).work.evaluate(bindings(variant.contract, problem));
  return work && *work <= kMostWork &&
         campaign::can_be_laid_out(variant.contract, problem, kMostBytes);
}

/// The variant whose cases are replayed: values are judged only if the contract defines them.
Variant replayable(const Variant& variant) {
  Variant result = variant;
  campaign::checks::accept_all_values(result.contract);
  return result;
}

/// The finding that the case has; empty if it has none of the property, or cannot be run.
std::optional<campaign::FindingReport> replayed(const Variant& variant, Property property,
                                                const Case& problem, device::Device& device,
                                                campaign::Listener& listener) {
  if (campaign::violated(variant.contract, problem) || !is_small(variant, problem)) return {};
  try {
    const campaign::ReplayReport run = campaign::replay(variant, problem, device, listener);
    for (const campaign::FindingReport& found : run.report.findings) {
      if (violates(property, found, variant.contract)) return found;
    }
  } catch (const InputError&) {
    return {};  // too large to lay out
  }
  return {};
}

struct FoundProof {
  proof::Proof proof;
  bool is_cached = false;
};

FoundProof prove_or_find(const Variant& variant, const ProveSettings& settings,
                         const ProofCache& cache) {
  const proof::ProveOptions& options = settings.options;
  const bool use_cache = settings.use_cache && options.query_folder.empty();
  const std::string key = use_cache ? cache_key(variant, settings) : "";
  if (!key.empty()) {
    if (auto known = cache.find(key)) return {std::move(*known), true};
  }
  FoundProof found{proof::prove(variant, options)};
  if (settings.search_conditions) find_sufficient_conditions(variant, found.proof);
  if (!key.empty()) cache.store(key, found.proof);
  return found;
}

/// Runs the witnesses of the properties that are not proved.
VariantResult result_of(const Variant& variant, FoundProof found, device::Device& device,
                        campaign::Listener& listener) {
  VariantResult result{
      variant.contract.name, proof::ptx_hash(variant), {}, found.proof.queries, found.is_cached};
  const Variant replayed_variant = replayable(variant);
  for (proof::PropertyProof& one : found.proof.properties) {
    PropertyResult& property = result.properties.emplace_back(PropertyResult{std::move(one)});
    for (const proof::Witness& witness : property.proof.witnesses) {
      property.refutation = replayed(replayed_variant, property.proof.property,
                                     case_of(variant, witness), device, listener);
      if (property.refutation) break;
    }
    if (property.status() != Status::unknown) continue;
    const Location& where = property.proof.where;
    SourcePlace place;
    place.file = where.file;
    place.line = where.line;
    property.excerpt = campaign::run::excerpt(variant, place);
  }
  return result;
}

/// Two threads write an element of an output.
bool races_in_output(const Finding& finding, const contract::Contract& contract) {
  if (!finding.memory || !finding.memory->write || !finding.other || !finding.other->write) {
    return false;
  }
  const campaign::CaseSchema schema = campaign::case_schema(contract);
  return std::ranges::any_of(schema.operands, [&](const campaign::OperandShape& operand) {
    return operand.is_output && operand.name == finding.memory->name;
  });
}

}  // namespace

bool violates(Property property, FindingClass kind) {
  const auto is_one_of = [&](std::initializer_list<FindingClass> classes) {
    return std::find(classes.begin(), classes.end(), kind) != classes.end();
  };
  switch (property) {
    case Property::overflow:
      return true;  // an index that wraps has any consequence
    case Property::bounds:
      return is_one_of({FindingClass::out_of_bounds, FindingClass::guard_overwritten});
    case Property::alignment:
      return kind == FindingClass::misaligned;
    case Property::barriers:
      return is_one_of({FindingClass::barrier_divergence, FindingClass::deadlock});
    case Property::races:
    case Property::written_once:
      return kind == FindingClass::race;
    case Property::initialized:
      return kind == FindingClass::uninitialized_read;
    case Property::covered:
    case Property::zero_beta:
      return false;  // a wrong result may have another reason
    case Property::ends:
      return is_one_of({FindingClass::timeout, FindingClass::deadlock});
  }
  return false;
}

bool violates(Property property, const campaign::FindingReport& report,
              const contract::Contract& contract) {
  using campaign::judge::CauseKind;
  const bool is_wrong = report.finding.kind == FindingClass::wrong_result;
  const CauseKind cause = report.diagnosis.cause.kind;
  if (property == Property::covered) return is_wrong && cause == CauseKind::unwritten;
  if (property == Property::zero_beta) {
    return is_wrong && (cause == CauseKind::nan_in_c || cause == CauseKind::c_despite_zero_beta);
  }
  const bool is_possible = violates(property, report.finding.kind);
  return is_possible &&
         (property != Property::written_once || races_in_output(report.finding, contract));
}

std::string_view name(Status status) {
  switch (status) {
    case Status::proved:
      return "proved";
    case Status::refuted:
      return "refuted";
    case Status::unknown:
      return "unknown";
  }
  return "";
}

std::size_t VariantResult::count(Status status) const {
  return static_cast<std::size_t>(
      std::ranges::count(properties, status, [](const auto& one) { return one.status(); }));
}

void prove_variants(std::span<const Variant> variants, const ProveSettings& settings,
                    device::Device& device, campaign::Listener& listener, const Proved& proved) {
  const ProofCache cache(contract::cache_folder() / "proofs");
  std::vector<std::optional<FoundProof>> proofs(variants.size());
  const auto find = [&](std::size_t index) -> std::optional<FoundProof> {
    try {
      return prove_or_find(variants[index], settings, cache);
    } catch (const Interrupted&) {
      return std::nullopt;
    }
  };
  std::mutex mutex;  // guards `proofs` and `next`; results are reported under it, in order
  std::size_t next = 0;
  parallel_for(
      variants.size(), settings.jobs,
      [&](std::size_t index) {
        std::optional<FoundProof> found = find(index);
        const std::lock_guard lock(mutex);
        proofs[index] = std::move(found);
        for (; next < proofs.size() && proofs[next]; ++next) {
          proved(next, result_of(variants[next], std::move(*proofs[next]), device, listener));
        }
      },
      is_interrupted);
}

void add_refutations(const VariantResult& result, campaign::Regressions& regressions) {
  std::vector<campaign::Regression>& cases = regressions[result.variant];
  for (const PropertyResult& property : result.properties) {
    if (!property.refutation) continue;
    const campaign::Case& problem = property.refutation->smallest;
    const bool is_known = std::ranges::any_of(
        cases, [&](const auto& known) { return to_line(known.problem) == to_line(problem); });
    if (is_known) continue;
    cases.push_back(
        {problem, fmt::format("a case that refutes {}", name(property.proof.property))});
  }
}

}  // namespace warpcheck::workflows::prove
