#include "device/encoding/finding_encoding.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace warpcheck::device::encoding {
namespace {

using Json = nlohmann::ordered_json;

/// Reads a number of an enumeration whose last value is `last`.
template <class Enum>
Enum enumerator(const Json& value, Enum last, std::string_view what) {
  const int number = value;
  if (number < 0 || number > static_cast<int>(last)) {
    throw std::runtime_error(fmt::format("found {}, expected {}", number, what));
  }
  return static_cast<Enum>(number);
}

/// Absent where it is UserOption::none, and in histories of earlier releases.
UserOption option_of(const Json& value) {
  const Json none = static_cast<int>(UserOption::none);
  return enumerator(value.value("option", none), kLastUserOption, "an option");
}

Json json(const InstructionFacts& facts) {
  return {{"kind", static_cast<int>(facts.kind)},
          {"completion", static_cast<int>(facts.completion)},
          {"vector", facts.vector},
          {"read_only", facts.read_only},
          {"has_table", facts.has_table},
          {"callee", text_json(facts.callee)}};
}

InstructionFacts facts_of(const Json& value) {
  return {enumerator(value.at("kind"), InstructionKind::other, "a kind of instruction"),
          enumerator(value.at("completion"), kLastCompletion, "how an instruction completes"),
          value.at("vector"),
          value.at("read_only"),
          value.at("has_table"),
          text_of(value.at("callee"))};
}

Json json(const Dim3& place) { return {place.x, place.y, place.z}; }

Dim3 dim3(const Json& value) { return {value.at(0), value.at(1), value.at(2)}; }

Json json(const ThreadPlace& place) {
  return {{"block", json(place.block)}, {"thread", json(place.thread)}};
}

ThreadPlace thread_place(const Json& value) {
  return {dim3(value.at("block")), dim3(value.at("thread"))};
}

Json json(const MemoryPlace& place) {
  Json value = {{"name", text_json(place.name)},
                {"offset", place.offset},
                {"bytes", place.bytes},
                {"write", place.write}};
  if (place.extent) value["extent"] = *place.extent;
  return value;
}

MemoryPlace memory_place(const Json& value) {
  MemoryPlace place{text_of(value.at("name")), value.at("offset"), value.at("bytes"),
                    value.at("write")};
  if (value.contains("extent")) place.extent = value.at("extent");
  return place;
}

Json json(const OtherAccess& other) {
  return {{"source", source_json(other.source)},
          {"thread", json(other.thread)},
          {"write", other.write}};
}

OtherAccess other_access(const Json& value) {
  return {source_of(value.at("source")), thread_place(value.at("thread")), value.at("write")};
}

Json json(const MissingOrder& missing) {
  Json value = {{"kind", static_cast<int>(missing.kind)},
                {"exchanged", missing.exchanged},
                {"next_iteration", missing.next_iteration},
                {"within_warp", missing.within_warp}};
  for (const SourcePlace& place : missing.at) value["at"].push_back(source_json(place));
  return value;
}

MissingOrder missing_order(const Json& value) {
  MissingOrder missing{enumerator(value.at("kind"), MissingOrder::Kind::barrier_after_acquire,
                                  "a kind of missing order"),
                       value.at("exchanged"), value.at("next_iteration"),
                       // Absent in histories of earlier releases.
                       value.value("within_warp", false)};
  for (const Json& place : value.value("at", Json::array())) {
    missing.at.push_back(source_of(place));
  }
  return missing;
}

Json json(const Origin& origin) {
  Json value = {{"source", source_json(origin.source)}, {"written", origin.written}};
  if (origin.memory) value["memory"] = json(*origin.memory);
  if (origin.lane) {
    value["lane"] = {{"number", origin.lane->lane},
                     {"reason", static_cast<int>(origin.lane->reason)}};
  }
  return value;
}

Origin origin_of(const Json& value) {
  Origin origin{source_of(value.at("source")), {}, value.at("written")};
  if (value.contains("memory")) origin.memory = memory_place(value.at("memory"));
  if (value.contains("lane")) {
    const Json& lane = value.at("lane");
    origin.lane = AbsentLane{
        lane.at("number"),
        enumerator(lane.at("reason"), AbsentLane::Reason::exited, "why a lane is absent")};
  }
  return origin;
}

Json json(const IndexOverflow& overflow) {
  return {{"source", source_json(overflow.source)}, {"bits", overflow.bits},
          {"signed", overflow.is_signed},           {"access", source_json(overflow.access)},
          {"memory", json(overflow.memory)},        {"offset", overflow.offset}};
}

IndexOverflow overflow_of(const Json& value) {
  return {source_of(value.at("source")),
          value.at("bits"),
          value.at("signed"),
          source_of(value.at("access")),
          memory_place(value.at("memory")),
          value.at("offset")};
}

Json json(const Race& race) {
  Json value = {{"kind", static_cast<int>(race.kind)},
                {"two_blocks", race.two_blocks},
                {"is_descendant", race.is_descendant},
                {"reduces", race.reduces},
                {"multiplies", race.multiplies},
                {"waited_for", race.waited_for},
                {"writes", race.writes},
                {"register", text_json(race.register_name)}};
  if (race.wait) value["wait"] = source_json(*race.wait);
  for (const RacingGrid& grid : race.grids) {
    value["grids"].push_back(
        {{"kernel", text_json(grid.kernel)}, {"launch", source_json(grid.launch)}});
  }
  return value;
}

Race race_of(const Json& value) {
  Race race;
  race.kind = enumerator(value.at("kind"), kLastRaceKind, "a kind of race");
  race.two_blocks = value.at("two_blocks");
  race.is_descendant = value.at("is_descendant");
  race.reduces = value.at("reduces");
  race.multiplies = value.at("multiplies");
  race.waited_for = value.at("waited_for");
  race.writes = value.at("writes");
  race.register_name = text_of(value.at("register"));
  if (value.contains("wait")) race.wait = source_of(value.at("wait"));
  for (const Json& grid : value.value("grids", Json::array())) {
    race.grids.push_back({text_of(grid.at("kernel")), source_of(grid.at("launch"))});
  }
  return race;
}

Json json(const WaitEvent& event) {
  return {{"kind", static_cast<int>(event.kind)},
          {"barrier", event.barrier},
          {"memory", json(event.memory)},
          {"value", event.value},
          {"arrived", event.arrived},
          {"expected", event.expected},
          {"bytes", event.bytes}};
}

/// Histories of earlier releases have a text here, which no reader needs.
WaitEvent wait_event(const Json& value) {
  if (!value.is_object()) return {};
  return {enumerator(value.at("kind"), WaitEvent::Kind::mbarrier, "what threads wait for"),
          value.at("barrier"),
          memory_place(value.at("memory")),
          value.value("value", std::uint64_t{0}),
          value.value("arrived", std::uint64_t{0}),
          value.value("expected", std::uint64_t{0}),
          value.value("bytes", std::int64_t{0})};
}

Json json(const ThreadGroup& group) {
  Json value = {{"state", static_cast<int>(group.state)},
                {"threads", group.threads},
                {"first", json(group.first)},
                {"source", source_json(group.source)},
                {"waits_for", json(group.waits_for)},
                {"blocks", group.blocks},
                {"polls_more", group.polls_more},
                {"others_alike", group.others_alike}};
  for (const WaitEvent& event : group.also) value["also"].push_back(json(event));
  if (group.lanes) {
    value["lanes"] = {{"mask", group.lanes->lanes},
                      {"state", static_cast<int>(group.lanes->state)},
                      {"at", source_json(group.lanes->at)}};
  }
  return value;
}

ThreadGroup thread_group(const Json& value) {
  ThreadGroup group{enumerator(value.at("state"), ThreadGroup::State::exited, "a state of threads"),
                    value.at("threads"), thread_place(value.at("first")),
                    source_of(value.at("source")), wait_event(value.at("waits_for"))};
  // Histories of earlier releases have none of these fields.
  group.blocks = value.value("blocks", std::uint64_t{1});
  group.polls_more = value.value("polls_more", false);
  group.others_alike = value.value("others_alike", false);
  for (const Json& event : value.value("also", Json::array())) {
    group.also.push_back(wait_event(event));
  }
  if (value.contains("lanes")) {
    const Json& lanes = value.at("lanes");
    group.lanes = MissingLanes{
        lanes.at("mask"),
        enumerator(lanes.at("state"), MissingLanes::State::elsewhere, "a state of lanes"),
        source_of(lanes.at("at"))};
  }
  return group;
}

/// The facts of which reports make the message.
void add_message_facts(const Finding& finding, Json& value) {
  if (finding.race) value["race"] = json(*finding.race);
  if (const auto& hang = finding.hang) {
    value["hang"] = {hang->threads, hang->ended, hang->blocks, hang->not_resident};
  }
  if (const auto& used = finding.budget) {
    value["budget"] = {used->instructions, used->ended_blocks, used->blocks};
  }
  if (finding.schedule != 0) value["schedule"] = {finding.schedule, finding.schedules};
  if (finding.unfinished_launch != 0) value["unfinished_launch"] = finding.unfinished_launch;
}

void read_message_facts(const Json& value, Finding& finding) {
  if (value.contains("race")) finding.race = race_of(value.at("race"));
  if (value.contains("hang")) {
    const Json& hang = value.at("hang");
    finding.hang = Hang{hang.at(0), hang.at(1), hang.at(2), hang.at(3)};
  }
  if (value.contains("budget")) {
    const Json& used = value.at("budget");
    finding.budget = UsedBudget{used.at(0), used.at(1), used.at(2)};
  }
  if (value.contains("schedule")) {
    finding.schedule = value.at("schedule").at(0);
    finding.schedules = value.at("schedule").at(1);
  }
  finding.unfinished_launch = value.value("unfinished_launch", std::uint64_t{0});
}

}  // namespace

Json text_json(const std::string& text) {
  Json value = text;
  try {
    (void)value.dump();
    return value;
  } catch (const Json::type_error&) {
    std::string latin;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        latin += c;
      } else {
        latin += static_cast<char>(0xc0 | (byte >> 6));
        latin += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
    return Json::array({latin});
  }
}

std::string text_of(const Json& value) {
  if (!value.is_array()) return value.get<std::string>();
  const auto latin = value.at(0).get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i < latin.size(); ++i) {
    const auto byte = static_cast<unsigned char>(latin[i]);
    if (byte >= 0x80 && i + 1 < latin.size()) {
      bytes += static_cast<char>((byte << 6) | (latin[++i] & 0x3f));
    } else {
      bytes += latin[i];
    }
  }
  return bytes;
}

Json source_json(const SourcePlace& place) {
  Json value = {{"file", text_json(place.file)},
                {"line", place.line},
                {"instruction", text_json(place.instruction)},
                {"ptx_line", place.ptx_line},
                {"column", place.column},
                {"from_library", place.from_library},
                {"facts", json(place.facts)},
                {"calls", Json::array()}};
  for (const CallSite& call : place.calls) {
    value["calls"].push_back({{"file", text_json(call.file)}, {"line", call.line}});
  }
  return value;
}

SourcePlace source_of(const Json& value) {
  SourcePlace place{text_of(value.at("file")),
                    value.at("line"),
                    text_of(value.at("instruction")),
                    value.at("ptx_line"),
                    {},
                    value.value("column", 0U),  // absent in histories of earlier releases
                    value.value("from_library", false)};
  if (value.contains("facts")) place.facts = facts_of(value.at("facts"));
  for (const Json& call : value.at("calls")) {
    place.calls.push_back({text_of(call.at("file")), call.at("line")});
  }
  return place;
}

Json finding_json(const Finding& finding) {
  Json value = {{"class", name(finding.kind)},
                {"message", text_json(finding.message)},
                {"source", source_json(finding.source)},
                {"grade", name(finding.grade)},
                {"count", finding.count}};
  if (finding.option != UserOption::none) value["option"] = static_cast<int>(finding.option);
  if (finding.thread) value["thread"] = json(*finding.thread);
  if (finding.memory) value["memory"] = json(*finding.memory);
  if (finding.other) value["other"] = json(*finding.other);
  if (finding.missing) value["missing"] = json(*finding.missing);
  if (finding.origin) value["origin"] = json(*finding.origin);
  if (finding.overflow) value["overflow"] = json(*finding.overflow);
  add_message_facts(finding, value);
  for (const ThreadGroup& group : finding.groups) value["groups"].push_back(json(group));
  for (const Finding& other : finding.same_cause) {
    value["same_cause"].push_back(finding_json(other));
  }
  return value;
}

Finding finding_of(const Json& value) {
  Finding finding;
  const auto word = value.at("class").get<std::string>();
  const auto kind = finding_class(word);
  if (!kind) throw std::runtime_error(fmt::format("found '{}', expected a class of finding", word));
  finding.kind = *kind;
  finding.message = text_of(value.at("message"));
  finding.source = source_of(value.at("source"));
  if (value.contains("benign")) {  // encoding of releases without grades
    if (value.at("benign")) finding.grade = Grade::same_value;
  } else {
    const auto stored = value.at("grade").get<std::string>();
    const auto known = grade(stored);
    if (!known) {
      throw std::runtime_error(fmt::format("found '{}', expected a grade of finding", stored));
    }
    finding.grade = *known;
  }
  finding.count = value.at("count");
  if (value.contains("thread")) finding.thread = thread_place(value.at("thread"));
  if (value.contains("memory")) finding.memory = memory_place(value.at("memory"));
  if (value.contains("other")) finding.other = other_access(value.at("other"));
  // Histories of earlier releases have none of these fields.
  if (value.contains("missing")) finding.missing = missing_order(value.at("missing"));
  if (value.contains("origin")) finding.origin = origin_of(value.at("origin"));
  if (value.contains("overflow")) finding.overflow = overflow_of(value.at("overflow"));
  finding.option = option_of(value);
  read_message_facts(value, finding);
  for (const Json& group : value.value("groups", Json::array())) {
    finding.groups.push_back(thread_group(group));
  }
  for (const Json& other : value.value("same_cause", Json::array())) {
    finding.same_cause.push_back(finding_of(other));
  }
  return finding;
}

nlohmann::ordered_json unsupported_json(const Unsupported& what) {
  Json value = {{"form", text_json(what.form)},
                {"reason", text_json(what.reason)},
                {"section", what.section},
                {"source", source_json(what.source)}};
  if (what.option != UserOption::none) value["option"] = static_cast<int>(what.option);
  if (what.undecided) value["undecided"] = finding_json(*what.undecided);
  return value;
}

Unsupported unsupported_of(const Json& value) {
  Unsupported what{text_of(value.at("form")), text_of(value.at("reason")), value.at("section"),
                   source_of(value.at("source")), option_of(value)};
  if (value.contains("undecided")) what.undecided = finding_of(value.at("undecided"));
  return what;
}

}  // namespace warpcheck::device::encoding
