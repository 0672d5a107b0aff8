#include "report/json/proof_json.hpp"

#include <nlohmann/json.hpp>

#include "report/finding/message.hpp"
#include "report/path.hpp"

namespace warpcheck::report {

std::string proof_json(const workflows::prove::VariantResult& result) {
  using Json = nlohmann::ordered_json;
  Json event = {{"event", "proof"},           {"variant", result.variant},
                {"ptx", result.ptx_hash},     {"queries", result.queries},
                {"cached", result.is_cached}, {"properties", Json::array()}};
  for (const auto& property : result.properties) {
    const proof::PropertyProof& proof = property.proof;
    Json one = {{"name", name(proof.property)},
                {"status", name(property.status())},
                {"reason", proof.reason},
                {"file", relative_path(proof.where.file)},
                {"line", proof.where.line},
                {"case", Json()},
                {"class", Json()},
                {"seconds", proof.seconds}};
    for (const proof::OpenPlace& place : proof.more) {
      one["more"].push_back({{"reason", place.reason},
                             {"file", relative_path(place.where.file)},
                             {"line", place.where.line}});
    }
    if (!proof.sufficient.empty()) one["sufficient"] = proof.sufficient;
    if (property.refutation) {
      const Finding& finding = property.refutation->finding;
      one["reason"] = message_text(finding);
      one["file"] = relative_path(finding.source.file);
      one["line"] = finding.source.line;
      one["case"] = to_line(property.refutation->smallest);
      one["class"] = name(finding.kind);
    }
    event["properties"].push_back(std::move(one));
  }
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report
