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

std::string encoded(const properties::coverage::ExecutedParts& parts) {
  return LinesJson(parts).dump();
}

properties::coverage::ExecutedParts decoded_parts(std::string_view encoded) {
  return read_lines_json(encoded, [](const LinesJson& value) {
    return value.get<properties::coverage::ExecutedParts>();
  });
}

std::string encoded(const properties::coverage::ExecutedLines& lines) {
  LinesJson value = {{"required", lines.required}, {"unexecuted", LinesJson::array()}};
  for (const properties::coverage::SourceLine& line : lines.unexecuted) {
    value["unexecuted"].push_back({line.file, line.line});
  }
  return value.dump(-1, ' ', false, LinesJson::error_handler_t::replace);
}

properties::coverage::ExecutedLines decoded_lines(std::string_view encoded) {
  return read_lines_json(encoded, [](const LinesJson& value) {
    properties::coverage::ExecutedLines lines;
    lines.required = value.at("required");
    for (const LinesJson& line : value.at("unexecuted")) {
      lines.unexecuted.push_back({line.at(0).get<std::string>(), line.at(1).get<unsigned>()});
    }
    return lines;
  });
}

}  // namespace warpcheck::workflows::history
