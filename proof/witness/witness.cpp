#include "proof/witness/witness.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace warpcheck::proof {
namespace {

constexpr std::int64_t kAddressBytes = 256;  // a case states an address modulo this

/// The value of a polynomial; symbols without a value have the least of their range.
std::int64_t evaluate(const Terms& terms, const Model& model, const Polynomial& value) {
  std::int64_t sum = 0;
  for (const auto& [monomial, factor] : value.terms()) {
    std::int64_t product = factor;
    for (const SymbolId id : monomial) {
      const auto found = model.find(id);
      product *= found == model.end() ? terms[id].range.least.value_or(0) : found->second;
    }
    sum += product;
  }
  return sum;
}

bool is_stride(const std::string& word) {
  return word.starts_with("ld") || word.starts_with("stride") || word.starts_with("batch_stride");
}

/// Strides that the model does not mention are tight.
void set_free_strides(const Terms& terms, const Model& model, const Domain& domain,
                      Witness& witness) {
  for (const Buffer& buffer : domain.buffers) {
    std::int64_t tight = 1;
    for (auto axis = buffer.axes.rbegin(); axis != buffer.axes.rend(); ++axis) {
      std::int64_t stride = evaluate(terms, model, axis->stride);
      for (const auto& [word, value] : domain.words) {
        if (!is_stride(word) || value != axis->stride) continue;
        const auto symbols = value.symbols();
        const bool is_free = std::none_of(symbols.begin(), symbols.end(),
                                          [&](SymbolId id) { return model.contains(id); });
        if (is_free) stride = witness.sizes[word] = std::max(witness.sizes[word], tight);
      }
      tight = stride * std::max<std::int64_t>(evaluate(terms, model, axis->extent), 1);
    }
  }
}

}  // namespace

Witness make_witness(const Terms& terms, const Model& model, const Domain& domain) {
  Witness witness;
  for (const auto& [word, value] : domain.words) {
    witness.sizes[word] = evaluate(terms, model, value);
  }
  set_free_strides(terms, model, domain, witness);
  for (const Buffer& buffer : domain.buffers) {
    const auto found = model.find(buffer.pointer);
    if (found == model.end()) continue;
    const std::int64_t offset = found->second % kAddressBytes / buffer.element_bytes;
    if (offset != 0) witness.offsets[buffer.name] = offset;
  }
  for (const auto& [id, value] : model) {
    if (terms[id].is_truth && terms[id].name.starts_with("beta eq"))
      witness.beta_is_zero = value != 0;
  }
  return witness;
}

std::vector<Witness> find_witnesses(Terms& terms, Solver& solver, const Domain& domain,
                                    const std::vector<Formula>& violation, bool bound_strides) {
  std::vector<Witness> witnesses;
  for (const std::optional<std::int64_t> bound :
       {std::optional<std::int64_t>(2), {5}, {20}, {70}, {300}, {3000}, {}}) {
    std::vector<Formula> formulas = violation;
    for (const auto& [word, value] : domain.words) {
      if (!bound || (!bound_strides && is_stride(word))) continue;
      formulas.push_back(terms.at_most(value, *bound));
    }
    if (!solver.has_work_left()) break;
    const Solver::Search found = solver.find(formulas);
    if (found.result != Satisfiability::possible) continue;
    witnesses.push_back(make_witness(terms, found.model, domain));
    if (witnesses.size() == 2) break;
  }
  return witnesses;
}

std::optional<Witness> smallest_witness(Terms& terms, Solver& solver, const Domain& domain,
                                        const std::vector<Formula>& violation) {
  std::map<std::string, std::int64_t> limits;
  std::optional<Witness> found;
  constexpr int kMostUndecided = 4;  // queries about products may take long
  int undecided = 0;
  const auto is_found = [&] {
    if (undecided == kMostUndecided || !solver.has_work_left()) return false;
    std::vector<Formula> formulas = violation;
    for (const auto& [word, value] : domain.words) {
      formulas.push_back(terms.at_most(value, limits[word]));
    }
    const Solver::Search search = solver.find(formulas, Effort::quick);
    if (search.result == Satisfiability::unknown) ++undecided;
    if (search.result != Satisfiability::possible) return false;
    found = make_witness(terms, search.model, domain);
    return true;
  };
  const auto limit_all = [&](std::int64_t limit) {
    for (const auto& [word, value] : domain.words) limits[word] = limit;
  };
  std::int64_t least = 0;
  std::int64_t most = std::int64_t{1} << 31;
  limit_all(most);
  if (!is_found()) return std::nullopt;
  while (most - least > 1) {
    const std::int64_t middle = least + (most - least) / 2;
    limit_all(middle);
    (is_found() ? most : least) = middle;
  }
  limit_all(most);
  for (const auto& [word, value] : domain.words) {
    limits[word] = 1;
    if (!is_found()) limits[word] = most;
  }
  return found;
}

}  // namespace warpcheck::proof
