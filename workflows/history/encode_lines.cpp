#include "workflows/history/encode_lines.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpcheck::workflows::history {
namespace {

using LinesJson = nlohmann::ordered_json;

template <typename Read>
auto read_lines_json(std::string_view encoded, const Read& value_of) {
  try {
    return value_of(LinesJson::parse(encoded));
  } catch (const LinesJson::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace

std::string encoded(const campaign::coverage::ExecutedParts& parts) {
  return LinesJson(parts).dump();
}

campaign::coverage::ExecutedParts decoded_parts(std::string_view encoded) {
  return read_lines_json(encoded, [](const LinesJson& value) {
    return value.get<campaign::coverage::ExecutedParts>();
  });
}

std::string encoded(const campaign::coverage::ExecutedLines& lines) {
  LinesJson value = {{"required", lines.required}, {"unexecuted", LinesJson::array()}};
  for (const campaign::coverage::SourceLine& line : lines.unexecuted) {
    value["unexecuted"].push_back({line.file, line.line});
  }
  return value.dump(-1, ' ', false, LinesJson::error_handler_t::replace);
}

campaign::coverage::ExecutedLines decoded_lines(std::string_view encoded) {
  return read_lines_json(encoded, [](const LinesJson& value) {
    campaign::coverage::ExecutedLines lines;
    lines.required = value.at("required");
    for (const LinesJson& line : value.at("unexecuted")) {
      lines.unexecuted.push_back({line.at(0).get<std::string>(), line.at(1).get<unsigned>()});
    }
    return lines;
  });
}

std::string encoded(const device::Coverage& coverage) {
  LinesJson value = {{"blocks", LinesJson::array()},
                     {"edges", LinesJson::array()},
                     {"conditions", LinesJson::array()}};
  for (const device::CoveredBlock& block : coverage.blocks) {
    value["blocks"].push_back({block.first, block.instructions, block.warps});
  }
  for (const device::CoveredEdge& edge : coverage.edges) {
    value["edges"].push_back({edge.from, edge.to, edge.warps, edge.divergent});
  }
  for (const device::CoveredCondition& condition : coverage.conditions) {
    value["conditions"].push_back({condition.at, condition.held, condition.failed});
  }
  return value.dump();
}

device::Coverage decoded_coverage(std::string_view encoded) {
  return read_lines_json(encoded, [](const LinesJson& value) {
    device::Coverage coverage;
    for (const LinesJson& block : value.at("blocks")) {
      coverage.blocks.push_back({block.at(0), block.at(1), block.at(2)});
    }
    for (const LinesJson& edge : value.at("edges")) {
      coverage.edges.push_back({edge.at(0), edge.at(1), edge.at(2), edge.at(3)});
    }
    for (const LinesJson& condition : value.at("conditions")) {
      coverage.conditions.push_back({condition.at(0), condition.at(1), condition.at(2)});
    }
    return coverage;
  });
}

}  // namespace warpcheck::workflows::history
