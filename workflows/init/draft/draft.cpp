#include "workflows/init/draft/draft.hpp"

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

std::string shape_of(const DraftTensor& tensor) {
  std::string text = "shape = " + list_of(tensor.shape);
  if (tensor.type == ScalarType::s32) text += ", integer = true";
  if (!tensor.updates.empty()) text += ", updates = " + quoted(tensor.updates);
  return "{ " + text + " }";
}

/// The operation has a name of its own in the file: that of its variant.
std::string operation_name(const Draft& draft) {
  if (!draft.operation) return "gemm";
  return draft.name == "gemm" ? "gemm_operation" : draft.name;
}

std::string define_text(const DraftOperation& operation) {
  if (operation.define.empty()) {
    return fmt::format("\"\"\"\n  # TODO: what is each element of {}?\n\"\"\"",
                       operation.outputs.front().name);
  }
  if (operation.define.find('\n') == std::string::npos) return quoted(operation.define);
  std::string text = "\"\"\"\n  ";
  for (const char c : operation.define) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text + "\n\"\"\"";
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_of_operation(const Draft& draft) {
  const DraftOperation& operation = *draft.operation;
  Rows rows = {{"name", quoted(operation_name(draft))}, {"extents", list_of(operation.extents)}};
  for (const DraftTensor& one : operation.inputs) {
    rows.emplace_back("inputs." + one.name, shape_of(one));
  }
  for (const DraftTensor& one : operation.outputs) {
    rows.emplace_back("outputs." + one.name, shape_of(one));
  }
  if (!operation.scalars.empty()) rows.emplace_back("scalars", list_of(operation.scalars));
  rows.emplace_back("define", define_text(operation));
  return rows;
}

std::string types_text(const Draft& draft) {
  std::string text;
  if (draft.operation) {
    for (const auto* tensors : {&draft.operation->inputs, &draft.operation->outputs}) {
      for (const DraftTensor& one : *tensors) {
        if (!draft.takes(one.name)) continue;  // the type of an input that an output updates is its
        text += fmt::format("{} = \"{}\", ", one.name, name(one.type));
      }
    }
  } else {
    text = fmt::format(R"(a = "{}", b = "{}", c = "{}", )", name(draft.types.a),
                       name(draft.types.b), name(draft.types.c));
  }
  return fmt::format(R"({{ {}accumulate = "{}" }})", text, name(draft.types.accumulate));
}

std::string table_text(std::string_view title, const Rows& rows, const Draft& draft,
                       bool with_notes) {
  std::size_t width = 0;
  for (const auto& [key, value] : rows) width = std::max(width, key.size());
  std::string text = fmt::format("[[{}]]\n", title);
  for (const auto& [key, value] : rows) {
    const auto note = draft.notes.find(key);
    const bool noted = with_notes && note != draft.notes.end() && !note->second.empty();
    text += fmt::format("{:<{}} = {}{}\n", key, width, value, noted ? "  # " + note->second : "");
  }
  return text;
}

}  // namespace

bool Draft::takes(const std::string& word) const {
  return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

std::string to_toml(const Draft& draft, bool with_notes) {
  Rows rows = {{"name", quoted(draft.name)},
               {"kernel", quoted(draft.kernel)},
               {"operation", quoted(operation_name(draft))}};
  if (!draft.operation) rows.emplace_back("layout", layout_text(draft.column));
  rows.emplace_back("types", types_text(draft));
  if (draft.fast_math) rows.emplace_back("fast_math", "true");
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
  const std::string variant = table_text("variant", rows, draft, with_notes);
  if (!draft.operation) return variant;
  return table_text("operation", rows_of_operation(draft), {}, false) + "\n" + variant;
}

}  // namespace warpcheck::workflows::init
