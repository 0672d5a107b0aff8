// Findings of a program that its user accepts, in a TOML file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/report.hpp"

namespace warpcheck::workflows::exec {

/// A table [[suppression]]. A condition that is empty matches everything.
struct Suppression {
  FindingClass kind = FindingClass::race;
  std::string kernel = {};    // glob for the whole name, or for the name before "(" and "<"
  std::string file = {};      // glob for the path or its end
  unsigned line = 0;          // line of the finding; 0: any
  std::string code = {};      // text of that line; blanks do not count
  std::string function = {};  // glob for a call of the host
  std::string reason = {};
  Location where = {};
  bool is_used = false;  // it matched a finding
};

class Suppressions {
 public:
  Suppressions() = default;

  /// Reads the text of a file. Throws InputError with all errors, located.
  [[nodiscard]] static Suppressions parse(std::string_view toml, const std::string& file);

  /// Sets `known` of the finding to the reason of the first suppression that matches it.
  void apply(campaign::FindingReport& finding);

  /// The suppressions that matched no finding.
  [[nodiscard]] std::vector<const Suppression*> unused() const;

 private:
  std::vector<Suppression> all_;
};

/// The text of a file that suppresses all findings of a program, each with its sentence as reason.
[[nodiscard]] std::string suppressions_of(const campaign::CampaignReport& campaign,
                                          const campaign::FindingSentence& sentence);

}  // namespace warpcheck::workflows::exec
