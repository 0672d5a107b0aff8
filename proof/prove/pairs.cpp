#include "proof/prove/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpcheck::proof {
namespace {

/// Numbers first, first + step, ... of which there are `count`.
struct Run {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 1;
};

/// Covers ascending numbers by few runs.
std::vector<Run> runs_of(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMostSteps = 8;
  std::set<std::int64_t> left(numbers.begin(), numbers.end());
  std::vector<Run> runs;
  while (!left.empty()) {
    const std::int64_t first = *left.begin();
    Run best{first};
    std::size_t tried = 0;
    for (auto next = std::next(left.begin()); next != left.end() && tried < kMostSteps;
         ++next, ++tried) {
      Run run{first, *next - first};
      while (left.contains(first + run.count * run.step)) ++run.count;
      if (run.count > best.count) best = run;
    }
    for (std::int64_t i = 0; i < best.count; ++i) left.erase(first + i * best.step);
    runs.push_back(best);
  }
  return runs;
}

class GlobalPairs {
 public:
  GlobalPairs(const Kernel& kernel, PairKind kind)
      : kernel_(kernel), terms_(kernel.terms), kind_(kind), indices_(kernel.domain.threads) {
    const auto& blocks = kernel.domain.blocks;
    indices_.insert(indices_.end(), blocks.begin(), blocks.end());
  }

  Gaps run() {
    Gaps gaps;
    for (const Buffer& buffer : kernel_.domain.buffers) {
      const auto accesses = accesses_where(kernel_, [&](const Access& access) {
        return !access.is_shared() && access.base == buffer.pointer;
      });
      check_buffer(buffer, accesses, gaps);
      if (are_enough(kernel_, gaps)) break;
    }
    return gaps;
  }

 private:
  void check_buffer(const Buffer& buffer, const std::vector<const Access*>& accesses, Gaps& gaps) {
    for (const Access* access : accesses) {
      if (position(terms_, *access, buffer)) continue;
      gaps.push_back(
          {fmt::format("the indices of {} are not found", buffer.name), access->instruction});
      return;
    }
    std::vector<std::pair<const Access*, const Access*>> pairs;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      for (std::size_t j = i; j < accesses.size(); ++j) {
        if (matters(*accesses[i], *accesses[j])) pairs.emplace_back(accesses[i], accesses[j]);
      }
    }
    constexpr std::size_t kFewPairs = 300;
    if (pairs.size() > kFewPairs && excludes_all(buffer, accesses)) return;
    for (const auto& [one, other] : pairs) {
      SecondExecution second = other_execution();
      Violation violation{pair_formulas(buffer, *one, *other, second)};
      require_impossible(kernel_, violation, reason(buffer), one->instruction, gaps,
                         other->instruction);
      if (are_enough(kernel_, gaps)) return;
    }
  }

  bool matters(const Access& one, const Access& other) const {
    if (one.kind == AccessKind::read && other.kind == AccessKind::read) return false;
    if (are_atomic(one, other)) return false;
    if (kind_ == PairKind::two_threads) return true;
    const bool both_write = one.kind != AccessKind::read && other.kind != AccessKind::read;
    if (kind_ == PairKind::two_writers) return both_write;
    return both_write && (&one != &other || !one.loops.empty());
  }

  std::string reason(const Buffer& buffer) const {
    if (kind_ == PairKind::two_threads) {
      return fmt::format("two threads may access the same element of {}, and one writes",
                         buffer.name);
    }
    const char* const writer = kind_ == PairKind::two_writers ? "two threads" : "a thread";
    return fmt::format("{} may write an element of {} twice", writer, buffer.name);
  }

  /// That of another thread, or of the same one.
  SecondExecution other_execution() {
    if (kind_ == PairKind::same_thread) return {terms_, Level::grid, indices_};
    return {terms_, Level::grid};
  }

  /// Returns what distinguishes the executions of two threads.
  std::vector<Formula> are_two_threads(const Access& one, const Access& other,
                                       SecondExecution& second) {
    if (kind_ == PairKind::same_thread) return {};
    return by_two_threads(kernel_, second, one, other, indices_);
  }

  std::vector<Formula> pair_formulas(const Buffer& buffer, const Access& one, const Access& other,
                                     SecondExecution& second) {
    std::vector<Formula> formulas = are_two_threads(one, other, second);
    formulas.insert(formulas.end(), one.path.begin(), one.path.end());
    const std::vector<Formula> images = in_second(second, other.path);
    formulas.insert(formulas.end(), images.begin(), images.end());
    const std::vector<Polynomial> first = *position(terms_, one, buffer);
    std::vector<Polynomial> last = *position(terms_, other, buffer);
    for (Polynomial& index : last) index = second(index);
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
      formulas.push_back(meet(terms_, first[i], one.count_along(i), last[i], other.count_along(i)));
    }
    formulas.push_back(meet(terms_, first.back(), elements(terms_, one, buffer), last.back(),
                            second(elements(terms_, other, buffer))));
    if (kind_ == PairKind::same_thread && &one == &other) {
      formulas.push_back(any_differs(terms_, second, iterations(kernel_, one.loops)));
    }
    return formulas;
  }

  /// Any of some accesses: the indices of its first element, its elements and its number.
  struct AnyAccess {
    std::vector<Polynomial> indices;
    Polynomial count;
    Polynomial number;
    Formula condition;
  };

  AnyAccess any_of(const Buffer& buffer, const std::vector<const Access*>& accesses) {
    const auto fresh = [&](const char* name) { return terms_.unknown(name, Level::thread); };
    AnyAccess any{{}, fresh("count"), fresh("number"), kTrue};
    for (std::size_t i = 0; i < buffer.axes.size(); ++i) any.indices.push_back(fresh("index"));
    std::vector<Formula> parts;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const std::vector<Polynomial> indices = *position(terms_, *accesses[i], buffer);
      std::vector<Formula> part = accesses[i]->path;
      for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        part.push_back(terms_.equal(any.indices[axis], indices[axis]));
      }
      part.push_back(terms_.equal(any.count, elements(terms_, *accesses[i], buffer)));
      part.push_back(terms_.equal(any.number, number_of(*accesses[i])));
      parts.push_back(terms_.all(part));
    }
    any.condition = terms_.any(parts);
    return any;
  }

  [[nodiscard]] std::int64_t number_of(const Access& access) const {
    return &access - kernel_.lifted.accesses.data();
  }

  /// One query for all pairs: mostly none overlaps.
  bool excludes_all(const Buffer& buffer, const std::vector<const Access*>& accesses) {
    std::vector<const Access*> writes;
    for (const Access* access : accesses) {
      if (access->kind == AccessKind::atomic || access->agent != Agent::thread) return false;
      if (access->is_box()) return false;
      if (access->kind == AccessKind::write) writes.push_back(access);
    }
    SecondExecution second = other_execution();
    const AnyAccess one = any_of(buffer, writes);
    const AnyAccess other = any_of(buffer, kind_ == PairKind::two_threads ? accesses : writes);
    std::vector<Formula> formulas = are_two_threads(*writes.front(), *writes.front(), second);
    formulas.push_back(one.condition);
    formulas.push_back(second(other.condition));
    formulas.push_back(meet(terms_, one.indices.back(), one.count, second(other.indices.back()),
                            second(other.count)));
    for (std::size_t axis = 0; axis + 1 < one.indices.size(); ++axis) {
      formulas.push_back(terms_.equal(one.indices[axis], second(other.indices[axis])));
    }
    if (kind_ == PairKind::same_thread) {
      for (const Access* access : writes) {
        const std::int64_t number = number_of(*access);
        formulas.push_back(
            terms_.any({terms_.negate(terms_.equal(one.number, number)),
                        terms_.negate(terms_.equal(second(other.number), number)),
                        any_differs(terms_, second, iterations(kernel_, access->loops))}));
      }
    }
    return kernel_.solver.check(formulas, Effort::thorough) == Satisfiability::impossible;
  }

  const Kernel& kernel_;
  Terms& terms_;
  PairKind kind_;
  std::vector<SymbolId> indices_;  // those of the thread and of the block
};

}  // namespace

/// Two ranges of n places that both begin at multiples of n meet only if they are equal.
Formula meet(Terms& terms, const Polynomial& first, const Polynomial& first_count,
             const Polynomial& second, const Polynomial& second_count) {
  const Polynomial distance = first - second;
  const auto count = first_count.constant();
  if (count && *count > 0 && first_count == second_count && distance.is_multiple_of(*count)) {
    return terms.equal(distance, 0);
  }
  return terms.all(
      {terms.less(first, second + second_count), terms.less(second, first + first_count)});
}

GroupOffset group_offset(Terms& terms, const AccessGroup& group) {
  const std::vector<std::int64_t> numbers = group.numbers();
  const Polynomial base = group.base_offset();
  if (numbers.size() == 1) return {base + numbers.front()};
  const Polynomial number =
      terms.unknown("offset", Level::thread, {numbers.front(), numbers.back()});
  std::vector<Formula> parts;
  for (const Run& run : runs_of(numbers)) {
    const std::int64_t last = run.first + run.step * (run.count - 1);
    std::vector<Formula> part = {terms.at_most(run.first, number), terms.at_most(number, last)};
    if (run.count > 1) {
      part.push_back(terms.equal(terms.remainder(number - run.first, run.step), 0));
    }
    parts.push_back(terms.all(part));
  }
  return {base + number, terms.any(parts)};
}

std::vector<Formula> overlap(Terms& terms, const GroupOffset& first, std::int64_t first_bytes,
                             SecondExecution& second, const GroupOffset& other,
                             std::int64_t other_bytes) {
  return {first.condition, second(other.condition),
          meet(terms, first.offset, first_bytes, second(other.offset), other_bytes)};
}

Gaps global_pairs(const Kernel& kernel, PairKind kind) { return GlobalPairs(kernel, kind).run(); }

}  // namespace warpcheck::proof
