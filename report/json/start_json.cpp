#include "report/json/start_json.hpp"

#include <nlohmann/json.hpp>

namespace warpcheck::report {

std::string start_json(const RunInfo& run) {
  nlohmann::ordered_json event = {
      {"event", "start"}, {"version", run.version}, {"command", run.command}};
  if (run.seed) event["seed"] = *run.seed;
  if (!run.device.empty()) event["device"] = run.device;
  if (!run.nvcc.empty()) event["nvcc"] = run.nvcc;
  if (!run.revision.empty()) event["revision"] = run.revision;
  return event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace warpcheck::report
