// The corpus of a search: cases that together have every feature that occurred.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "properties/case/case.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "workflows/fuzz/features.hpp"

namespace warpcheck::workflows::fuzz {

/// Returns the cost of a case: its work and the length of its line.
[[nodiscard]] double cost_of(const properties::Case& problem);

class Corpus {
 public:
  struct Change {
    bool added = false;
    bool new_coverage = false;              // the kernel reached new coverage
    std::vector<properties::Case> dropped;  // cases that no longer own a feature
  };

  /// Each feature belongs to the smallest case that has it. A case to which one comes to belong
  /// joins; cases to which none belongs any more leave.
  Change offer(const properties::Case& problem, const std::vector<Feature>& features);

  /// A case to go on from, of a corpus that holds one: that of the rarest of a few features of one
  /// kind, generated at random. Since it is the smallest that has it, small cases and rare ones are
  /// favoured; since every kind is as likely, the many features of some kinds do not drown the few
  /// of the others.
  [[nodiscard]] const properties::Case& choose(properties::generate::Rng& random) const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t features() const { return owners_.size(); }
  /// In the order in which they joined.
  [[nodiscard]] std::vector<properties::Case> cases() const;

 private:
  struct Entry {
    properties::Case problem;
    double cost = 0.0;
    std::size_t owned = 0;  // features
  };
  struct Owned {
    std::uint64_t owner = 0;  // number of the entry
    std::uint64_t seen = 1;   // cases that had the feature
  };

  std::map<std::uint64_t, Entry> entries_;
  std::map<Feature, Owned> owners_;
  std::array<std::vector<Feature>, kFeatureKinds> seen_;  // in the order of their first record
  std::uint64_t next_ = 0;
};

}  // namespace warpcheck::workflows::fuzz
