#include "proof/prove/kernel.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "proof/witness/witness.hpp"

namespace warpcheck::proof {

std::vector<std::int64_t> AccessGroup::numbers() const {
  std::vector<std::int64_t> found;
  for (const Access* access : members) found.push_back(access->offset.constant_term());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<AccessGroup> groups(const std::vector<const Access*>& accesses) {
  using Key = std::tuple<AccessKind, std::size_t, bool, std::optional<SymbolId>, BlockNumber,
                         std::int64_t, std::int64_t, std::int64_t, bool, std::optional<Polynomial>,
                         std::vector<Polynomial>, std::vector<Formula>, Polynomial>;
  std::vector<AccessGroup> found;
  std::map<Key, std::size_t> numbers;
  for (const Access* access : accesses) {
    const Key key = {access->kind,
                     access->agent == Agent::thread ? 0 : 1 + access->instruction,
                     access->is_asynchronous,
                     access->base,
                     access->block,
                     access->bytes,
                     access->alignment,
                     access->atomic_bytes,
                     access->is_atomic_in_block,
                     access->size,
                     access->box_indices,
                     access->path,
                     access->offset.without_constant()};
    const auto [place, is_new] = numbers.emplace(key, found.size());
    if (is_new) found.emplace_back();
    found[place->second].members.push_back(access);
  }
  return found;
}

std::vector<const Access*> accesses_where(const Kernel& kernel,
                                          const std::function<bool(const Access&)>& condition) {
  std::vector<const Access*> found;
  for (const Access& access : kernel.lifted.accesses) {
    if (condition(access)) found.push_back(&access);
  }
  return found;
}

std::string short_text(const Terms& terms, const Polynomial& value, std::string_view otherwise) {
  constexpr std::size_t kLongest = 72;
  const std::string text = terms.text(value);
  return text.size() > kLongest ? std::string(otherwise) : text;
}

void require_impossible(const Kernel& kernel, const Violation& violation, const std::string& reason,
                        std::size_t instruction, Gaps& gaps,
                        std::optional<std::size_t> other_instruction) {
  if (kernel.solver.check(violation.formulas) == Satisfiability::impossible) return;
  if (kernel.solver.find(violation.formulas).result == Satisfiability::impossible) return;
  if (!kernel.search_witnesses) {
    gaps.push_back({reason, instruction, {}, other_instruction});
    return;
  }
  std::vector<Formula> formulas = violation.formulas;
  formulas.insert(formulas.end(), violation.exact.begin(), violation.exact.end());
  gaps.push_back({reason, instruction,
                  find_witnesses(kernel.terms, kernel.solver, kernel.domain, formulas,
                                 !violation.has_large_strides),
                  other_instruction});
}

bool are_atomic(const Access& one, const Access& other) {
  const bool is_in_block = one.is_atomic_in_block || other.is_atomic_in_block;
  return one.kind == AccessKind::atomic && other.kind == AccessKind::atomic &&
         one.atomic_bytes == other.atomic_bytes && (one.is_shared() || !is_in_block);
}

std::vector<Formula> by_two_threads(const Kernel& kernel, SecondExecution& second,
                                    const Access& one, const Access& other,
                                    const std::vector<SymbolId>& threads) {
  Terms& terms = kernel.terms;
  std::vector<Formula> formulas;
  const Formula differ = any_differs(terms, second, threads);
  const bool by_warp = one.agent != Agent::thread || other.agent != Agent::thread;
  if (!by_warp) {
    formulas.push_back(differ);
  } else if (one.instruction == other.instruction) {
    formulas.push_back(
        terms.any({differ, any_differs(terms, second, iterations(kernel, one.loops))}));
  }
  const Formula is_lane_0 = terms.equal(terms.remainder(kernel.domain.thread_number(), kLanes), 0);
  if (one.agent == Agent::warp_by_lane_0) formulas.push_back(is_lane_0);
  if (other.agent == Agent::warp_by_lane_0) formulas.push_back(second(is_lane_0));
  return formulas;
}

Formula in_one_group(const Kernel& kernel, SecondExecution& second, std::int64_t threads) {
  const Polynomial group = kernel.terms.floor_div(kernel.domain.thread_number(), threads);
  return kernel.terms.equal(group, second(group));
}

std::vector<SymbolId> iterations(const Kernel& kernel, const std::vector<std::size_t>& loops) {
  std::vector<SymbolId> symbols;
  for (const std::size_t loop : loops) symbols.push_back(*kernel.lifted.loops[loop].iteration);
  return symbols;
}

bool are_enough(const Kernel& kernel, const Gaps& gaps) {
  constexpr std::size_t kMostWithWitnesses = 3;
  if (!gaps.empty() && !kernel.solver.has_work_left()) return true;
  return gaps.size() >= (kernel.search_witnesses ? kMostWithWitnesses : 1);
}

Formula any_differs(Terms& terms, SecondExecution& second, const std::vector<SymbolId>& symbols) {
  return terms.negate(all_agree(terms, second, symbols));
}

Formula all_agree(Terms& terms, SecondExecution& second, const std::vector<SymbolId>& symbols) {
  std::vector<Formula> parts;
  for (const SymbolId symbol : symbols) {
    const Polynomial value = Polynomial::of(symbol);
    parts.push_back(terms.equal(value, second(value)));
  }
  return terms.all(parts);
}

std::vector<Formula> in_second(SecondExecution& second, const std::vector<Formula>& path) {
  std::vector<Formula> images;
  for (const Formula condition : path) images.push_back(second(condition));
  return images;
}

}  // namespace warpcheck::proof
