#include "workflows/history/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text/visible_text.hpp"
#include "device/encoding/finding_encoding.hpp"
#include "workflows/history/json/json_diagnosis.hpp"
#include "workflows/history/json/json_map.hpp"

namespace warpcheck::workflows::history {
namespace {

using device::encoding::finding_json;
using device::encoding::finding_of;
using device::encoding::source_json;
using device::encoding::source_of;
using device::encoding::text_json;
using device::encoding::text_of;
using Json = nlohmann::ordered_json;

Json json(const campaign::judge::Mismatch& mismatch) {
  return {{"row", mismatch.row},
          {"column", mismatch.column},
          {"got", json_number(mismatch.got)},
          {"expected", json_number(mismatch.expected)},
          {"tolerance", json_number(mismatch.tolerance)},
          {"wrong", mismatch.wrong},
          {"elements", mismatch.elements},
          {"regions", mismatch.regions},
          {"worst", worst_json(mismatch.worst)}};
}

campaign::judge::Mismatch mismatch_of(const Json& value) {
  return {value.at("row"),
          value.at("column"),
          number_of(value.at("got")),
          number_of(value.at("expected")),
          number_of(value.at("tolerance")),
          value.at("wrong"),
          value.at("elements"),
          value.value("regions", campaign::judge::kAnyRegion),  // histories of old have none
          worst_of(value)};
}

Json json(const campaign::run::Excerpt& excerpt) {
  Json value = {{"file", text_json(excerpt.file)},
                {"line", excerpt.line},
                {"first_line", excerpt.first_line},
                {"lines", Json::array()}};
  for (const std::string& line : excerpt.lines) value["lines"].push_back(text_json(line));
  return value;
}

campaign::run::Excerpt excerpt_of(const Json& value) {
  campaign::run::Excerpt excerpt{
      text_of(value.at("file")), value.at("line"), value.at("first_line"), {}};
  for (const Json& line : value.at("lines")) excerpt.lines.push_back(text_of(line));
  return excerpt;
}

Json json(const campaign::run::Evidence& evidence) {
  Json value = {{"finding", finding_json(evidence.finding)},
                {"element", text_json(evidence.element)},
                {"diagnosis", diagnosis_json(evidence.diagnosis)},
                {"printed", text_json(evidence.printed)}};
  if (evidence.mismatch) value["mismatch"] = json(*evidence.mismatch);
  if (evidence.index_outside) value["index_outside"] = *evidence.index_outside;
  return value;
}

campaign::run::Evidence evidence_of(const Json& value) {
  campaign::run::Evidence evidence;
  evidence.finding = finding_of(value.at("finding"));
  evidence.element = text_of(value.at("element"));
  evidence.diagnosis = diagnosis_of(value.at("diagnosis"));
  evidence.printed = text_of(value.at("printed"));
  if (value.contains("mismatch")) evidence.mismatch = mismatch_of(value.at("mismatch"));
  if (value.contains("index_outside")) evidence.index_outside = value.at("index_outside");
  return evidence;
}

Json json(const campaign::Advice& advice) {
  using Kind = campaign::Advice::Kind;
  return {{"kind", advice.kind == Kind::if_intended ? "if intended" : "correct with"},
          {"change", text_json(advice.change)},
          {"cases", advice.cases}};
}

campaign::Advice advice_of(const Json& value) {
  using Kind = campaign::Advice::Kind;
  return {value.at("kind") == "if intended" ? Kind::if_intended : Kind::correct_with,
          text_of(value.at("change")), value.at("cases")};
}

Json json(const campaign::FindingReport& report) {
  Json value = json(campaign::run::Evidence{report.finding,
                                            report.element,
                                            report.mismatch,
                                            report.diagnosis,
                                            report.printed,
                                            {},
                                            report.index_outside});
  value["variant"] = report.variant;
  value["device"] = report.device;
  value["property"] = report.property;
  value["excerpt"] = json(report.excerpt);
  if (!report.other_excerpt.lines.empty()) value["other_excerpt"] = json(report.other_excerpt);
  value["regression"] = text_json(report.regression);
  value["original"] = campaign::to_line(report.original);
  value["smallest"] = campaign::to_line(report.smallest);
  if (report.map) value["map"] = map_json(*report.map);
  if (report.advice != campaign::Advice()) value["advice"] = json(report.advice);
  value["shrink_launches"] = report.shrink_launches;
  value["shrink_work"] = report.shrink_work;
  value["fully_shrunk"] = report.fully_shrunk;
  value["confirmed"] = report.confirmed;
  value["confirmations"] = report.confirmations;
  for (const campaign::FindingReport& other : report.others) {
    value["others"].push_back(json(other));
  }
  return value;
}

campaign::FindingReport report_of(const Json& value) {
  const campaign::run::Evidence evidence = evidence_of(value);
  campaign::FindingReport report;
  report.variant = value.at("variant");
  report.device = value.at("device");
  report.property = value.at("property");
  report.finding = evidence.finding;
  report.element = evidence.element;
  report.index_outside = evidence.index_outside;
  report.mismatch = evidence.mismatch;
  report.diagnosis = evidence.diagnosis;
  report.printed = evidence.printed;
  report.excerpt = excerpt_of(value.at("excerpt"));
  if (value.contains("other_excerpt")) {
    report.other_excerpt = excerpt_of(value.at("other_excerpt"));
  }
  report.regression = text_of(value.at("regression"));
  report.original = campaign::parse_case(value.at("original").get<std::string>());
  report.smallest = campaign::parse_case(value.at("smallest").get<std::string>());
  if (value.contains("map")) report.map = error_map_of(value.at("map"));
  if (value.contains("advice")) report.advice = advice_of(value.at("advice"));
  report.shrink_launches = value.at("shrink_launches");
  report.shrink_work = value.value("shrink_work", std::uint64_t{0});
  report.fully_shrunk = value.value("fully_shrunk", true);
  report.confirmed = value.at("confirmed");
  report.confirmations = value.at("confirmations");
  if (value.contains("others")) {
    for (const Json& other : value.at("others")) report.others.push_back(report_of(other));
  }
  return report;
}

/// Returns true if the numbers of factors and levels are plausible and the excluded ones exist.
bool is_consistent(const campaign::generate::Combinations& combinations) {
  constexpr std::size_t kMost = 24;  // factors, and levels of one
  const auto many = [](std::size_t number) { return number > kMost; };
  const std::vector<std::size_t>& levels = combinations.levels;
  if (many(levels.size()) || std::any_of(levels.begin(), levels.end(), many)) return false;
  const auto inside = [&](const std::vector<campaign::generate::Excluded>& excluded,
                          std::size_t strength) {
    const std::size_t all = campaign::generate::Interactions(levels, strength).all();
    return std::all_of(excluded.begin(), excluded.end(),
                       [&](const campaign::generate::Excluded& one) { return one.number < all; });
  };
  return inside(combinations.pairs, 2) && inside(combinations.triples, 3);
}

/// A parser's exceptions, those of JSON and those of case lines, as one kind.
template <typename Read>
auto read(std::string_view encoded, const Read& value_of) {
  try {
    return value_of(Json::parse(encoded));
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace

std::string encoded(const campaign::FindingReport& report) { return json(report).dump(); }

campaign::FindingReport decoded_report(std::string_view encoded) {
  campaign::FindingReport report =
      read(encoded, [](const Json& value) { return report_of(value); });
  // Reports show these texts as they are; another program may have written them.
  for (std::string* text : {&report.variant, &report.device, &report.property, &report.element}) {
    *text = visible(*text);
  }
  return report;
}

std::string encoded(const std::vector<campaign::Failure>& failures) {
  Json values = Json::array();
  for (const campaign::Failure& failure : failures) {
    Json value = json(failure.evidence);
    value["case"] = campaign::to_line(failure.problem);
    value["property"] = failure.property->name;
    value["number"] = failure.number;
    values.push_back(std::move(value));
  }
  return values.dump();
}

std::vector<campaign::Failure> decoded_failures(std::string_view encoded) {
  return read(encoded, [](const Json& values) {
    std::vector<campaign::Failure> failures;
    for (const Json& value : values) {
      failures.push_back({campaign::parse_case(value.at("case").get<std::string>()),
                          &properties::law(value.at("property").get<std::string>()),
                          evidence_of(value), value.at("number")});
    }
    return failures;
  });
}

std::string encoded(const campaign::UnsupportedForm& form) {
  Json value = device::encoding::unsupported_json(form.what);
  value["case"] = campaign::to_line(form.problem);
  value["cases"] = form.cases;
  return value.dump();
}

campaign::UnsupportedForm decoded_unsupported(std::string_view encoded) {
  return read(encoded, [](const Json& value) {
    return campaign::UnsupportedForm{device::encoding::unsupported_of(value),
                                     campaign::parse_case(value.at("case").get<std::string>()),
                                     value.at("cases")};
  });
}

std::string encoded(const std::vector<campaign::CheckedProperty>& checked) {
  Json values = Json::array();
  for (const campaign::CheckedProperty& one : checked) {
    values.push_back({one.name, one.cases, one.seconds});
  }
  return values.dump();
}

std::vector<campaign::CheckedProperty> decoded_properties(std::string_view encoded) {
  return read(encoded, [](const Json& values) {
    std::vector<campaign::CheckedProperty> checked;
    for (const Json& value : values) {
      const properties::Law& property = properties::law(value.at(0).get<std::string>());
      checked.push_back({std::string(property.name), value.at(1), value.at(2)});
    }
    return checked;
  });
}

std::string encoded(const campaign::generate::Combinations& combinations) {
  const auto json_of = [](const std::vector<campaign::generate::Excluded>& excluded) {
    Json values = Json::array();
    for (const campaign::generate::Excluded& one : excluded)
      values.push_back({one.after, one.number});
    return values;
  };
  return Json{{"levels", combinations.levels},
              {"no pairs", json_of(combinations.pairs)},
              {"no triples", json_of(combinations.triples)}}
      .dump();
}

campaign::generate::Combinations decoded_combinations(std::string_view encoded) {
  return read(encoded, [](const Json& value) {
    const auto excluded = [&](const char* key) {
      std::vector<campaign::generate::Excluded> all;
      for (const Json& one : value.at(key)) all.push_back({one.at(0), one.at(1)});
      return all;
    };
    campaign::generate::Combinations combinations{
        value.at("levels").get<std::vector<std::size_t>>(), excluded("no pairs"),
        excluded("no triples")};
    if (!is_consistent(combinations)) throw std::runtime_error("found combinations out of range");
    return combinations;
  });
}

}  // namespace warpcheck::workflows::history
