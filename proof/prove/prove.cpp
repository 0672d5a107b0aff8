#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/content_hash.hpp"
#include "proof/lift/lift.hpp"
#include "proof/proof.hpp"
#include "proof/prove/kernel.hpp"
#include "proof/solve/integer_sets.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::proof {
namespace {

constexpr unsigned kMostChoices = 4;

/// Proofs of other variants may run on other threads.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Prover {
  Property property;
  Gaps (*prove)(const Kernel&);
  std::vector<Property> depends_on;  // a proof means nothing if one of these is not proved
};

/// In the order of the enumeration, so that each depends on earlier ones only.
const std::vector<Prover>& provers() {
  static const std::vector<Prover> all = {
      {Property::overflow, prove_overflow, {}},
      {Property::bounds, prove_bounds, {Property::overflow}},
      {Property::alignment, prove_alignment, {Property::overflow}},
      {Property::barriers, prove_barriers, {Property::overflow}},
      {Property::races, prove_races, {Property::overflow, Property::bounds, Property::barriers}},
      {Property::initialized,
       prove_initialized,
       {Property::overflow, Property::bounds, Property::barriers, Property::races}},
      {Property::written_once,
       prove_written_once,
       {Property::overflow, Property::bounds, Property::races}},
      {Property::covered, prove_covered, {Property::overflow, Property::bounds}},
      {Property::zero_beta, prove_zero_beta, {Property::overflow}},
      {Property::ends, prove_ends, {Property::overflow}},
  };
  return all;
}

/// Only a product with a factor of C has a property of that factor.
bool applies(Property property, const contract::Contract& contract) {
  if (property != Property::zero_beta) return true;
  return !contract.tensors && contract.takes(contract::ArgumentWord::beta) &&
         !contract.reads_c_at_beta_zero;
}

/// The properties that are requested, and those on which they depend.
std::vector<bool> needed(const std::vector<Property>& only) {
  std::vector<bool> all(provers().size(), only.empty());
  for (const Property property : only) all[static_cast<std::size_t>(property)] = true;
  for (std::size_t i = all.size(); i-- > 0;) {
    if (!all[i]) continue;
    for (const Property other : provers()[i].depends_on)
      all[static_cast<std::size_t>(other)] = true;
  }
  return all;
}

class VariantProver {
 public:
  VariantProver(const contract::Variant& variant, const ProveOptions& options)
      : variant_(variant),
        options_(options),
        module_(ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file)),
        needed_(needed(options.only)) {
    for (const Prover& prover : provers()) proofs_.push_back({prover.property, true});
  }

  Proof run() {
    try {
      const ptx::Function* const kernel = module_.find_function(variant_.entries.front().name);
      if (kernel == nullptr) throw Unsupported("the PTX lacks the kernel");
      const unsigned count = choices(variant_.contract);
      if (count > kMostChoices) {
        throw Unsupported(
            fmt::format("ta, tb and the minima and maxima of the block and the grid are {} "
                        "choices, and prove covers up to {}",
                        count, kMostChoices));
      }
      for (unsigned chosen = 0; chosen < 1U << count; ++chosen) prove_case(*kernel, chosen);
      if (!has_cases_) throw Unsupported("the contract admits no case: no sizes satisfy it");
    } catch (const Unsupported& error) {
      fail_all(error.what(), {});
    }
    Proof proof{{}, queries_};
    for (std::size_t i = 0; i < proofs_.size(); ++i) {
      const auto& only = options_.only;
      const bool is_requested =
          only.empty() || std::find(only.begin(), only.end(), proofs_[i].property) != only.end();
      if (is_requested && applies(proofs_[i].property, variant_.contract))
        proof.properties.push_back(proofs_[i]);
    }
    return proof;
  }

 private:
  void fail_all(const std::string& reason, const Location& where) {
    for (PropertyProof& proof : proofs_) {
      if (!proof.is_proved) continue;
      proof.is_proved = false;
      proof.reason = reason;
      proof.where = where;
    }
  }

  /// One case of the choices.
  void prove_case(const ptx::Function& function, unsigned chosen) {
    const double started = processor_seconds();
    Terms terms;
    const std::string& folder = options_.query_folder;
    Solver solver(terms, folder.empty() ? ""
                                        : fmt::format("{}/{}.case{}", folder,
                                                      variant_.contract.name, chosen + 1));
    Domain domain = make_domain(variant_, terms, chosen);
    for (const Formula condition : domain.conditions) solver.assume(condition);
    if (solver.check({}) == Satisfiability::impossible) return;
    has_cases_ = true;
    try {
      const Lifted lifted = lift(module_, function, domain, terms, solver);
      join_axes(terms, domain, lifted);
      proofs_.front().seconds += processor_seconds() - started;
      prove_properties({terms, solver, domain, lifted, options_.search_witnesses}, function);
    } catch (const NotLifted& error) {
      fail_all(error.what(), location(function, error.instruction()));
    }
    queries_ += solver.queries();
  }

  void prove_properties(const Kernel& kernel, const ptx::Function& function) {
    for (std::size_t i = 0; i < provers().size(); ++i) {
      PropertyProof& proof = proofs_[i];
      if (!needed_[i] || (!proof.is_proved && !proof.witnesses.empty())) continue;
      const double started = processor_seconds();
      Gaps gaps;
      kernel.solver.begin_part();
      try {
        gaps = provers()[i].prove(kernel);
      } catch (const Unsupported& error) {
        gaps = {{error.what(), 0}};
      }
      proof.seconds += processor_seconds() - started;
      if (gaps.empty()) {
        require_dependencies(proof, provers()[i].depends_on);
        continue;
      }
      for (const Gap& gap : gaps) add_gap(proof, function, gap);
    }
  }

  void add_gap(PropertyProof& proof, const ptx::Function& function, const Gap& gap) const {
    OpenPlace place{reason_of(function, gap), location(function, gap.instruction)};
    const OpenPlace first{proof.reason, proof.where};
    if (proof.is_proved || proof.reason.empty()) {
      proof.reason = std::move(place.reason);
      proof.where = std::move(place.where);
    } else if (!(place == first) && std::ranges::find(proof.more, place) == proof.more.end()) {
      proof.more.push_back(std::move(place));
    }
    proof.is_proved = false;
    proof.witnesses.insert(proof.witnesses.end(), gap.witnesses.begin(), gap.witnesses.end());
  }

  void require_dependencies(PropertyProof& proof, const std::vector<Property>& others) {
    for (const Property other : others) {
      const PropertyProof& needed_proof = proofs_[static_cast<std::size_t>(other)];
      if (needed_proof.is_proved || !proof.is_proved) continue;
      proof.is_proved = false;
      proof.reason = fmt::format("needs a proof of {}", name(other));
    }
  }

  std::string reason_of(const ptx::Function& function, const Gap& gap) const {
    const Location other =
        gap.other_instruction ? location(function, *gap.other_instruction) : Location{};
    if (other.line == 0) return gap.reason;
    return fmt::format("{}; the other access is in line {}", gap.reason, other.line);
  }

  Location location(const ptx::Function& function, std::size_t instruction) const {
    const auto index = function.body[instruction].location;
    if (!index) return {variant_.compiled->source_file, 0, 0};
    const ptx::SourceLine& line = module_.locations[*index].outermost();
    return {std::string(module_.file(line.file)), line.line, line.column};
  }

  const contract::Variant& variant_;
  const ProveOptions& options_;
  ptx::Module module_;
  std::vector<bool> needed_;
  std::vector<PropertyProof> proofs_;
  bool has_cases_ = false;  // some sizes satisfy the contract
  std::size_t queries_ = 0;
};

}  // namespace

std::string_view name(Property property) {
  switch (property) {
    case Property::overflow:
      return "overflow";
    case Property::bounds:
      return "bounds";
    case Property::alignment:
      return "alignment";
    case Property::barriers:
      return "barriers";
    case Property::races:
      return "races";
    case Property::initialized:
      return "initialized";
    case Property::written_once:
      return "written-once";
    case Property::covered:
      return "covered";
    case Property::zero_beta:
      return "zero-beta";
    case Property::ends:
      return "ends";
  }
  return "";
}

std::string_view statement(Property property) {
  switch (property) {
    case Property::overflow:
      return "each integer that is computed from sizes and indices and is compared, extended, "
             "divided or shifted right equals its mathematical value";
    case Property::bounds:
      return "each access is within a row of its matrix, never in its padding, or within its "
             "array in shared, local or constant memory";
    case Property::alignment:
      return "the address of each access is a multiple of its size";
    case Property::barriers:
      return "all threads of a block reach the same barriers in the same order, and all lanes of a "
             "warp the same instructions of the warp, if the loops end";
    case Property::races:
      return "no two threads make conflicting accesses that no barrier of their block orders";
    case Property::initialized:
      return "each element of shared or local memory and of an output, and each register, is "
             "written before it is read";
    case Property::written_once:
      return "each element of the outputs is written at most once";
    case Property::covered:
      return "each element of the outputs is written, if the loops end";
    case Property::zero_beta:
      return "C is not read if beta is 0";
    case Property::ends:
      return "every loop ends";
  }
  return "";
}

std::vector<Property> all_properties() {
  std::vector<Property> all;
  for (const Prover& prover : provers()) all.push_back(prover.property);
  return all;
}

std::optional<Property> property_named(std::string_view text) {
  for (const Property property : all_properties()) {
    if (name(property) == text) return property;
  }
  return std::nullopt;
}

bool has_solver() { return Solver::is_available(); }
std::string solver_version() {
  const std::string sets = IntegerSets::version();
  return IntegerSets::is_available() ? Solver::version() + " and " + sets : Solver::version();
}

Proof prove(const contract::Variant& variant, const ProveOptions& options) {
  return VariantProver(variant, options).run();
}

std::string ptx_hash(const contract::Variant& variant) {
  ContentHash hash;
  hash.add(variant.compiled->ptx);
  return hash.digits().substr(0, 16);
}

}  // namespace warpcheck::proof
