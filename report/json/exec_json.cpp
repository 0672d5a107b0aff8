#include "report/json/exec_json.hpp"

#include "base/text/demangle.hpp"
#include "report/json/finding_json.hpp"
#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;

Json stack_json(const workflows::exec::HostStack& stack) {
  Json all = Json::array();
  for (const workflows::exec::HostFrame& frame : stack) {
    Json& added = all.emplace_back(Json{{"object", frame.object}});
    if (!frame.function.empty()) added["function"] = frame.function;
    if (frame.line == 0) continue;
    added["file"] = relative_path(frame.file);
    added["line"] = frame.line;
  }
  return all;
}

void add_host(const std::string& kernel, const workflows::exec::HostStack& stack, Json& json) {
  if (!kernel.empty()) json["kernel"] = demangle(kernel);
  json["stack"] = stack_json(stack);
}

}  // namespace

Json exec_json(std::string_view event_kind, const workflows::exec::FindingEvent& event) {
  properties::campaign::FindingReport report;
  report.device = "virtual";
  report.finding = event.finding;
  Json json = finding_json(event_kind, report);
  for (const char* const of_case : {"variant", "case", "smallest"}) json.erase(of_case);
  json["event"] = "exec_" + std::string(event_kind);
  if (event.launch != 0) json["launch"] = event.launch;
  add_host(event.kernel, event.stack, json);
  for (const workflows::exec::RelatedStack& related : event.related) {
    json["related"].push_back({{"title", related.title}, {"stack", stack_json(related.frames)}});
  }
  return json;
}

Json exec_json(const workflows::exec::UnsupportedEvent& event) {
  Json json = {{"event", "exec_unsupported"},
               {"form", event.what.form},
               {"message", event.what.reason},
               {"section", event.what.section},
               {"file", relative_path(event.what.source.file)},
               {"line", event.what.source.line},
               {"instruction", event.what.source.instruction}};
  add_host(event.kernel, event.stack, json);
  return json;
}

}  // namespace warpcheck::report
