#include "workflows/history/campaign_config.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "workflows/settings/table.hpp"

namespace warpcheck::workflows::history {
namespace {

using Json = nlohmann::ordered_json;

/// Calls `visit` with each key and a reference to its value, except for the variants. `is_later`:
/// identities of older versions lack the key.
template <typename Visit>
void visit_identity(CampaignConfig& setting, const Visit& visit) {
  for (const settings::Option& option : settings::options()) {
    if (option.effect.key.empty()) continue;
    const auto visit_value = [&](auto& value) {
      if constexpr (requires { Json(value); }) {
        visit(std::string(option.effect.key), value, option.effect.is_later);
      }
    };
    visit_values(option, visit_value, setting.settings);
  }
  visit("device description", setting.device_description, false);
  visit("build of warpcheck", setting.build, false);
}

}  // namespace

std::string identity_of(CampaignConfig setting) {
  Json identity;
  visit_identity(setting, [&](const std::string& key, auto& value, bool /*is_later*/) {
    identity[key] = value;
  });
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
    visit_identity(setting, [&](const std::string& key, auto& member, bool is_later) {
      if (!is_later || value.contains(key)) value.at(key).get_to(member);
    });
    for (std::size_t i = 0; i < value.at("variants").size(); ++i) {
      setting.variants.push_back({value.at("variants").at(i), value.at("source").at(i), {}});
    }
    return setting;
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

bool has_same_arithmetic(const CampaignConfig& one, const CampaignConfig& other) {
  return one.settings.device == other.settings.device &&
         one.settings.virtual_device.mma_arch == other.settings.virtual_device.mma_arch;
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
