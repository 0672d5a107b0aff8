#include "workflows/fuzz/corpus.hpp"

#include <algorithm>

namespace warpcheck::workflows::fuzz {

double cost_of(const campaign::Case& problem) {
  // Prefers the shorter line among cases of the same size: it has fewer unusual fields.
  return campaign::size_measure(problem) +
         static_cast<double>(campaign::to_line(problem).size()) / 1024.0;
}

Corpus::Change Corpus::offer(const campaign::Case& problem, const std::vector<Feature>& features) {
  const std::uint64_t number = next_;
  Entry entry{problem, cost_of(problem), 0};
  Change change;
  for (const Feature& feature : features) {
    const auto [found, is_new] = owners_.try_emplace(feature, Owned{number});
    if (is_new) {
      seen_[static_cast<std::size_t>(feature.kind)].push_back(feature);
      change.new_coverage = change.new_coverage || is_coverage(feature);
      ++entry.owned;
      continue;
    }
    ++found->second.seen;
    Entry& owner = entries_.at(found->second.owner);
    if (owner.cost <= entry.cost) continue;
    found->second.owner = number;
    ++entry.owned;
    if (--owner.owned == 0) change.dropped.push_back(owner.problem);
  }
  change.added = entry.owned != 0;
  if (!change.added) return change;
  ++next_;
  std::erase_if(entries_, [](const auto& one) { return one.second.owned == 0; });
  entries_.emplace(number, std::move(entry));
  return change;
}

const campaign::Case& Corpus::choose(campaign::generate::Rng& random) const {
  constexpr int kRivals = 4;
  const std::vector<Feature>* kind = nullptr;
  while (kind == nullptr || kind->empty()) kind = &seen_[random.below(seen_.size())];
  const Owned* rarest = nullptr;
  for (int i = 0; i < kRivals; ++i) {
    const Owned& rival = owners_.at(random.of(*kind));
    if (rarest == nullptr || rival.seen < rarest->seen) rarest = &rival;
  }
  return entries_.at(rarest->owner).problem;
}

std::vector<campaign::Case> Corpus::cases() const {
  std::vector<campaign::Case> cases;
  for (const auto& [number, entry] : entries_) cases.push_back(entry.problem);
  return cases;
}

}  // namespace warpcheck::workflows::fuzz
