#include "workflows/prove/proof_cache.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/build_id.hpp"
#include "base/checked_file.hpp"
#include "base/content_hash.hpp"
#include "base/diagnostic.hpp"
#include "contract/cache_folder.hpp"
#include "contract/compile/fingerprint.hpp"

namespace warpcheck::workflows::prove {
namespace {

using nlohmann::json;
using proof::OpenPlace;
using proof::Proof;
using proof::PropertyProof;
using proof::Witness;

json to_json(const OpenPlace& place) {
  return {{"reason", place.reason},
          {"file", place.where.file},
          {"line", place.where.line},
          {"column", place.where.column}};
}

OpenPlace place_from(const json& value) {
  return {value.at("reason"), {value.at("file"), value.at("line"), value.at("column")}};
}

json to_json(const Witness& witness) {
  return {{"sizes", witness.sizes},
          {"offsets", witness.offsets},
          {"beta_is_zero", witness.beta_is_zero}};
}

Witness witness_from(const json& value) {
  Witness witness;
  value.at("sizes").get_to(witness.sizes);
  value.at("offsets").get_to(witness.offsets);
  value.at("beta_is_zero").get_to(witness.beta_is_zero);
  return witness;
}

json to_json(const PropertyProof& proof) {
  json value = to_json(OpenPlace{proof.reason, proof.where});
  value["property"] = name(proof.property);
  value["proved"] = proof.is_proved;
  value["seconds"] = proof.seconds;
  value["more"] = json::array();
  for (const OpenPlace& place : proof.more) value["more"].push_back(to_json(place));
  value["witnesses"] = json::array();
  for (const Witness& witness : proof.witnesses) value["witnesses"].push_back(to_json(witness));
  value["sufficient"] = proof.sufficient;
  return value;
}

PropertyProof property_from(const json& value) {
  PropertyProof proof;
  proof.property = proof::property_named(value.at("property").get<std::string>()).value();
  proof.is_proved = value.at("proved");
  OpenPlace first = place_from(value);
  proof.reason = std::move(first.reason);
  proof.where = std::move(first.where);
  proof.seconds = value.at("seconds");
  for (const json& place : value.at("more")) proof.more.push_back(place_from(place));
  for (const json& one : value.at("witnesses")) proof.witnesses.push_back(witness_from(one));
  value.at("sufficient").get_to(proof.sufficient);
  return proof;
}

/// Keys of a contract that a fingerprint lacks, because a campaign does not depend on them, or
/// because they have the effect of others.
void add_contract(ContentHash& hash, const contract::Contract& contract) {
  hash.add(contract.name);
  hash.add(contract.reads_c_at_beta_zero ? "reads C" : "");
  hash.add(contract.reads_ab_at_alpha_zero ? "reads A and B" : "");
  hash.add(std::to_string(contract.tensor_maps.size()));
  for (const contract::LaunchStep& step : contract.launches) {
    if (!step.cluster) continue;
    for (const contract::Expression& extent : *step.cluster) hash.add("cluster " + extent.text());
  }
}

}  // namespace

std::string cache_key(const contract::Variant& variant, const ProveSettings& settings) {
  const std::string build = build_id();
  if (build.empty()) return {};
  ContentHash hash;
  hash.add(build);
  hash.add(proof::solver_version());
  hash.add(variant.compiled->ptx);
  hash.add(variant.compiled->source_file);
  hash.add(contract::fingerprint(variant));
  add_contract(hash, variant.contract);
  hash.add(settings.options.search_witnesses ? "with witnesses" : "");
  hash.add(settings.search_conditions ? "with conditions" : "");
  for (const proof::Property property : settings.options.only) hash.add(name(property));
  return hash.digits();
}

std::filesystem::path ProofCache::file(const std::string& key) const {
  return folder_ / (key + ".proof");
}

std::optional<Proof> ProofCache::find(const std::string& key) const {
  const auto text = read_checked(file(key));
  if (!text) return std::nullopt;
  const json value = json::parse(*text);
  Proof proof;
  proof.queries = value.at("queries");
  for (const json& one : value.at("properties")) proof.properties.push_back(property_from(one));
  return proof;
}

void ProofCache::store(const std::string& key, const Proof& proof) const {
  if (!contract::refusal_of_folder(folder_).empty()) return;
  json value = {{"queries", proof.queries}, {"properties", json::array()}};
  for (const PropertyProof& one : proof.properties) value["properties"].push_back(to_json(one));
  try {
    write_checked(file(key), value.dump(1, ' ', true, json::error_handler_t::replace));
  } catch (const EnvironmentError&) {
    return;  // a full disk: the proof is valid without an entry
  }
}

}  // namespace warpcheck::workflows::prove
