#include "workflows/history/campaign_config.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warpcheck::workflows::history {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// A row of the table of options.
struct Row : CampaignOption {
  bool is_required;  // false: identities of older versions lack the key
  void (*write)(const CampaignConfig& config, Json& value);
  void (*read)(const Json& value, CampaignConfig& config);
};

/// `Member` returns a reference to the value of the option.
template <class Member>
constexpr Row row(Member /*member*/, std::string_view option, std::string_view key,
                  Words (*words)(const CampaignConfig&) = nullptr) {
  return {{option, key, words},
          true,
          [](const CampaignConfig& config, Json& value) { value = Member()(config); },
          [](const Json& value, CampaignConfig& config) { value.get_to(Member()(config)); }};
}

/// A row that identities of older versions lack.
template <class Member>
constexpr Row added(Member member, std::string_view option, std::string_view key,
                    Words (*words)(const CampaignConfig&) = nullptr) {
  Row result = row(member, option, key, words);
  result.is_required = false;
  return result;
}

Words flag(bool is_set, const char* name) { return is_set ? Words{name} : Words{}; }

Words limit(const char* name, std::uint64_t value, std::uint64_t usual) {
  return value == usual ? Words{} : Words{"--limit", fmt::format("{}={}", name, value)};
}

constexpr std::array kOptions = {
    row(
        [](auto& config) -> auto& { return config.options.cases; }, "--cases", "cases"),
    row(
        [](auto& config) -> auto& { return config.options.seed; }, "--seed", "seed"),
    row(
        [](auto& config) -> auto& { return config.options.max_size; }, "--max-size",
        "largest size"),
    row(
        [](auto& config) -> auto& { return config.options.properties; }, "--property",
        "properties"),
    row(
        [](auto& config) -> auto& { return config.device; }, "--device", "device"),
    row(
        [](auto& config) -> auto& { return config.device_description; }, "--device",
        "device description"),
    row(
        [](auto& config) -> auto& { return config.mma_arch; }, "--mma-arch", "tensor cores",
        [](const CampaignConfig& config) {
          return config.mma_arch == 0 ? Words{}
                                      : Words{"--mma-arch", fmt::format("sm_{}", config.mma_arch)};
        }),
    row(
        [](auto& config) -> auto& { return config.races; }, "--no-races", "races",
        [](const CampaignConfig& config) { return flag(!config.races, "--no-races"); }),
    added(
        [](auto& config) -> auto& { return config.weak_volatile; }, "--volatile", "weak volatile",
        [](const CampaignConfig& config) {
          return config.weak_volatile ? Words{"--volatile", "weak"} : Words{};
        }),
    row(
        [](auto& config) -> auto& { return config.options.strict.races; }, "--strict-races",
        "strict races",
        [](const CampaignConfig& config) {
          return flag(config.options.strict.races, "--strict-races");
        }),
    added(
        [](auto& config) -> auto& { return config.options.strict.barriers; }, "--strict-barriers",
        "strict barriers",
        [](const CampaignConfig& config) {
          return flag(config.options.strict.barriers, "--strict-barriers");
        }),
    added(
        [](auto& config) -> auto& { return config.options.sizes.strict_launch; }, "--strict-launch",
        "strict launch"),
    added(
        [](auto& config) -> auto& { return config.options.sizes.elements; }, "--limit elements",
        "largest elements"),
    added(
        [](auto& config) -> auto& { return config.options.sizes.work; }, "--limit work",
        "largest work"),
    added(
        [](auto& config) -> auto& { return config.options.sizes.blocks; }, "--limit blocks",
        "largest blocks"),
    added(
        [](auto& config) -> auto& { return config.limits.instructions; }, "--limit instructions",
        "most instructions",
        [](const CampaignConfig& config) {
          return limit("instructions", config.limits.instructions, device::Limits().instructions);
        }),
    added(
        [](auto& config) -> auto& { return config.limits.blocks; }, "--limit blocks", "most blocks",
        [](const CampaignConfig& config) {
          return limit("blocks", config.limits.blocks, device::Limits().blocks);
        }),
    added(
        [](auto& config) -> auto& { return config.limits.memory_bytes; }, "--limit memory",
        "most memory",
        [](const CampaignConfig& config) {
          return limit("memory", config.limits.memory_bytes, device::Limits().memory_bytes);
        }),
    added(
        [](auto& config) -> auto& { return config.limits.printed_bytes; }, "--limit printed",
        "most printed",
        [](const CampaignConfig& config) {
          return limit("printed", config.limits.printed_bytes, device::Limits().printed_bytes);
        }),
    row(
        [](auto& config) -> auto& { return config.options.shrink; }, "", "shrink"),
    row(
        [](auto& config) -> auto& { return config.options.shrink_launches; }, "",
        "shrink launches"),
    added(
        [](auto& config) -> auto& { return config.options.shrink_work; }, "", "shrink work"),
    row(
        [](auto& config) -> auto& { return config.options.shard.of; }, "--shard", "shards"),
    added(
        [](auto& config) -> auto& { return config.options.require_lines; }, "--min-coverage",
        "require lines"),
    row(
        [](auto& config) -> auto& { return config.build; }, "", "build of warpcheck"),
};

constexpr std::array<std::string_view, 20> kOther = {
    "--help",    "--jobs",     "--json",        "--junit",         "--sarif",
    "--gitlab",  "--html",     "--markdown",    "--lcov",          "--quiet",
    "--verbose", "--time",     "--keep",        "--regressions",   "--history",
    "--resume",  "--progress", "--allow-empty", "--fail-on-drift", "--help-all"};

}  // namespace

std::vector<CampaignOption> campaign_options() { return {kOptions.begin(), kOptions.end()}; }

std::span<const std::string_view> other_options() { return kOther; }

std::vector<std::string> replay_options(const CampaignConfig& config) {
  Words all;
  for (const CampaignOption& option : kOptions) {
    if (option.words == nullptr) continue;
    for (std::string& word : option.words(config)) all.push_back(std::move(word));
  }
  return all;
}

std::string identity_of(const CampaignConfig& setting) {
  Json identity;
  for (const Row& option : kOptions) {
    option.write(setting, identity[std::string(option.key)]);
  }
  identity["variants"] = Json::array();
  identity["source"] = Json::array();
  for (const VariantOrigin& variant : setting.variants) {
    identity["variants"].push_back(variant.name);
    identity["source"].push_back(variant.source_hash);
  }
  return identity.dump(-1, ' ', false, Json::error_handler_t::replace);
}

CampaignConfig setting_of(const std::string& identity) {
  try {
    const Json value = Json::parse(identity);
    CampaignConfig setting;
    for (const Row& option : kOptions) {
      const std::string key(option.key);
      if (option.is_required || value.contains(key)) option.read(value.at(key), setting);
    }
    for (std::size_t i = 0; i < value.at("variants").size(); ++i) {
      setting.variants.push_back({value.at("variants").at(i), value.at("source").at(i), {}});
    }
    return setting;
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

std::string difference(const std::string& one, const std::string& other) {
  const Json first = Json::parse(one, nullptr, false);
  const Json second = Json::parse(other, nullptr, false);
  for (const auto& item : first.items()) {
    if (!second.is_object() || !second.contains(item.key()) ||
        second.at(item.key()) != item.value()) {
      return item.key();
    }
  }
  return {};
}

}  // namespace warpcheck::workflows::history
