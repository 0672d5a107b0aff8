#include "report/json/mutation_json.hpp"

#include <nlohmann/json.hpp>

#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using workflows::mutate::MutantReport;
using workflows::mutate::MutationReport;
using workflows::mutate::Score;

Json mutant_event(const MutationReport& report, const MutantReport& mutant) {
  const SourcePlace& place = mutant.place;
  Json event = {{"event", "mutant"},
                {"variant", report.variant},
                {"operator", mutant.planted},
                {"file", relative_path(place.file)},
                {"line", place.line},
                {"ptx_line", place.ptx_line},
                {"before", place.instruction},
                {"after", mutant.after.empty() ? Json() : Json(mutant.after)},
                {"fate", workflows::mutate::name(mutant.fate)},
                {"reached", mutant.reached}};
  for (const CallSite& call : place.calls) {
    event["called_from"].push_back({{"file", relative_path(call.file)}, {"line", call.line}});
  }
  if (mutant.kill) {
    event["class"] = name(mutant.kill->kind);
    event["case"] = to_line(mutant.kill->problem);
    event["cases"] = mutant.kill->cases;
  }
  return event;
}

void add(Json& event, const Score& score) {
  event["possible"] = score.possible;
  event["run"] = score.run();
  event["killed"] = score.killed;
  event["survived"] = score.survived;
  event["not_reached"] = score.not_reached;
  event["unreachable"] = score.unreachable;
  event["equivalent"] = score.equivalent;
  event["within_bound"] = score.within_bound;
  event["score"] = score.share();
}

/// Bytes that are not UTF-8 become U+FFFD, so that the line is valid JSON.
std::string line(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string mutation_json(const MutationReport& report) {
  std::string text;
  for (const MutantReport& mutant : report.mutants) text += line(mutant_event(report, mutant));
  Json sums = {{"event", "mutation-score"}, {"variant", report.variant}, {"cases", report.cases}};
  add(sums, report.score);
  sums["seconds"] = report.seconds;
  for (const auto& of : report.operators) {
    Json row = {{"operator", of.planted}};
    add(row, of.score);
    row["mean_cases"] = of.mean_cases;
    sums["operators"].push_back(row);
  }
  return text + line(sums);
}

}  // namespace warpcheck::report
