#include "report/json/bisection_json.hpp"

#include "report/json/finding_json.hpp"

namespace warpcheck::report {

std::string bisection_json(const workflows::bisect::Bisection& bisection) {
  using Json = nlohmann::ordered_json;
  Json commits = Json::array();
  for (const workflows::bisect::Commit& commit : bisection.bad) {
    commits.push_back({{"commit", commit.hash},
                       {"subject", commit.subject},
                       {"author", commit.author},
                       {"date", commit.date}});
  }
  Json findings = Json::array();
  for (const campaign::FindingReport& finding : bisection.findings) {
    findings.push_back(finding_json("finding", finding));
  }
  const Json event = {{"event", "bisection"},
                      {"commits", commits},
                      {"steps", bisection.steps},
                      {"skipped", bisection.skipped},
                      {"findings", findings}};
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpcheck::report
