#include "workflows/exec/suppressions/suppressions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "contract/read/toml_text.hpp"
#include "contract/read/value_reader.hpp"
#include "device/finding_classes.hpp"

namespace warpcheck::workflows::exec {
namespace {

using campaign::FindingReport;

class SuppressionReader : contract::ValueReader {
 public:
  explicit SuppressionReader(contract::TomlText& text) : ValueReader(text) {}

  std::vector<Suppression> read(const toml::table& table) {
    constexpr std::array<std::string_view, 1> kTables = {"suppression"};
    require_known_keys(table, kTables);
    std::vector<Suppression> all;
    const toml::node* const node = table.get("suppression");
    if (node == nullptr) return all;
    if (!node->is_array_of_tables()) {
      text_.error(*node, "expected a table in double brackets, [[suppression]]");
      return all;
    }
    for (const toml::node& one : *node->as_array()) all.push_back(read_one(*one.as_table()));
    return all;
  }

 private:
  Suppression read_one(const toml::table& table) {
    constexpr std::array<std::string_view, 7> kKeys = {"class", "kernel",   "file",  "line",
                                                       "code",  "function", "reason"};
    require_known_keys(table, kKeys);
    for (const std::string_view key : {"class", "reason"}) {
      if (table.get(key) == nullptr) missing_key(table, key);
    }
    Suppression read;
    read.where = text_.at(table);
    if (const toml::node* node = table.get("class")) {
      const auto text = word(*node, "class", "a class of findings", device::finding_class_names());
      if (text) read.kind = *finding_class(*text);
    }
    read_text(table, "kernel", "a glob", read.kernel);
    read_text(table, "file", "a glob", read.file);
    read_text(table, "code", "the text of a line", read.code);
    read_text(table, "function", "a glob", read.function);
    read_text(table, "reason", "a reason", read.reason);
    if (const toml::node* node = table.get("line")) {
      const auto* line = node->as_integer();
      if (line == nullptr || line->get() < 1 || line->get() > kLastLine) {
        text_.error(*node, "expected a line from 1");
      } else {
        read.line = static_cast<unsigned>(line->get());
      }
    }
    return read;
  }

  void read_text(const toml::table& table, std::string_view key, std::string_view expected,
                 std::string& text) {
    const toml::node* const node = table.get(key);
    if (node == nullptr) return;
    text = string(*node, expected).value_or("");
    if (node->is_string() && text.find_first_not_of(" \t\n") == std::string::npos) {
      text_.error(*node, fmt::format("empty, expected {}", expected));
    }
  }

  static constexpr std::int64_t kLastLine = 1'000'000'000;
};

bool fits(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

/// True for the whole name, and for the name without arguments.
bool fits_name(const std::string& glob, const std::string& name) {
  return glob.empty() || fits(glob, name) || fits(glob, name.substr(0, name.find_first_of("(<")));
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return text;
}

/// The line of the finding; empty: its source is not available.
std::string code_of(const FindingReport& finding) {
  const auto& excerpt = finding.excerpt;
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() ? excerpt.lines[index] : std::string();
}

bool matches(const Suppression& one, const FindingReport& report) {
  const SourcePlace& place = report.finding.source;
  if (one.kind != report.finding.kind || !fits_name(one.kernel, report.variant)) return false;
  if (!one.file.empty() && !fits(one.file, place.file) && !fits("*/" + one.file, place.file)) {
    return false;
  }
  if (one.line != 0 && one.line != place.line) return false;
  if (!one.code.empty() && without_blanks(one.code) != without_blanks(code_of(report))) {
    return false;
  }
  if (one.function.empty()) return true;
  const auto& calls = report.stacks.front().frames;
  return std::any_of(calls.begin(), calls.end(), [&](const device::HostFrame& call) {
    return fits_name(one.function, call.function);
  });
}

/// A glob that matches only this text.
std::string literal_glob(std::string_view text) {
  std::string glob;
  for (const char c : text) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) glob += '\\';
    glob += c;
  }
  return glob;
}

/// Every JSON string is a TOML string.
std::string quoted(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string table_of(const FindingReport& report, const campaign::FindingSentence& sentence) {
  const SourcePlace& place = report.finding.source;
  std::string text = fmt::format("[[suppression]]\nclass = {}\nkernel = {}\n",
                                 quoted(std::string(name(report.finding.kind))),
                                 quoted(literal_glob(report.variant)));
  if (!place.file.empty()) {
    text += fmt::format("file = {}\n",
                        quoted(literal_glob(place.file.substr(place.file.rfind('/') + 1))));
  }
  if (const std::string code = code_of(report); !without_blanks(code).empty()) {
    text += fmt::format("code = {}\n", quoted(code.substr(code.find_first_not_of(" \t"))));
  } else if (place.line != 0) {
    text += fmt::format("line = {}\n", place.line);
  }
  return text + fmt::format("reason = {}\n",
                            quoted(report.known.empty() ? sentence(report.finding) : report.known));
}

}  // namespace

Suppressions Suppressions::parse(std::string_view toml, const std::string& file) {
  contract::TomlText text(toml, {file, 1, 1});
  const toml::table table = text.parse();
  Suppressions suppressions;
  suppressions.all_ = SuppressionReader(text).read(table);
  text.throw_errors();
  return suppressions;
}

void Suppressions::apply(FindingReport& finding) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const Suppression& one) { return matches(one, finding); });
  if (found == all_.end()) return;
  found->is_used = true;
  finding.known = found->reason;
}

std::vector<const Suppression*> Suppressions::unused() const {
  std::vector<const Suppression*> all;
  for (const Suppression& one : all_) {
    if (!one.is_used) all.push_back(&one);
  }
  return all;
}

std::string suppressions_of(const campaign::CampaignReport& campaign,
                            const campaign::FindingSentence& sentence) {
  std::vector<std::string> tables;
  for (const campaign::VariantReport& variant : campaign.variants) {
    for (const FindingReport& finding : variant.findings) {
      std::string table = table_of(finding, sentence);
      if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
        tables.push_back(std::move(table));
      }
    }
  }
  return fmt::format("{}", fmt::join(tables, "\n"));
}

}  // namespace warpcheck::workflows::exec
