#include "workflows/init/draft/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/replaced_all.hpp"

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
  if (holds_indices(tensor.type)) text += ", integer = true";
  if (!tensor.range.empty()) text += ", range = " + tensor.range;
  if (!tensor.updates.empty()) text += ", updates = " + quoted(tensor.updates);
  return "{ " + text + " }";
}

std::string define_text(const DraftOperation& operation) {
  if (operation.define.find('\n') == std::string::npos) return quoted(operation.define);
  std::string text = "\"\"\"\n  ";
  for (const char c : operation.define) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text + "\n\"\"\"";
}

/// A comment in place of a definition that is not known.
std::string todo_text(const DraftOperation& operation) {
  if (!operation.define.empty()) return {};
  return fmt::format("# TODO: define = \"...\", what is each element of {}?\n",
                     operation.outputs.front().name);
}

/// A comment with the definitions among which the cases do not decide.
std::string ambiguity_text(const DraftOperation& operation) {
  if (operation.other_definitions.empty()) return {};
  std::string text = "# TODO: choose the definition that is meant: these pass the same cases.\n";
  std::vector<std::string> all = {operation.define};
  all.insert(all.end(), operation.other_definitions.begin(), operation.other_definitions.end());
  for (const std::string& one : all) {
    text += fmt::format("#   {}\n", replaced_all(one, "\n", "\n#     "));
  }
  return text;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_of_operation(const Draft& draft) {
  const DraftOperation& operation = *draft.operation;
  Rows rows = {{"name", quoted(draft.operation_name())}, {"extents", list_of(operation.extents)}};
  for (const DraftTensor& one : operation.inputs) {
    rows.emplace_back("inputs." + one.name, shape_of(one));
  }
  for (const DraftTensor& one : operation.outputs) {
    rows.emplace_back("outputs." + one.name, shape_of(one));
  }
  if (!operation.scalars.empty()) rows.emplace_back("scalars", list_of(operation.scalars));
  if (!operation.define.empty()) rows.emplace_back("define", define_text(operation));
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

Rows rows_of_variant(const Draft& draft) {
  Rows rows = {{"name", quoted(draft.name)},
               {"kernel", quoted(draft.kernel)},
               {"operation", quoted(draft.operation_name())}};
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
  return rows;
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

std::string Draft::operation_name() const {
  if (!operation) return "gemm";
  return name == "gemm" ? "gemm_operation" : name;
}

std::vector<std::string> Draft::guessed_keys() const {
  Rows rows = operation ? rows_of_operation(*this) : Rows();
  for (auto& row : rows_of_variant(*this)) rows.push_back(std::move(row));
  std::vector<std::string> keys;
  for (const auto& [key, value] : rows) {
    const auto note = notes.find(key);
    if (note != notes.end() && note->second.find("guessed") != std::string::npos) {
      keys.push_back(key);
    }
  }
  return keys;
}

std::string to_toml(const Draft& draft, bool with_notes) {
  const std::string variant = table_text("variant", rows_of_variant(draft), draft, with_notes);
  if (!draft.operation) return variant;
  return (with_notes ? ambiguity_text(*draft.operation) : "") +
         table_text("operation", rows_of_operation(draft), draft, with_notes) +
         todo_text(*draft.operation) + "\n" + variant;
}

}  // namespace warpcheck::workflows::init
