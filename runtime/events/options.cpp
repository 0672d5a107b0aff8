#include "runtime/events/options.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"

namespace warpcheck::runtime {

namespace {

/// Calls `visit` with the key and the value of each option.
template <typename Options, typename Visit>
void visit_options(Options& options, const Visit& visit) {
  visit("events", options.events);
  visit("replies", options.replies);
  visit("kernels", options.kernels);
  visit("skip", options.skip);
  visit("count", options.count);
  visit("launches_per_kernel", options.launches_per_kernel);
  visit("seed", options.seed);
  visit("schedules", options.schedules);
  visit("gpu", options.gpu);
  visit("multiprocessors", options.multiprocessors);
  visit("host_threads", options.host_threads);
  visit("seconds", options.seconds);
  visit("test_seconds", options.test_seconds);
  visit("instructions", options.limits.instructions);
  visit("blocks", options.limits.blocks);
  visit("memory", options.limits.memory_bytes);
  visit("printed", options.limits.printed_bytes);
  visit("leaks", options.leaks);
  visit("sticky_errors", options.sticky_errors);
  visit("origins", options.origins);
  visit("races", options.races);
  visit("weak_volatile", options.weak_volatile);
}

}  // namespace

std::string to_json(const ExecOptions& options) {
  nlohmann::json json;
  visit_options(options, [&](const char* key, const auto& value) { json[key] = value; });
  return json.dump();
}

ExecOptions options_from_json(std::string_view text) try {
  const auto json = nlohmann::json::parse(text);
  ExecOptions options;
  visit_options(options, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  return options;
} catch (const nlohmann::json::exception& error) {
  throw request_error(fmt::format("{} is not valid: {}", kOptionsVariable, error.what()));
}

}  // namespace warpcheck::runtime
