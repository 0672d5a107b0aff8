// The parts of a finding as text: title, sentence, places, notes and help. The formats render them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/report.hpp"

namespace warpcheck::report {

/// A place in the source with its lines.
struct LabelledPlace {
  const SourcePlace* source = nullptr;
  const campaign::run::Excerpt* excerpt = nullptr;
  std::string label;  // "thread (0, 1, 0) of block (0, 0, 0) writes here"; may be empty
};

/// Refers to the report, which must outlive it.
struct FindingText {
  std::string title;    // "error[race]"
  std::string message;  // one sentence, lower case, no period; may have several lines
  LabelledPlace place;
  std::vector<LabelledPlace> others;  // the first access of a race
  std::vector<std::string> notes;     // the diagnosis of wrong values, other evidence
  std::vector<std::string> help;
};

[[nodiscard]] FindingText finding_text(const campaign::FindingReport& report);

/// "(0, 1, 0) of block (0, 0, 0)".
[[nodiscard]] std::string thread_text(const ThreadPlace& thread);

/// True if the finding shows wrong values rather than the instruction that is wrong. Its message
/// names the element, and its property explains what was expected.
[[nodiscard]] bool is_about_values(FindingClass kind);

}  // namespace warpcheck::report
