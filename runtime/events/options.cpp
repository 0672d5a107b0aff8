#include "runtime/events/options.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"

namespace warpcheck::runtime {

std::string to_json(const ExecOptions& options) {
  return nlohmann::json{{"events", options.events},
                        {"kernels", options.kernels},
                        {"skip", options.skip},
                        {"count", options.count},
                        {"seed", options.seed},
                        {"schedules", options.schedules},
                        {"gpu", options.gpu},
                        {"multiprocessors", options.multiprocessors},
                        {"host_threads", options.host_threads},
                        {"seconds", options.seconds},
                        {"instructions", options.limits.instructions},
                        {"blocks", options.limits.blocks},
                        {"memory", options.limits.memory_bytes},
                        {"printed", options.limits.printed_bytes},
                        {"leaks", options.leaks},
                        {"sticky_errors", options.sticky_errors},
                        {"origins", options.origins},
                        {"races", options.races},
                        {"weak_volatile", options.weak_volatile}}
      .dump();
}

ExecOptions options_from_json(std::string_view text) try {
  const auto json = nlohmann::json::parse(text);
  ExecOptions options;
  options.events = json.at("events");
  options.kernels = json.at("kernels");
  options.skip = json.at("skip");
  options.count = json.at("count");
  options.seed = json.at("seed");
  options.schedules = json.at("schedules");
  options.gpu = json.at("gpu");
  options.multiprocessors = json.at("multiprocessors");
  options.host_threads = json.at("host_threads");
  options.seconds = json.at("seconds");
  options.limits = {json.at("instructions"), json.at("blocks"), json.at("memory"),
                    json.at("printed")};
  options.leaks = json.at("leaks");
  options.sticky_errors = json.at("sticky_errors");
  options.origins = json.at("origins");
  options.races = json.at("races");
  options.weak_volatile = json.at("weak_volatile");
  return options;
} catch (const nlohmann::json::exception& error) {
  throw request_error(fmt::format("{} is not valid: {}", kOptionsVariable, error.what()));
}

}  // namespace warpcheck::runtime
