#include "contract/read/document_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

void require_tables(TomlText& text, const toml::table& document,
                    std::span<const std::string_view> keys) {
  constexpr std::array<std::string_view, 2> kTables = {"variant", "defaults"};
  const toml::key* misplaced = nullptr;  // the first of them
  bool has_unknown = false;
  for (const auto& [key, value] : document) {
    if (std::find(kTables.begin(), kTables.end(), key.str()) != kTables.end()) continue;
    if (key == "operation" && value.is_array_of_tables()) continue;
    if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
      text.error(text.at(key.source().begin), unknown("key", key.str(), kTables));
      has_unknown = true;
    } else if (misplaced == nullptr || key.source().begin.line < misplaced->source().begin.line) {
      misplaced = &key;
    }
  }
  if (misplaced != nullptr) {
    text.error(text.at(misplaced->source().begin),
               misplaced->str() == "launch"
                   ? "'launch' outside of a variant: expected [[variant.launch]]"
                   : fmt::format("'{}' outside of a variant: expected it below [[variant]] or "
                                 "[defaults]",
                                 misplaced->str()));
  }
  if (misplaced != nullptr || (has_unknown && !document.contains("variant"))) text.throw_errors();
}

}  // namespace warpcheck::contract
