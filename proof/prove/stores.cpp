#include "proof/prove/stores.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::proof {

bool Stores::Store::is_possible() const {
  return std::find(linear_path.begin(), linear_path.end(), kFalse) == linear_path.end();
}

void Stores::add(std::vector<Polynomial> indices, Polynomial count, std::vector<Formula> path) {
  std::vector<Formula> linear_path;
  for (const Formula formula : path) linear_path.push_back(linear(formula));
  stores_.push_back(
      {std::move(indices), std::move(count), std::move(path), std::move(linear_path)});
}

/// A condition that is not linear is false.
Formula Stores::linear(Formula formula) const {
  if (sets_.is_linear(formula)) return formula;
  const FormulaNode content = terms_.node(formula);
  if (content.kind != FormulaKind::all && content.kind != FormulaKind::any) {
    return content.kind == FormulaKind::negation ? kTrue : kFalse;
  }
  std::vector<Formula> parts;
  for (const Formula part : content.parts) parts.push_back(linear(part));
  return content.kind == FormulaKind::all ? terms_.all(parts) : terms_.any(parts);
}

Formula Stores::writes(const Store& store, const std::vector<Polynomial>& element,
                       const std::vector<Formula>& path) const {
  std::vector<Formula> parts = path;
  for (std::size_t i = 0; i + 1 < element.size(); ++i) {
    parts.push_back(terms_.equal(element[i], store.indices[i]));
  }
  const Polynomial place = element.back() - store.indices.back();
  parts.push_back(terms_.at_most(0, place));
  parts.push_back(terms_.less(place, store.count));
  return terms_.all(parts);
}

bool Stores::write_in_any_case() const {
  const auto has_linear_path = [](const Store& store) { return store.linear_path == store.path; };
  if (std::all_of(stores_.begin(), stores_.end(), has_linear_path)) return true;
  std::vector<Polynomial> element;
  for (std::size_t i = 0; i < stores_.front().indices.size(); ++i) {
    element.push_back(terms_.unknown("index", Level::thread));
  }
  std::vector<Formula> in_one_case;
  std::vector<Formula> never;
  for (const Store& store : stores_) {
    if (store.is_possible()) in_one_case.push_back(writes(store, element, store.linear_path));
    never.push_back(terms_.negate(writes(store, element, store.path)));
  }
  never.push_back(terms_.any(in_one_case));
  return kernel_.solver.check(never, Effort::thorough) == Satisfiability::impossible;
}

void Stores::keep_linear() {
  std::erase_if(stores_, [](const Store& store) { return store.linear_path != store.path; });
}

bool Stores::are_linear(const std::vector<Polynomial>& values) const {
  return std::all_of(values.begin(), values.end(),
                     [&](const Polynomial& value) { return sets_.is_linear(value); });
}

std::vector<Image> Stores::images() const {
  std::vector<const Store*> ordered;
  for (const Store& store : stores_) {
    if (store.is_possible() && are_linear(store.indices) && sets_.is_linear(store.count)) {
      ordered.push_back(&store);
    }
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const Store* one, const Store* other) {
    return one->indices.back().constant_term() < other->indices.back().constant_term();
  });
  std::vector<Image> all;
  for (const Store* store : ordered) {
    const bool is_added = std::any_of(all.begin(), all.end(), [&](Image& image) {
      std::vector<Polynomial> next = image.indices;
      next.back() = next.back() + image.counts.back();
      if (next != store->indices || image.conditions != store->linear_path) return false;
      image.counts.back() = image.counts.back() + store->count;
      return true;
    });
    if (is_added) continue;
    std::vector<Polynomial> counts(store->indices.size(), 1);
    counts.back() = store->count;
    all.push_back({store->indices, std::move(counts), store->linear_path});
  }
  return all;
}

}  // namespace warpcheck::proof
