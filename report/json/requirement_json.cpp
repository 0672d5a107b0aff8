#include "report/json/requirement_json.hpp"

#include "report/path.hpp"
#include "report/requirements/error_text.hpp"
#include "report/verdict.hpp"

namespace warpcheck::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson requirement_json(const Requirement& requirement) {
  OrderedJson reason = {
      {"kind", requirement.kind}, {"name", requirement.name}, {"message", requirement.reason}};
  if (!requirement.variant.empty()) reason["variant"] = requirement.variant;
  if (!requirement.where.file.empty()) {
    reason["file"] = shown_path(requirement.where.file);
    reason["line"] = requirement.where.line;
  }
  return reason;
}

}  // namespace

std::vector<OrderedJson> error_json(const contract::TargetError& error) {
  std::vector<OrderedJson> events;
  for (const PlacedError& placed : placed_errors(error)) {
    events.push_back({{"event", "error"},
                      {"target", shown_path(error.target)},
                      {"file", shown_path(placed.where.file)},
                      {"line", placed.where.line},
                      {"column", placed.where.column},
                      {"message", placed.message}});
  }
  return events;
}

OrderedJson gate_json(const campaign::CampaignReport& campaign, const Requirements& requirements) {
  OrderedJson event = {{"event", "gate"}};
  if (!requirements.policy.empty()) event["policy"] = shown_path(requirements.policy);
  event["verdict"] = name(outcome_of(campaign, requirements));
  event["requirements"] = requirements.all.size();
  OrderedJson reasons = OrderedJson::array();
  for (const Requirement& requirement : requirements.all) {
    if (requirement.state != RequirementState::met) {
      reasons.push_back(requirement_json(requirement));
    }
  }
  event["failed"] = reasons.size();
  event["errors"] = campaign.errors.size();
  event["reasons"] = std::move(reasons);
  return event;
}

}  // namespace warpcheck::report
