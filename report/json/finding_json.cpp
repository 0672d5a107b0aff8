#include "report/json/finding_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/finding/help.hpp"
#include "report/finding/message.hpp"
#include "report/finding/notes.hpp"
#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using campaign::judge::Mismatch;

Json triple_json(const Dim3& at) { return {at.x, at.y, at.z}; }

/// Adds the thread, the column and the instruction, as far as they are known. `prefix`: "other_"
/// for the earlier access of a race.
void add_place(const std::string& prefix, const SourcePlace& source, const ThreadPlace* thread,
               Json& event) {
  if (source.column != 0) event[prefix + "column"] = source.column;
  if (!source.instruction.empty()) event[prefix + "instruction"] = source.instruction;
  if (thread == nullptr) return;
  event[prefix + "thread"] = triple_json(thread->thread);
  event[prefix + "block"] = triple_json(thread->block);
}

Json memory_json(const MemoryPlace& memory) {
  Json value = {{"name", memory.name},
                {"offset", memory.offset},
                {"bytes", memory.bytes},
                {"write", memory.write}};
  if (memory.extent) value["extent"] = *memory.extent;
  return value;
}

/// A file and a line.
Json line_json(const SourcePlace& source) {
  return {{"file", relative_path(source.file)}, {"line", source.line}};
}

Json origin_json(const Origin& origin) {
  Json value = line_json(origin.source);
  value["instruction"] = origin.source.instruction;
  if (origin.memory) value["memory"] = memory_json(*origin.memory);
  if (origin.memory) value["written"] = origin.written;
  if (origin.lane) {
    value["absent_lane"] = {{"lane", origin.lane->lane}, {"reason", name(origin.lane->reason)}};
  }
  return value;
}

Json missing_order_json(const MissingOrder& missing) {
  Json value = {{"kind", name(missing.kind)}, {"next_iteration", missing.next_iteration}};
  for (const SourcePlace& place : missing.at) value["at"].push_back(line_json(place));
  return value;
}

Json overflow_json(const IndexOverflow& overflow) {
  Json value = line_json(overflow.source);
  value["instruction"] = overflow.source.instruction;
  value["bits"] = overflow.bits;
  value["signed"] = overflow.is_signed;
  value["memory"] = memory_json(overflow.memory);
  value["offset"] = overflow.offset;
  return value;
}

std::string_view name_of(ThreadGroup::State state) {
  switch (state) {
    case ThreadGroup::State::waits:
      return "waits";
    case ThreadGroup::State::spins:
      return "spins";
    case ThreadGroup::State::exited:
      return "exited";
  }
  return "";
}

Json group_json(const ThreadGroup& group) {
  Json value = line_json(group.source);
  value["state"] = name_of(group.state);
  value["threads"] = group.threads;
  value["thread"] = triple_json(group.first.thread);
  value["block"] = triple_json(group.first.block);
  if (const std::string event = event_text(group.waits_for); !event.empty()) {
    value["waits_for"] = event;
  }
  return value;
}

Json same_cause_json(const Finding& finding) {
  Json value = line_json(finding.source);
  value["class"] = name(finding.kind);
  value["message"] = message_text(finding);
  if (finding.memory) value["memory"] = memory_json(*finding.memory);
  if (finding.other) {
    value["other_file"] = relative_path(finding.other->source.file);
    value["other_line"] = finding.other->source.line;
  }
  return value;
}

Json values_json(const Mismatch& mismatch) {
  Json values = {{"row", mismatch.row},
                 {"column", mismatch.column},
                 {"got", number_json(mismatch.got)},
                 {"expected", number_json(mismatch.expected)},
                 {"tolerance", number_json(mismatch.tolerance)},
                 {"wrong", mismatch.wrong},
                 {"elements", mismatch.elements}};
  for (const campaign::judge::WrongElement& element : mismatch.worst) {
    values["worst"].push_back({{"element", element.name},
                               {"row", element.row},
                               {"column", element.column},
                               {"got", number_json(element.got)},
                               {"expected", number_json(element.expected)},
                               {"tolerance", number_json(element.tolerance)}});
  }
  return values;
}

/// Adds where and on which values the defect occurred.
void add_evidence(const campaign::FindingReport& report, Json& event) {
  const Finding& finding = report.finding;
  add_place("", finding.source, finding.thread ? &*finding.thread : nullptr, event);
  if (finding.memory) event["memory"] = memory_json(*finding.memory);
  if (!report.element.empty()) event["element"] = report.element;
  if (report.mismatch) event["values"] = values_json(*report.mismatch);
  if (finding.missing) event["missing_order"] = missing_order_json(*finding.missing);
  if (finding.origin) event["origin"] = origin_json(*finding.origin);
  if (finding.overflow) event["overflow"] = overflow_json(*finding.overflow);
  for (const ThreadGroup& group : finding.groups) event["threads"].push_back(group_json(group));
  for (const Finding& other : finding.same_cause) {
    event["same_cause"].push_back(same_cause_json(other));
  }
  if (report.condition) {
    event["fails_unless"] = {{"condition", report.condition->text},
                             {"failing", report.condition->failing},
                             {"passing", report.condition->passing}};
  }
}

Json stack_json(const device::HostStack& stack) {
  Json all = Json::array();
  for (const device::HostFrame& frame : stack) {
    Json& added = all.emplace_back(Json{{"object", frame.object}});
    if (!frame.function.empty()) added["function"] = frame.function;
    if (frame.line == 0) continue;
    added["file"] = relative_path(frame.file);
    added["line"] = frame.line;
  }
  return all;
}

/// The beginning of the event of a finding with a case.
Json campaign_json(std::string_view event_kind, const campaign::FindingReport& report) {
  return {{"event", event_kind},
          {"variant", report.variant},
          {"device", report.device},
          {"class", name(report.finding.kind)},
          {"case", to_line(report.original)},
          {"smallest", to_line(report.smallest)}};
}

/// The beginning of the event of a finding of a program.
Json program_json(std::string_view event_kind, const campaign::FindingReport& report) {
  Json event = {{"event", fmt::format("exec_{}", event_kind)},
                {"device", report.device},
                {"class", name(report.finding.kind)}};
  if (report.launch != 0) {
    event["kernel"] = report.variant;
    event["launch"] = report.launch;
  }
  event["stack"] = stack_json(report.stacks.front().frames);
  for (std::size_t i = 1; i < report.stacks.size(); ++i) {
    event["related"].push_back(
        {{"title", report.stacks[i].title}, {"stack", stack_json(report.stacks[i].frames)}});
  }
  return event;
}

}  // namespace

nlohmann::ordered_json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

nlohmann::ordered_json finding_json(std::string_view event_kind,
                                    const campaign::FindingReport& report) {
  const Finding& finding = report.finding;
  nlohmann::ordered_json event =
      report.is_program() ? program_json(event_kind, report) : campaign_json(event_kind, report);
  event["file"] = relative_path(finding.source.file);
  event["line"] = finding.source.line;
  event["message"] = message_text(finding);
  if (!report.property.empty()) event["property"] = report.property;
  add_evidence(report, event);
  for (const CallSite& call : finding.source.calls) {
    event["called_from"].push_back({{"file", relative_path(call.file)}, {"line", call.line}});
  }
  if (finding.other) {
    event["other_file"] = relative_path(finding.other->source.file);
    event["other_line"] = finding.other->source.line;
    add_place("other_", finding.other->source, &finding.other->thread, event);
    event["count"] = finding.count;
  }
  if (const std::string advice = advice_text(report.advice); !advice.empty()) {
    event["advice"] = advice;
  }
  if (report.more_cases != 0) event["more_cases"] = report.more_cases;
  if (!report.fully_shrunk) event["fully_shrunk"] = false;
  if (finding.grade == Grade::same_value) event["benign"] = true;
  if (finding.grade != Grade::failure) event["grade"] = name(finding.grade);
  if (!report.known.empty()) event["known"] = report.known;
  if (!report.regression.empty()) event["regression"] = report.regression;
  return event;
}

nlohmann::ordered_json unsupported_json(std::string_view variant, std::string_view device,
                                        const campaign::UnsupportedForm& form) {
  const SourcePlace& source = form.what.source;
  if (form.is_program()) {
    Json event = {
        {"event", "exec_unsupported"},        {"form", form.what.form},
        {"message", reason_text(form.what)},  {"section", form.what.section},
        {"file", relative_path(source.file)}, {"line", source.line},
        {"instruction", source.instruction},  {"stack", stack_json(form.stacks.front().frames)}};
    if (form.stacks.front().title == device::kLaunchedBy) event["kernel"] = variant;
    return event;
  }
  return {{"event", "unsupported"},
          {"variant", variant},
          {"device", device},
          {"form", form.what.form},
          {"message", reason_text(form.what)},
          {"section", form.what.section},
          {"case", to_line(form.problem)},
          {"cases", form.cases},
          {"file", relative_path(source.file)},
          {"line", source.line},
          {"ptx_line", source.ptx_line},
          {"instruction", source.instruction}};
}

}  // namespace warpcheck::report
