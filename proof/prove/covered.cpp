// Each element of an output is written: the box of its indices without the images of all stores is
// empty.
//
// Conditions that are not linear, such as the alignment of an address or a comparison of data, are
// first taken to be false. Then the solver shows that a thread that writes an element in that case
// writes it in any case, as two branches for aligned and other addresses do.
#include <fmt/format.h>

#include <algorithm>

#include "proof/prove/kernel.hpp"
#include "proof/solve/integer_sets.hpp"
#include "proof/witness/witness.hpp"

namespace warpcheck::proof {
namespace {

struct Store {
  const Access* access = nullptr;
  std::vector<Polynomial> indices;
  std::vector<Formula> linear_path;  // that of the case in which other conditions are false
};

/// The symbols of iterations that are all executed, up to a last one that is known.
std::set<SymbolId> exact_iterations(const Kernel& kernel) {
  std::set<SymbolId> found;
  for (const LoopForm& form : kernel.lifted.loops) {
    if (form.iteration && form.last) found.insert(*form.iteration);
  }
  return found;
}

class Coverage {
 public:
  explicit Coverage(const Kernel& kernel)
      : kernel_(kernel), terms_(kernel.terms), sets_(kernel.terms, exact_iterations(kernel)) {}

  void check(const Buffer& buffer, Gaps& gaps) {
    std::vector<Store> stores;
    for (const Access& access : kernel_.lifted.accesses) {
      if (access.base != buffer.pointer || access.kind == AccessKind::read) continue;
      auto indices = position(terms_, access, buffer);
      if (indices) stores.push_back({&access, std::move(*indices), linear(access.decisive)});
    }
    if (stores.empty()) {
      gaps.push_back({fmt::format("no store to {} is found", buffer.name), 0});
      return;
    }
    const std::size_t last = stores.back().access->instruction;
    if (!is_written_in_any_case(buffer, stores)) {
      gaps.push_back({fmt::format("whether a thread writes an element of {} depends on data or on "
                                  "an address",
                                  buffer.name),
                      last});
      return;
    }
    std::vector<Formula> conditions;
    for (const Formula condition : kernel_.domain.conditions) {
      if (sets_.is_linear(condition)) conditions.push_back(condition);
    }
    const Solver::Search found = sets_.uncovered(box(buffer), images(buffer, stores), conditions);
    if (found.result == Satisfiability::impossible) return;
    Gap gap{fmt::format("an element of {} may not be written", buffer.name), last};
    if (found.result == Satisfiability::possible && kernel_.search_witnesses) {
      gap.witnesses.push_back(make_witness(terms_, found.model, kernel_.domain));
    }
    gaps.push_back(std::move(gap));
  }

 private:
  /// A condition of a store that is not linear is false.
  Formula linear(Formula formula) {
    if (sets_.is_linear(formula)) return formula;
    const FormulaNode content = terms_.node(formula);
    if (content.kind != FormulaKind::all && content.kind != FormulaKind::any) {
      return content.kind == FormulaKind::negation ? kTrue : kFalse;
    }
    const std::vector<Formula> parts = linear(content.parts);
    return content.kind == FormulaKind::all ? terms_.all(parts) : terms_.any(parts);
  }

  std::vector<Formula> linear(const std::vector<Formula>& formulas) {
    std::vector<Formula> all;
    for (const Formula formula : formulas) all.push_back(linear(formula));
    return all;
  }

  [[nodiscard]] static bool is_possible(const Store& store) {
    const auto& path = store.linear_path;
    return std::find(path.begin(), path.end(), kFalse) == path.end();
  }

  [[nodiscard]] Formula writes(const Buffer& buffer, const Store& store,
                               const std::vector<Polynomial>& element,
                               const std::vector<Formula>& path) {
    std::vector<Formula> parts = path;
    for (std::size_t i = 0; i + 1 < element.size(); ++i) {
      parts.push_back(terms_.equal(element[i], store.indices[i]));
    }
    const Polynomial place = element.back() - store.indices.back();
    parts.push_back(terms_.at_most(0, place));
    parts.push_back(terms_.less(place, elements(terms_, *store.access, buffer)));
    return terms_.all(parts);
  }

  [[nodiscard]] bool is_written_in_any_case(const Buffer& buffer,
                                            const std::vector<Store>& stores) {
    if (std::all_of(stores.begin(), stores.end(), [](const Store& store) {
          return store.linear_path == store.access->decisive;
        })) {
      return true;
    }
    std::vector<Polynomial> element;
    for (std::size_t i = 0; i < buffer.axes.size(); ++i) {
      element.push_back(terms_.unknown("index", Level::thread));
    }
    std::vector<Formula> in_one_case;
    std::vector<Formula> never;
    for (const Store& store : stores) {
      if (is_possible(store)) {
        in_one_case.push_back(writes(buffer, store, element, store.linear_path));
      }
      never.push_back(terms_.negate(writes(buffer, store, element, store.access->decisive)));
    }
    never.push_back(terms_.any(in_one_case));
    return kernel_.solver.check(never, Effort::thorough) == Satisfiability::impossible;
  }

  static Image box(const Buffer& buffer) {
    Image image;
    for (const Axis& axis : buffer.axes) {
      image.indices.emplace_back(0);
      image.counts.push_back(axis.extent);
    }
    return image;
  }

  [[nodiscard]] bool are_linear(const std::vector<Polynomial>& values) const {
    return std::all_of(values.begin(), values.end(),
                       [&](const Polynomial& value) { return sets_.is_linear(value); });
  }

  /// Stores that differ in adjacent columns are one image.
  std::vector<Image> images(const Buffer& buffer, std::vector<Store>& stores) {
    std::stable_sort(stores.begin(), stores.end(), [](const Store& one, const Store& other) {
      return one.indices.back().constant_term() < other.indices.back().constant_term();
    });
    std::vector<Image> all;
    for (const Store& store : stores) {
      if (!is_possible(store) || !are_linear(store.indices)) continue;
      const Polynomial count = elements(terms_, *store.access, buffer);
      if (!sets_.is_linear(count)) continue;
      const bool is_added = std::any_of(all.begin(), all.end(), [&](Image& image) {
        std::vector<Polynomial> next = image.indices;
        next.back() = next.back() + image.counts.back();
        if (next != store.indices || image.conditions != store.linear_path) return false;
        image.counts.back() = image.counts.back() + count;
        return true;
      });
      if (is_added) continue;
      std::vector<Polynomial> counts(store.indices.size(), 1);
      counts.back() = count;
      all.push_back({store.indices, std::move(counts), store.linear_path});
    }
    return all;
  }

  const Kernel& kernel_;
  Terms& terms_;
  IntegerSets sets_;
};

}  // namespace

Gaps prove_covered(const Kernel& kernel) {
  Gaps gaps;
  Coverage coverage(kernel);
  for (const Buffer& buffer : kernel.domain.buffers) {
    if (!buffer.is_output) continue;
    coverage.check(buffer, gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
