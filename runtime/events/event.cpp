#include "runtime/events/event.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "device/encoding/finding_encoding.hpp"

namespace warpcheck::runtime {
namespace {

using device::encoding::finding_json;
using device::encoding::finding_of;
using device::encoding::unsupported_json;
using device::encoding::unsupported_of;
using Json = nlohmann::ordered_json;

Json json_of(const HostStack& stack) {
  Json json = Json::array();
  for (const HostFrame& frame : stack) {
    json.push_back({{"object", frame.object},
                    {"offset", frame.offset},
                    {"function", frame.function},
                    {"file", frame.file},
                    {"line", frame.line}});
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
    added.file = frame.at("file");
    added.line = frame.at("line");
  }
  return stack;
}

Json json_of(const EventId& id) { return {id.process, id.number}; }

EventId id_from(const Json& json) { return {json.at(0), json.at(1)}; }

Json json_of(const FindingEvent& event) {
  Json json = {{"event", "finding"},
               {"id", json_of(event.id)},
               {"finding", finding_json(event.finding)},
               {"kernel", event.kernel},
               {"launch", event.launch},
               {"after", event.after},
               {"stack", json_of(event.stack)},
               {"related", Json::array()},
               {"test", event.test},
               {"allowed", event.is_allowed}};
  for (const RelatedStack& related : event.related) {
    json["related"].push_back({{"title", related.title}, {"stack", json_of(related.frames)}});
  }
  return json;
}

FindingEvent finding_event_from(const Json& json) {
  FindingEvent event;
  event.id = id_from(json.at("id"));
  event.test = json.at("test");
  event.is_allowed = json.at("allowed");
  event.finding = finding_of(json.at("finding"));
  event.kernel = json.at("kernel");
  event.launch = json.at("launch");
  event.after = json.at("after");
  event.stack = stack_from(json.at("stack"));
  for (const Json& related : json.at("related")) {
    event.related.push_back({related.at("title"), stack_from(related.at("stack"))});
  }
  return event;
}

Json json_of(const UnsupportedEvent& event) {
  return {{"event", "unsupported"},
          {"id", json_of(event.id)},
          {"what", unsupported_json(event.what)},
          {"kernel", event.kernel},
          {"stack", json_of(event.stack)}};
}

UnsupportedEvent unsupported_from(const Json& json) {
  return {unsupported_of(json.at("what")), json.at("kernel"), stack_from(json.at("stack")),
          id_from(json.at("id"))};
}

Json json_of(const ErrorEvent& event) {
  return {{"event", "error"}, {"message", event.message}, {"status", event.status}};
}

Json json_of(const StartEvent& event) { return {{"event", "start"}, {"process", event.process}}; }

Json json_of(const TotalsEvent& event) {
  Json json = {{"event", "totals"},
               {"process", event.process},
               {"launches", event.launches},
               {"skipped", event.skipped},
               {"warp_instructions", event.warp_instructions},
               {"repeated", event.repeated},
               {"calls", event.calls},
               {"kernels", Json::array()},
               {"unsupported", Json::array()}};
  for (const KernelRuns& kernel : event.kernels) {
    json["kernels"].push_back({kernel.name, kernel.runs, kernel.seconds, kernel.skipped});
  }
  for (const UnsupportedCalls& one : event.unsupported) {
    json["unsupported"].push_back({one.function, one.calls});
  }
  return json;
}

TotalsEvent totals_from(const Json& json) {
  TotalsEvent totals{json.at("process"),           json.at("launches"), json.at("skipped"),
                     json.at("warp_instructions"), json.at("repeated"), json.at("calls")};
  for (const Json& kernel : json.at("kernels")) {
    totals.kernels.push_back({kernel.at(0), kernel.at(1), kernel.at(2), kernel.at(3)});
  }
  for (const Json& one : json.at("unsupported")) {
    totals.unsupported.push_back({one.at(0), one.at(1)});
  }
  return totals;
}

Event event_from(const Json& json) {
  const std::string kind = json.at("event");
  if (kind == "finding") return finding_event_from(json);
  if (kind == "unsupported") return unsupported_from(json);
  if (kind == "error") return ErrorEvent{json.at("message"), json.at("status")};
  if (kind == "start") return StartEvent{json.at("process")};
  return totals_from(json);
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
} catch (const std::runtime_error&) {
  return std::nullopt;
}

std::string_view name(Reply::Kind kind) {
  switch (kind) {
    case Reply::Kind::finding:
      return "finding";
    case Reply::Kind::known:
      return "known";
    case Reply::Kind::note:
      return "note";
    case Reply::Kind::unsupported:
      return "unsupported";
  }
  return "";
}

std::string to_json(const Reply& reply) {
  const Json json = {
      {"id", json_of(reply.id)}, {"kind", static_cast<int>(reply.kind)}, {"text", reply.text}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Reply> reply_from_json(std::string_view line) try {
  const Json json = Json::parse(line);
  return Reply{id_from(json.at("id")), static_cast<Reply::Kind>(json.at("kind").get<int>()),
               json.at("text")};
} catch (const Json::exception&) {
  return std::nullopt;
}

void add_calls(std::vector<UnsupportedCalls>& all, const UnsupportedCalls& added) {
  const auto known = std::find_if(all.begin(), all.end(), [&](const UnsupportedCalls& one) {
    return one.function == added.function;
  });
  known == all.end() ? all.push_back(added) : void(known->calls += added.calls);
}

bool is_of_device_runtime(std::string_view kernel) {
  return kernel.starts_with("__nv_static_") &&
         kernel.find("_cuda_device_runtime_cu_") != std::string_view::npos;
}

}  // namespace warpcheck::runtime
