#include "workflows/prove/prove.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/replay.hpp"

namespace warpcheck::workflows::prove {
namespace {

using campaign::Case;
using contract::Variant;
using proof::Property;

/// The multiply-adds of the largest case that is replayed: about a second.
constexpr std::int64_t kMostWork = std::int64_t{1} << 26;

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
      field.set_number(problem, field.default_number());
    }
  }
  return campaign::normalized(variant.contract, problem);
}

bool is_small(const Variant& variant, const Case& problem) {
  const auto work =
      campaign::case_schema(variant.contract).work.evaluate(bindings(variant.contract, problem));
  return work && *work <= kMostWork;
}

/// The finding that the case has; empty if it has none of the property, or cannot be run.
std::optional<Refutation> replayed(const Variant& variant, Property property, const Case& problem,
                                   device::Device& device, campaign::Listener& listener) {
  if (campaign::violated(variant.contract, problem) || !is_small(variant, problem)) return {};
  try {
    const campaign::ReplayReport run = campaign::replay(variant, problem, device, listener);
    for (const campaign::FindingReport& found : run.report.findings) {
      if (violates(property, found)) return Refutation{problem, found.finding};
    }
  } catch (const InputError&) {
    return {};  // too large to lay out
  }
  return {};
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
    case Property::covered:
    case Property::zero_beta:
      return false;  // a wrong result may have another reason
    case Property::ends:
      return is_one_of({FindingClass::timeout, FindingClass::deadlock});
  }
  return false;
}

bool violates(Property property, const campaign::FindingReport& report) {
  using campaign::judge::CauseKind;
  const bool is_wrong = report.finding.kind == FindingClass::wrong_result;
  const CauseKind cause = report.diagnosis.cause.kind;
  if (property == Property::covered) return is_wrong && cause == CauseKind::unwritten;
  if (property == Property::zero_beta) {
    return is_wrong && (cause == CauseKind::nan_in_c || cause == CauseKind::c_despite_zero_beta);
  }
  return violates(property, report.finding.kind);
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

VariantResult prove_variant(const Variant& variant, const proof::ProveOptions& options,
                            device::Device& device, campaign::Listener& listener) {
  proof::Proof proof = proof::prove(variant, options);
  VariantResult result{variant.contract.name, proof::ptx_hash(variant), {}, proof.queries};
  for (proof::PropertyProof& one : proof.properties) {
    PropertyResult& property = result.properties.emplace_back(PropertyResult{std::move(one)});
    for (const proof::Witness& witness : property.proof.witnesses) {
      property.refutation =
          replayed(variant, property.proof.property, case_of(variant, witness), device, listener);
      if (property.refutation) break;
    }
  }
  return result;
}

}  // namespace warpcheck::workflows::prove
