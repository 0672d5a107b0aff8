#include "workflows/init/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpcheck::workflows::init {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

/// ["ceil_div(n, 16)", 4]: expressions in quotes, numbers without.
std::string list_of(const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(is_number(value) ? value : quoted(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string layout_text(const std::array<bool, 3>& column) {
  const auto word = [](bool by_column) { return by_column ? "col" : "row"; };
  if (column[0] == column[1] && column[1] == column[2]) return quoted(word(column[0]));
  return fmt::format(R"({{ a = "{}", b = "{}", c = "{}" }})", word(column[0]), word(column[1]),
                     word(column[2]));
}

}  // namespace

bool Draft::takes(const std::string& word) const {
  return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

std::string to_toml(const Draft& draft, bool with_notes) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"name", quoted(draft.name)},
      {"kernel", quoted(draft.kernel)},
      {"operation", quoted("gemm")},
      {"layout", layout_text(draft.column)},
      {"types",
       fmt::format(R"({{ a = "{}", b = "{}", c = "{}", accumulate = "{}" }})", name(draft.types.a),
                   name(draft.types.b), name(draft.types.c), name(draft.types.accumulate))},
  };
  if (draft.tensor_cores) rows.emplace_back("tensor_cores", "true");
  if (!draft.architecture.empty()) rows.emplace_back("arch", quoted(draft.architecture));
  rows.emplace_back("arguments", list_of(draft.arguments));
  rows.emplace_back("block", list_of(draft.block));
  rows.emplace_back("grid", list_of(draft.grid));
  if (!draft.shared_text.empty()) {
    rows.emplace_back("shared",
                      is_number(draft.shared_text) ? draft.shared_text : quoted(draft.shared_text));
  } else if (draft.shared > 0) {
    rows.emplace_back("shared", std::to_string(draft.shared));
  }
  if (draft.split_k > 1) rows.emplace_back("split_k", std::to_string(draft.split_k));
  if (!draft.deterministic) rows.emplace_back("deterministic", "false");
  if (!draft.workspace.empty()) rows.emplace_back("workspace", draft.workspace);
  if (!draft.requires_.empty()) rows.emplace_back("requires", list_of(draft.requires_));
  std::size_t width = 0;
  for (const auto& [key, value] : rows) width = std::max(width, key.size());
  std::string text = "[[variant]]\n";
  for (const auto& [key, value] : rows) {
    const auto note = draft.notes.find(key);
    const bool noted = with_notes && note != draft.notes.end() && !note->second.empty();
    text += fmt::format("{:<{}} = {}{}\n", key, width, value, noted ? "  # " + note->second : "");
  }
  return text;
}

}  // namespace warpcheck::workflows::init
