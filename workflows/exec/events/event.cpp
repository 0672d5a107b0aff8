#include "workflows/exec/events/event.hpp"

#include <nlohmann/json.hpp>

namespace warpcheck::workflows::exec {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Dim3& at) { return {at.x, at.y, at.z}; }
Dim3 dim3_from(const Json& json) {
  return {json.at(0).get<unsigned>(), json.at(1).get<unsigned>(), json.at(2).get<unsigned>()};
}

Json json_of(const SourcePlace& place) {
  Json json = {{"file", place.file},         {"line", place.line},
               {"column", place.column},     {"instruction", place.instruction},
               {"ptx_line", place.ptx_line}, {"from_toolkit", place.from_toolkit}};
  for (const CallSite& call : place.calls) json["calls"].push_back({call.file, call.line});
  return json;
}

SourcePlace source_from(const Json& json) {
  SourcePlace place;
  place.file = json.at("file");
  place.line = json.at("line");
  place.column = json.at("column");
  place.instruction = json.at("instruction");
  place.ptx_line = json.at("ptx_line");
  place.from_toolkit = json.at("from_toolkit");
  for (const Json& call : json.value("calls", Json::array())) {
    place.calls.push_back({call.at(0).get<std::string>(), call.at(1).get<unsigned>()});
  }
  return place;
}

Json json_of(const ThreadPlace& place) {
  return {{"block", json_of(place.block)}, {"thread", json_of(place.thread)}};
}
ThreadPlace thread_from(const Json& json) {
  return {dim3_from(json.at("block")), dim3_from(json.at("thread"))};
}

Json json_of(const Finding& finding) {
  Json json = {{"class", name(finding.kind)},
               {"grade", name(finding.grade)},
               {"message", finding.message},
               {"count", finding.count},
               {"source", json_of(finding.source)}};
  if (finding.thread) json["thread"] = json_of(*finding.thread);
  if (const auto& memory = finding.memory) {
    json["memory"] = {{"name", memory->name},
                      {"offset", memory->offset},
                      {"bytes", memory->bytes},
                      {"write", memory->write}};
  }
  if (const auto& other = finding.other) {
    json["other"] = {{"source", json_of(other->source)},
                     {"thread", json_of(other->thread)},
                     {"write", other->write}};
  }
  return json;
}

Finding finding_from(const Json& json) {
  Finding finding;
  finding.kind = finding_class(json.at("class").get<std::string>()).value();
  finding.grade = grade(json.at("grade").get<std::string>()).value();
  finding.message = json.at("message");
  finding.count = json.at("count");
  finding.source = source_from(json.at("source"));
  if (json.contains("thread")) finding.thread = thread_from(json["thread"]);
  if (json.contains("memory")) {
    const Json& memory = json["memory"];
    finding.memory =
        MemoryPlace{memory.at("name"), memory.at("offset"), memory.at("bytes"), memory.at("write")};
  }
  if (json.contains("other")) {
    const Json& other = json["other"];
    finding.other = OtherAccess{source_from(other.at("source")), thread_from(other.at("thread")),
                                other.at("write")};
  }
  return finding;
}

Json json_of(const HostStack& stack) {
  Json json = Json::array();
  for (const HostFrame& frame : stack) {
    json.push_back(
        {{"object", frame.object}, {"offset", frame.offset}, {"function", frame.function}});
  }
  return json;
}

HostStack stack_from(const Json& json) {
  HostStack stack;
  for (const Json& frame : json) {
    HostFrame& added = stack.emplace_back();
    added.object = frame.at("object");
    added.offset = frame.at("offset");
    added.function = frame.at("function");
  }
  return stack;
}

Json json_of(const FindingEvent& event) {
  Json json = {
      {"event", "finding"},     {"finding", json_of(event.finding)}, {"kernel", event.kernel},
      {"launch", event.launch}, {"stack", json_of(event.stack)},     {"related", Json::array()}};
  for (const RelatedStack& related : event.related) {
    json["related"].push_back({{"title", related.title}, {"stack", json_of(related.frames)}});
  }
  return json;
}

FindingEvent finding_event_from(const Json& json) {
  FindingEvent event;
  event.finding = finding_from(json.at("finding"));
  event.kernel = json.at("kernel");
  event.launch = json.at("launch");
  event.stack = stack_from(json.at("stack"));
  for (const Json& related : json.at("related")) {
    event.related.push_back({related.at("title"), stack_from(related.at("stack"))});
  }
  return event;
}

Json json_of(const UnsupportedEvent& event) {
  return {{"event", "unsupported"},
          {"form", event.what.form},
          {"reason", event.what.reason},
          {"section", event.what.section},
          {"source", json_of(event.what.source)},
          {"kernel", event.kernel},
          {"stack", json_of(event.stack)}};
}

UnsupportedEvent unsupported_from(const Json& json) {
  return {{json.at("form"), json.at("reason"), json.at("section"), source_from(json.at("source"))},
          json.at("kernel"),
          stack_from(json.at("stack"))};
}

Json json_of(const ErrorEvent& event) {
  return {{"event", "error"}, {"message", event.message}, {"status", event.status}};
}

Json json_of(const StartEvent& event) { return {{"event", "start"}, {"process", event.process}}; }

Json json_of(const TotalsEvent& event) {
  return {{"event", "totals"},
          {"process", event.process},
          {"launches", event.launches},
          {"skipped", event.skipped},
          {"warp_instructions", event.warp_instructions},
          {"repeated", event.repeated}};
}

Event event_from(const Json& json) {
  const std::string kind = json.at("event");
  if (kind == "finding") return finding_event_from(json);
  if (kind == "unsupported") return unsupported_from(json);
  if (kind == "error") return ErrorEvent{json.at("message"), json.at("status")};
  if (kind == "start") return StartEvent{json.at("process")};
  return TotalsEvent{json.at("process"), json.at("launches"), json.at("skipped"),
                     json.at("warp_instructions"), json.at("repeated")};
}

}  // namespace

std::string to_json(const Event& event) {
  const Json json = std::visit([](const auto& one) { return json_of(one); }, event);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Event> event_from_json(std::string_view line) try {
  return event_from(Json::parse(line));
} catch (const Json::exception&) {
  return std::nullopt;
} catch (const std::bad_optional_access&) {
  return std::nullopt;
}

}  // namespace warpcheck::workflows::exec
