#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <set>

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
      for (std::size_t i = 0; i < variant_.entries.size(); ++i) prove_launch(i);
      require_certain_launch();
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

  bool is_last(std::size_t launch) const { return launch + 1 == variant_.entries.size(); }

  std::string query_file(std::size_t launch, unsigned chosen) const {
    if (options_.query_folder.empty()) return "";
    const std::string number =
        variant_.entries.size() == 1 ? "" : fmt::format(".launch{}", launch + 1);
    return fmt::format("{}/{}{}.case{}", options_.query_folder, variant_.contract.name, number,
                       chosen + 1);
  }

  /// Launches with conditions may be skipped.
  void require_certain_launch() {
    PropertyProof& covered = proofs_[static_cast<std::size_t>(Property::covered)];
    for (const std::string& output : outputs_) {
      if (!covered.is_proved) return;
      if (is_certain(variant_, output)) continue;
      covered.is_proved = false;
      covered.reason = fmt::format("no launch takes {} in every case", output);
    }
  }

  void prove_launch(std::size_t launch) {
    const ptx::Function* const kernel = module_.find_function(variant_.entries[launch].name);
    if (kernel == nullptr) throw Unsupported("the PTX lacks the kernel");
    const unsigned count = choices(variant_.contract, launch);
    if (count > kMostChoices) {
      throw Unsupported(
          fmt::format("ta, tb and the minima and maxima of the block and the grid are {} "
                      "choices, and prove covers up to {}",
                      count, kMostChoices));
    }
    covered_now_.reset();
    for (unsigned chosen = 0; chosen < 1U << count; ++chosen) prove_case(*kernel, launch, chosen);
    const bool always_runs = !variant_.contract.launches[launch].when;
    if (covered_now_ && always_runs) covered_.merge(*covered_now_);
  }

  /// One case of the choices.
  void prove_case(const ptx::Function& function, std::size_t launch, unsigned chosen) {
    const double started = processor_seconds();
    Terms terms;
    Solver solver(terms, query_file(launch, chosen));
    Domain domain = make_domain(variant_, launch, terms, chosen);
    for (const Formula condition : domain.conditions) solver.assume(condition);
    if (solver.check({}) == Satisfiability::impossible) return;
    has_cases_ = true;
    try {
      const Lifted lifted = lift(module_, function, domain, terms, solver);
      shape_workspaces(domain, lifted);
      join_axes(terms, domain, lifted);
      add_earlier_launches(domain, solver);
      proofs_.front().seconds += processor_seconds() - started;
      prove_properties({terms, solver, domain, lifted, options_.search_witnesses}, function);
      if (!is_last(launch)) record_writes(launch, {terms, solver, domain, lifted, false});
    } catch (const NotLifted& error) {
      fail_all(error.what(), location(function, error.instruction()));
    }
    queries_ += solver.queries();
  }

  void add_earlier_launches(Domain& domain, Solver& solver) {
    for (Buffer& buffer : domain.buffers) {
      if (buffer.is_output) outputs_.insert(buffer.name);
      for (const auto& [launch, name] : written_) {
        if (name != buffer.name) continue;
        const Formula both_run = domain.runs[launch];
        if (solver.check({both_run}) != Satisfiability::impossible) buffer.is_written_before = true;
      }
      buffer.is_covered_before = covered_.contains(buffer.name);
      if (buffer.is_covered_before) buffer.is_undefined = kFalse;
    }
  }

  /// Later launches may read what each case of this one writes.
  void record_writes(std::size_t launch, const Kernel& kernel) {
    kernel.solver.begin_part();
    std::set<std::string> covered;
    for (const Buffer& buffer : kernel.domain.buffers) {
      const bool is_written = std::any_of(
          kernel.lifted.accesses.begin(), kernel.lifted.accesses.end(), [&](const Access& access) {
            return access.base == buffer.pointer && access.kind != AccessKind::read;
          });
      if (!is_written) continue;
      written_.emplace(launch, buffer.name);
      const bool is_candidate = !covered_now_ || covered_now_->contains(buffer.name);
      if (is_candidate && covers(kernel, buffer)) covered.insert(buffer.name);
    }
    covered_now_ = std::move(covered);
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
        require_dependencies(proof, provers()[i].depends_on, kernel.lifted.unordered.has_value());
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

  /// `written-once` excludes two writers itself where the order of accesses is not followed.
  void require_dependencies(PropertyProof& proof, const std::vector<Property>& others,
                            bool is_unordered) {
    for (const Property other : others) {
      const bool is_included = is_unordered && proof.property == Property::written_once;
      if (is_included && other == Property::races) continue;
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
  std::set<std::string> outputs_;
  std::set<std::pair<std::size_t, std::string>> written_;  // launches, and buffers that they write
  std::set<std::string> covered_;  // buffers of which earlier launches write each element
  std::optional<std::set<std::string>> covered_now_;  // those of the cases of the current launch
  std::size_t queries_ = 0;
};

}  // namespace

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
