#include "report/json/profile_json.hpp"

#include <nlohmann/json.hpp>

#include "report/path.hpp"
#include "workflows/profile/line_counts.hpp"
#include "workflows/profile/metrics.hpp"
#include "workflows/profile/occupancy.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using workflows::profile::Profile;

/// A count as an integer, a ratio as it is.
Json json_number(double value) {
  const auto whole = static_cast<std::uint64_t>(value);
  if (static_cast<double>(whole) == value) return whole;
  return value;
}

Json lines_of(const Profile& profile) {
  Json lines = Json::array();
  for (const workflows::profile::LineCounts& line : by_line(profile)) {
    lines.push_back({{"file", relative_path(line.file)},
                     {"line", line.line},
                     {"instructions", line.warps},
                     {"global_requests", line.global_requests},
                     {"global_sectors", line.global_sectors},
                     {"shared_requests", line.shared_requests},
                     {"shared_wavefronts", line.shared_wavefronts},
                     {"bank_conflicts", line.bank_conflicts()},
                     {"ways", line.ways},
                     {"branches", line.branches},
                     {"divergent", line.divergent}});
  }
  return lines;
}

Json occupancy_of(const Profile& profile) {
  const auto found = occupancy(profile);
  if (!found) return nullptr;
  return {{"architecture", profile.architecture},
          {"registers", profile.resources->registers},
          {"spill_bytes", profile.resources->spill_bytes},
          {"static_shared_bytes", profile.resources->shared_bytes},
          {"dynamic_shared_bytes", profile.launch.shared_bytes},
          {"active_blocks", found->active_blocks},
          {"active_warps", found->active_warps},
          {"theoretical", found->share},
          {"limiter", found->limiter}};
}

Json coverage_of(const campaign::coverage::SourceCoverage& coverage) {
  Json missed = Json::array();
  Json one_sided = Json::array();
  unsigned branches = 0;
  for (const campaign::coverage::FileCoverage& file : coverage.files) {
    const std::string path = relative_path(file.file);
    for (const campaign::coverage::LineCoverage& line : file.lines) {
      if (line.warps == 0) missed.push_back({{"file", path}, {"line", line.line}});
      unsigned never_taken = 0;
      unsigned always_taken = 0;
      for (const campaign::coverage::BranchCoverage& branch : line.branches) {
        if (branch.taken == 0 && branch.not_taken == 0) continue;
        ++branches;
        never_taken += branch.taken == 0 ? 1 : 0;
        always_taken += branch.not_taken == 0 ? 1 : 0;
      }
      if (never_taken + always_taken == 0) continue;
      one_sided.push_back({{"file", path},
                           {"line", line.line},
                           {"never_taken", never_taken},
                           {"always_taken", always_taken}});
    }
  }
  return {{"lines", coverage.lines().all},
          {"not_executed", missed},
          {"branches", branches},
          {"one_sided", one_sided}};
}

}  // namespace

std::string profile_json(const Profile& profile) {
  Json values = Json::object();
  for (const workflows::profile::Metric& metric : metrics(profile))
    values[std::string(metric.name)] = json_number(metric.value);
  const workflows::profile::Intensity found = intensity(profile);
  Json event = {{"event", "profile"},
                {"variant", profile.variant},
                {"cases", profile.cases.size()},
                {"case", to_line(profile.cases.front())},
                {"metrics", values},
                {"occupancy", occupancy_of(profile)},
                {"operations", json_number(found.operations)},
                {"compulsory_bytes", profile.compulsory_bytes},
                {"lines", lines_of(profile)},
                {"coverage", coverage_of(profile.coverage)}};
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpcheck::report
