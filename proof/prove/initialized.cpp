// Each element of shared and local memory, each element of an output and each register is written
// before it is read.
//
// Accesses of two threads to the same place, of which one writes, do not race: a barrier of their
// block orders them. All threads of a block reach the same barriers. So a write precedes a read in
// time if it does so in the program: in an earlier iteration of a loop around both, or in the same
// iterations of all loops around both, on the way to the read. An asynchronous copy is complete at
// the read, since it would race with the read otherwise. What these writes leave of the elements
// that the read may access is empty.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "proof/prove/kernel.hpp"
#include "proof/prove/stores.hpp"
#include "proof/witness/witness.hpp"

namespace warpcheck::proof {
namespace {

/// How a write precedes a read: in the same iterations of the first loops around both, and in an
/// earlier one of the next loop, if there is one.
struct Precedence {
  std::size_t same_loops = 0;
  bool is_earlier = false;
};

/// The number of loops around both accesses, which are the outermost ones of each.
std::size_t common_loops(const std::vector<std::size_t>& one,
                         const std::vector<std::size_t>& other) {
  const auto ends = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return static_cast<std::size_t>(ends.first - one.begin());
}

/// One array in shared or local memory.
class ArrayReads {
 public:
  ArrayReads(const Kernel& kernel, const Array& array)
      : kernel_(kernel), terms_(kernel.terms), array_(array) {
    for (const Access& access : kernel.lifted.accesses) {
      if (access.base != array.base) continue;
      if (access.kind != AccessKind::write) reads_.push_back(&access);
      if (access.kind == AccessKind::write) writes_.push_back(&access);
      unit_ = std::gcd(unit_, std::gcd(access.offset.divisor(), access.bytes));
    }
  }

  void check(Gaps& gaps) {
    for (const AccessGroup& group : groups(reads_)) {
      check_group(group, gaps);
      if (!gaps.empty()) return;
    }
  }

 private:
  [[nodiscard]] bool is_private() const { return array_.space == MemorySpace::local; }

  /// All places from the first one to the last one of a group are searched at once, and only then
  /// those of each access.
  void check_group(const AccessGroup& group, Gaps& gaps) {
    const Access& read = group.first();
    Image places;
    if (!set_places(group, places)) {
      gaps.push_back({fmt::format("which elements of {} this reads depends on data", array_.name),
                      read.instruction});
      return;
    }
    const Solver::Search found = search(places, read, images_before(read));
    if (found.result == Satisfiability::impossible) return;
    if (found.result == Satisfiability::possible && group.members.size() > 1) {
      for (const Access* access : group.members) {
        check_group({{access}}, gaps);
        if (!gaps.empty()) return;
      }
      return;
    }
    Gap gap{
        found.result == Satisfiability::possible
            ? fmt::format("an element of {} may be read before it is written", array_.name)
            : fmt::format("whether all elements of {} that this reads are written before is not "
                          "decided within the limit of work",
                          array_.name),
        read.instruction};
    if (found.result == Satisfiability::possible && kernel_.search_witnesses) {
      gap.witnesses.push_back(make_witness(terms_, found.model, kernel_.domain));
    }
    gaps.push_back(std::move(gap));
  }

  /// The places that a group may read, in units. What is not linear may have any value of its
  /// range; returns false if it has no limits.
  bool set_places(const AccessGroup& group, Image& places) {
    const IntegerSets sets(terms_, iterations_of(group.first().loops));
    Polynomial rest;
    Polynomial linear;
    const Polynomial offset = group.base_offset().divided_by(unit_);
    for (const auto& [monomial, factor] : offset.terms()) {
      const Polynomial term = Polynomial::of(monomial, factor);
      Polynomial& part = sets.is_linear(term) ? linear : rest;
      part = part + term;
    }
    const Interval limits = terms_.range(rest);
    if (!limits.least || !limits.most) return false;
    const std::vector<std::int64_t> numbers = group.numbers();
    const std::int64_t distance = numbers.back() - numbers.front() + group.first().bytes;
    places.indices = {linear + *limits.least + numbers.front() / unit_};
    places.counts = {*limits.most - *limits.least + distance / unit_};
    for (const Formula condition : group.first().path) {
      places.conditions.push_back(weakened(condition, sets));
    }
    return true;
  }

  /// A condition that is not linear is true.
  Formula weakened(Formula formula, const IntegerSets& sets) {
    if (sets.is_linear(formula)) return formula;
    const FormulaNode content = terms_.node(formula);
    if (content.kind != FormulaKind::all && content.kind != FormulaKind::any) return kTrue;
    std::vector<Formula> parts;
    for (const Formula part : content.parts) parts.push_back(weakened(part, sets));
    return content.kind == FormulaKind::all ? terms_.all(parts) : terms_.any(parts);
  }

  /// Searches a place that no write reaches, first without the conditions about other
  /// symbols than those of the places and of the writes.
  Solver::Search search(const Image& places, const Access& read,
                        const std::vector<Image>& written) {
    std::set<SymbolId> symbols;
    add_symbols(places.indices, {}, symbols);
    for (const Image& image : written) add_symbols(image.indices, image.conditions, symbols);
    const auto is_known = [&](Formula condition) {
      const std::vector<SymbolId> bases = terms_.bases(condition);
      return std::all_of(bases.begin(), bases.end(),
                         [&](SymbolId base) { return symbols.contains(base); });
    };
    std::set<SymbolId> fixed(kernel_.domain.blocks.begin(), kernel_.domain.blocks.end());
    fixed.insert(kernel_.domain.threads.begin(), kernel_.domain.threads.end());
    fixed.merge(iterations_of(read.loops));
    const IntegerSets sets(terms_, iterations_of(read.loops));
    std::vector<Formula> domain;
    for (const Formula condition : kernel_.domain.conditions) {
      if (sets.is_linear(condition)) domain.push_back(condition);
    }
    Image few = places;
    std::erase_if(few.conditions, [&](Formula condition) { return !is_known(condition); });
    std::vector<Formula> few_of_domain = domain;
    std::erase_if(few_of_domain, [&](Formula condition) { return !is_known(condition); });
    const Solver::Search found = sets.uncovered(few, written, few_of_domain, fixed);
    const bool are_all =
        few.conditions.size() == places.conditions.size() && few_of_domain.size() == domain.size();
    if (found.result != Satisfiability::possible || are_all) return found;
    return sets.uncovered(places, written, domain, fixed);
  }

  void add_symbols(const std::vector<Polynomial>& values, const std::vector<Formula>& conditions,
                   std::set<SymbolId>& symbols) const {
    for (const Polynomial& value : values) {
      for (const SymbolId base : terms_.bases(value)) symbols.insert(base);
    }
    for (const Formula condition : conditions) {
      for (const SymbolId base : terms_.bases(condition)) symbols.insert(base);
    }
  }

  std::set<SymbolId> iterations_of(const std::vector<std::size_t>& loops) const {
    const std::vector<SymbolId> symbols = iterations(kernel_, loops);
    return {symbols.begin(), symbols.end()};
  }

  /// The images of the writes that precede a read, in units.
  std::vector<Image> images_before(const Access& read) {
    std::vector<Image> all;
    for (std::size_t same = read.loops.size() + 1; same-- > 0;) {
      for (const bool is_earlier : {false, true}) {
        if (is_earlier && same == read.loops.size()) continue;
        add_images(read, {same, is_earlier}, all);
      }
    }
    return all;
  }

  void add_images(const Access& read, const Precedence& precedence, std::vector<Image>& images) {
    std::map<std::vector<std::size_t>, std::vector<const Access*>> by_loops;
    for (const Access* write : writes_) {
      if (precedes(*write, read, precedence)) by_loops[write->loops].push_back(write);
    }
    for (const auto& [loops, writes] : by_loops) {
      Stores stores = stores_of(writes, read, precedence);
      if (!stores.write_in_any_case()) stores.keep_linear();
      std::vector<Image> more = stores.images();
      std::move(more.begin(), more.end(), std::back_inserter(images));
    }
  }

  bool precedes(const Access& write, const Access& read, const Precedence& precedence) const {
    // The lanes of a warp write on behalf of each other.
    if (is_private() && write.agent != Agent::thread) return false;
    const std::size_t common = common_loops(write.loops, read.loops);
    if (precedence.is_earlier) return precedence.same_loops < common;
    return precedence.same_loops == common &&
           kernel_.lifted.flow.is_earlier(write.block, write.instruction, read.block,
                                          read.instruction);
  }

  /// The stores of any thread of the block, or of the thread that reads if the array is its own.
  Stores stores_of(const std::vector<const Access*>& writes, const Access& read,
                   const Precedence& precedence) {
    const std::vector<std::size_t>& loops = writes.front()->loops;
    std::vector<SymbolId> same;
    for (std::size_t i = 0; i < precedence.same_loops; ++i) same.push_back(iteration(loops[i]));
    if (is_private()) {
      same.insert(same.end(), kernel_.domain.threads.begin(), kernel_.domain.threads.end());
    }
    SecondExecution writer(terms_, Level::block, same);
    std::set<SymbolId> known = iterations_of(read.loops);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const bool is_common = i < precedence.same_loops + (precedence.is_earlier ? 1 : 0);
      if (kernel_.lifted.loops[loops[i]].runs_all || (is_common && reaches_loop(read, loops[i]))) {
        known.insert(copy(writer, loops[i]));
      } else {
        known.erase(copy(writer, loops[i]));
      }
    }
    Stores stores(kernel_, IntegerSets(terms_, known));
    const std::set<Formula> certain = certain_conditions(read, precedence, loops);
    for (const Access* write : writes) {
      std::vector<Formula> path;
      for (const Formula condition : write->decisive) {
        if (!certain.contains(condition)) path.push_back(writer(condition));
      }
      if (precedence.is_earlier) {
        const Polynomial now = Polynomial::of(iteration(loops[precedence.same_loops]));
        path.push_back(terms_.less(writer(now), now));
      }
      stores.add({writer(write->offset).divided_by(unit_)}, write->bytes / unit_, std::move(path));
    }
    return stores;
  }

  SymbolId iteration(std::size_t loop) const { return *kernel_.lifted.loops[loop].iteration; }
  SymbolId copy(SecondExecution& writer, std::size_t loop) const {
    return writer(Polynomial::of(iteration(loop))).symbols().front();
  }

  /// True if the thread that writes reaches the iteration of the loop in which the read is.
  bool reaches_loop(const Access& read, std::size_t loop) const {
    if (is_private()) return true;
    return std::any_of(kernel_.lifted.barriers.begin(), kernel_.lifted.barriers.end(),
                       [&](const auto& entry) {
                         const auto& loops = entry.second.loops;
                         return is_passed(entry.first, entry.second, read) &&
                                std::find(loops.begin(), loops.end(), loop) != loops.end();
                       });
  }

  /// True if a thread that reads has passed the barrier, in the same iterations of the loops around
  /// the barrier. Then all threads of the block reach the barrier in these iterations.
  bool is_passed(BlockNumber block, const Barrier& barrier, const Access& read) const {
    return kernel_.lifted.flow.blocks[read.block].dominators.contains(block) &&
           block != read.block && common_loops(barrier.loops, read.loops) == barrier.loops.size();
  }

  /// Conditions that hold for the thread that writes, since another one reads.
  std::set<Formula> certain_conditions(const Access& read, const Precedence& precedence,
                                       const std::vector<std::size_t>& write_loops) const {
    std::set<Formula> certain;
    for (const Formula condition : read.path) {
      if (terms_.level(condition) < Level::thread) certain.insert(condition);
    }
    const auto add = [&](const std::vector<Formula>& path, const std::vector<std::size_t>& loops) {
      for (const Formula condition : path) {
        if (has_same_value(condition, precedence, loops, write_loops)) certain.insert(condition);
      }
    };
    if (is_private()) add(read.path, read.loops);
    for (const auto& [block, barrier] : kernel_.lifted.barriers) {
      if (!is_private() && is_passed(block, barrier, read)) add(barrier.path, barrier.loops);
    }
    return certain;
  }

  /// True if a condition of a place within some loops has the same value at the write.
  bool has_same_value(Formula condition, const Precedence& precedence,
                      const std::vector<std::size_t>& loops,
                      const std::vector<std::size_t>& write_loops) const {
    std::set<SymbolId> same;
    for (std::size_t i = 0; i < precedence.same_loops; ++i) same.insert(iteration(write_loops[i]));
    const bool is_same_iteration =
        write_loops.size() == precedence.same_loops && loops.size() <= precedence.same_loops;
    const std::vector<SymbolId> bases = terms_.bases(condition);
    return std::all_of(bases.begin(), bases.end(), [&](SymbolId id) {
      const Symbol& symbol = terms_[id];
      if (symbol.kind == SymbolKind::iteration) return same.contains(id);
      return symbol.kind != SymbolKind::unknown || symbol.level == Level::grid || is_same_iteration;
    });
  }

  const Kernel& kernel_;
  Terms& terms_;
  const Array& array_;
  std::vector<const Access*> reads_;
  std::vector<const Access*> writes_;
  std::int64_t unit_ = 0;  // bytes that divide every offset and size
};

/// Elements of an output have no values before the launch.
void check_outputs(const Kernel& kernel, Gaps& gaps) {
  for (const Access& access : kernel.lifted.accesses) {
    const Buffer* const buffer = access.base ? kernel.domain.buffer_at(*access.base) : nullptr;
    const bool may_be_undefined = buffer != nullptr && buffer->is_undefined != kFalse;
    if (access.kind == AccessKind::write || !may_be_undefined) continue;
    Violation violation{access.path};
    violation.formulas.push_back(buffer->is_undefined);
    require_impossible(
        kernel, violation,
        fmt::format("an element of {} may be read before it is written", buffer->name),
        access.instruction, gaps);
    if (are_enough(kernel, gaps)) return;
  }
}

}  // namespace

Gaps prove_initialized(const Kernel& kernel) {
  if (const auto& wait = kernel.lifted.unordered) return {{wait->reason, wait->instruction}};
  Gaps gaps;
  if (!kernel.lifted.flow.blocks.front().live.empty()) {
    gaps.push_back({"a register may be read before it is written", 0});
    return gaps;
  }
  check_outputs(kernel, gaps);
  for (const Array& array : kernel.lifted.arrays) {
    if (are_enough(kernel, gaps)) break;
    const bool is_written_by_kernel =
        array.space == MemorySpace::shared || array.space == MemorySpace::local;
    if (is_written_by_kernel) ArrayReads(kernel, array).check(gaps);
  }
  return gaps;
}

}  // namespace warpcheck::proof
