#include "report/finding/finding_text.hpp"

#include <fmt/format.h>

#include "report/finding/diagnosis_text.hpp"
#include "report/finding/help.hpp"
#include "report/finding/message.hpp"
#include "report/finding/notes.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;

std::string label_of(const Finding& finding) {
  if (!finding.thread) return "";
  const std::string thread = "thread " + thread_text(*finding.thread);
  if (finding.kind == FindingClass::barrier_divergence) return thread + " waits here";
  if (finding.kind == FindingClass::deadlock) return thread + " waits here";
  if (!finding.memory) return thread;
  return fmt::format("{} {} here", thread, finding.memory->write ? "writes" : "reads");
}

LabelledPlace first_access(const FindingReport& report) {
  const OtherAccess& other = *report.finding.other;
  return {&other.source, &report.other_excerpt,
          fmt::format("thread {} {} first", thread_text(other.thread),
                      other.write ? "writes" : "reads")};
}

}  // namespace

std::string thread_text(const ThreadPlace& thread) {
  return fmt::format("{} of block {}", triple(thread.thread), triple(thread.block));
}

bool is_about_values(FindingClass kind) {
  return kind == FindingClass::wrong_result || kind == FindingClass::nondeterministic;
}

FindingText finding_text(const FindingReport& report) {
  const Finding& finding = report.finding;
  FindingText text;
  text.title = fmt::format("error[{}]", name(finding.kind));
  text.message = message_text(finding);
  text.place = {&finding.source, &report.excerpt, label_of(finding)};
  if (finding.other) text.others.push_back(first_access(report));
  if (std::string diagnosis = diagnosis_text(report.diagnosis); !diagnosis.empty()) {
    text.notes.push_back(std::move(diagnosis));
  }
  for (std::string& note : evidence_notes(report)) text.notes.push_back(std::move(note));
  text.help = help_texts(report);
  return text;
}

}  // namespace warpcheck::report
