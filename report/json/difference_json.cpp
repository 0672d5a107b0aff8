#include "report/json/difference_json.hpp"

#include "report/json/finding_json.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;

Json cost_of(const workflows::diff::Cost& cost) {
  return {{"instructions", cost.instructions},
          {"global_requests", cost.global_requests},
          {"global_sectors", cost.global_sectors},
          {"shared_requests", cost.shared_requests},
          {"bank_conflicts", cost.bank_conflicts}};
}

Json side_of(const std::string& target, const workflows::diff::SideReport& side, bool counted) {
  Json findings = Json::array();
  for (const campaign::FindingReport& finding : side.findings) {
    findings.push_back(finding_json("finding", finding));
  }
  Json unsupported = Json::array();
  for (const campaign::UnsupportedForm& form : side.unsupported) {
    unsupported.push_back(form.what.form);
  }
  return {{"target", target},
          {"variant", side.variant},
          {"verdict", side.failed != 0           ? "finding"
                      : side.unsupported.empty() ? "pass"
                                                 : "unsupported"},
          {"failed", side.failed},
          {"findings", findings},
          {"unsupported", unsupported},
          {"largest_error", number_json(side.error.largest)},
          {"mean_error", number_json(side.error.mean)},
          {"worst", side.error.worst ? Json(to_line(*side.error.worst)) : Json()},
          {"cost", counted ? cost_of(side.cost) : Json()}};
}

Json element_of(const std::optional<workflows::diff::ElementDifference>& found) {
  if (!found) return nullptr;
  return {{"case", to_line(found->problem)},
          {"element", found->element},
          {"old", number_json(found->before)},
          {"new", number_json(found->after)},
          {"expected", number_json(found->expected)},
          {"tolerance", number_json(found->tolerance)},
          {"over_bound", number_json(found->over_bound)},
          {"ulps", found->ulps ? number_json(*found->ulps) : Json()},
          {"differing", found->differing},
          {"elements", found->elements}};
}

Json speed_of(const std::optional<workflows::diff::Speed>& speed) {
  if (!speed) return nullptr;
  return {{"case", to_line(speed->problem)},
          {"runs", speed->runs},
          {"old_seconds", speed->before_seconds},
          {"new_seconds", speed->after_seconds}};
}

}  // namespace

std::string difference_json(const Difference& difference) {
  const workflows::diff::DifferenceReport& report = difference.report;
  Json event = {{"event", "difference"},
                {"old", side_of(difference.before, report.before, report.counted)},
                {"new", side_of(difference.after, report.after, report.counted)},
                {"device", report.device},
                {"cases", report.cases},
                {"compared", report.compared},
                {"differing", report.differing},
                {"erring", report.erring},
                {"error_ratio", number_json(report.error_ratio)},
                {"drift", report.drift},
                {"remarks", report.remarks},
                {"largest", element_of(report.largest)},
                {"smallest", element_of(report.smallest)},
                {"speed", speed_of(difference.speed)}};
  if (!report.fully_shrunk) event["fully_shrunk"] = false;
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpcheck::report
