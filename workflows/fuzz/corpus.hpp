// The corpus of a search: cases that together have every feature that occurred.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "workflows/fuzz/features.hpp"

namespace warpcheck::workflows::fuzz {

/// Returns the cost of a case: its size and the length of its line.
[[nodiscard]] double cost_of(const campaign::Case& problem);

class Corpus {
 public:
  struct Change {
    bool added = false;
    bool new_coverage = false;            // the kernel reached new coverage
    std::vector<campaign::Case> dropped;  // cases that no longer own a feature
  };

  /// Each feature belongs to the smallest case that has it. A case joins the corpus if it becomes
  /// the owner of a feature, and leaves it when it owns none any more.
  Change offer(const campaign::Case& problem, const std::vector<Feature>& features);

  /// Returns a case to mutate. The corpus must not be empty. Draws a kind of feature and a few
  /// features of this kind, and returns the owner of the rarest one. The owner is the smallest case
  /// with the feature, so small cases and rare ones are preferred. All kinds are equally likely, so
  /// kinds with many features do not crowd out the others.
  [[nodiscard]] const campaign::Case& choose(campaign::generate::Rng& random) const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t features() const { return owners_.size(); }
  /// Returns the cases in the order in which they were added.
  [[nodiscard]] std::vector<campaign::Case> cases() const;

 private:
  struct Entry {
    campaign::Case problem;
    double cost = 0.0;
    std::size_t owned = 0;  // features
  };
  struct Owned {
    std::uint64_t owner = 0;  // number of the entry
    std::uint64_t seen = 1;   // cases that had the feature
  };

  std::map<std::uint64_t, Entry> entries_;
  std::map<Feature, Owned> owners_;
  std::array<std::vector<Feature>, kFeatureKinds> seen_;  // features by kind, the earliest first
  std::uint64_t next_ = 0;
};

}  // namespace warpcheck::workflows::fuzz
