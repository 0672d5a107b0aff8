#include "workflows/history/campaign_config.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warpcheck::workflows::history {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string identity_of(const CampaignConfig& setting) {
  const properties::campaign::CampaignOptions& options = setting.options;
  Json identity = {{"cases", options.cases},
                   {"seed", options.seed},
                   {"largest size", options.max_size},
                   {"properties", options.properties},
                   {"device", setting.device},
                   {"device description", setting.device_description},
                   {"races", setting.races},
                   {"strict races", options.strict.races},
                   {"strict barriers", options.strict.barriers},
                   {"strict launch", options.sizes.strict_launch},
                   {"largest elements", options.sizes.elements},
                   {"largest work", options.sizes.work},
                   {"largest blocks", options.sizes.blocks},
                   {"tensor cores", setting.mma_arch},
                   {"shrink", options.shrink},
                   {"shrink seconds", options.shrink_seconds},
                   {"shrink launches", options.shrink_launches},
                   {"shards", options.shard.of},
                   {"build of warpcheck", setting.build},
                   {"variants", Json::array()},
                   {"source", Json::array()}};
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
    setting.build = value.at("build of warpcheck");
    setting.device = value.at("device");
    setting.device_description = value.at("device description");
    setting.races = value.at("races");
    setting.mma_arch = value.at("tensor cores");
    properties::campaign::CampaignOptions& options = setting.options;
    options.cases = value.at("cases");
    options.seed = value.at("seed");
    options.max_size = value.at("largest size");
    options.properties = value.at("properties").get<std::vector<std::string>>();
    options.strict.races = value.at("strict races");
    options.strict.barriers = value.value("strict barriers", false);
    const properties::generate::SizeLimits usual;  // of campaigns before these keys existed
    options.sizes.strict_launch = value.value("strict launch", usual.strict_launch);
    options.sizes.elements = value.value("largest elements", usual.elements);
    options.sizes.work = value.value("largest work", usual.work);
    options.sizes.blocks = value.value("largest blocks", usual.blocks);
    options.shrink = value.at("shrink");
    options.shrink_seconds = value.at("shrink seconds");
    options.shrink_launches = value.at("shrink launches");
    options.shard.of = value.at("shards");
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
