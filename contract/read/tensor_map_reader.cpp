#include "contract/read/tensor_map_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array<std::string_view, 4> kOperandWords = {"a", "b", "c", "d"};
constexpr std::array<std::string_view, 2> kFills = {"zero", "nan"};
constexpr std::int64_t kLargestBox = 256;  // elements along one dimension
constexpr std::int64_t kUnit = 16;         // bytes

std::size_t element_bytes(const Contract& contract, ArgumentWord of) {
  return size_of(of == ArgumentWord::a   ? contract.type_a
                 : of == ArgumentWord::b ? contract.type_b
                                         : contract.type_c);
}

}  // namespace

void TensorMapReader::read(const toml::node& node) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    return wrong_type(node, "a table with 'of' and 'box', or one of such tables");
  }
  const bool named = !table->empty() && std::all_of(table->begin(), table->end(), [](auto entry) {
    return entry.second.is_table();
  });
  if (!named) return read_one(*table, "tensor_map");
  for (const auto& [key, value] : *table) {
    const std::string name = fmt::format("tensor_map.{}", key.str());
    if (is_tensor_map_word(name)) {
      read_one(*value.as_table(), name);
    } else {
      text_.error(text_.at(key.source().begin),
                  fmt::format("tensor map '{}': expected letters, digits and '_'", key.str()));
    }
  }
}

void TensorMapReader::read_one(const toml::table& table, std::string name) {
  constexpr std::array<std::string_view, 4> kKeys = {"of", "box", "swizzle", "fill"};
  require_known_keys(table, kKeys);
  TensorMapArgument map;
  map.name = std::move(name);
  if (const toml::node* of = table.get("of")) {
    if (const auto text = word(*of, "operand", "an operand", kOperandWords)) {
      map.of = static_cast<ArgumentWord>(
          std::find(kOperandWords.begin(), kOperandWords.end(), *text) - kOperandWords.begin());
    }
  } else {
    missing_key(table, "of");
  }
  if (const toml::node* box = table.get("box")) {
    read_box(*box, map);
  } else {
    missing_key(table, "box");
  }
  if (const toml::node* swizzle = table.get("swizzle")) read_swizzle(*swizzle, map);
  if (const toml::node* fill = table.get("fill")) {
    const auto text = word(*fill, "fill", "a fill", kFills);
    map.fills_with_nan = text && *text == "nan";
  }
  places_.push_back(text_.at(table));
  contract_.tensor_maps.push_back(std::move(map));
}

void TensorMapReader::read_box(const toml::node& node, TensorMapArgument& map) {
  const auto* array = node.as_array();
  if (array == nullptr || array->size() < 2 || array->size() > 3) {
    return wrong_type(node, "an array of two or three numbers or constants");
  }
  bool legal = true;
  for (const toml::node& element : *array) {
    const auto extent = expression(element, kContractVocabulary);
    legal = legal && extent.has_value();
    if (!extent) continue;
    const auto value = constant(*extent);
    if (constants_->occur_in(*extent)) continue;  // each variant checks it
    if (!value || *value < 1 || *value > kLargestBox) {
      text_.error(element, value ? fmt::format("box extent of {} elements: expected 1 to {}",
                                               *value, kLargestBox)
                                 : fmt::format("'{}' is not constant", extent->text()));
      legal = false;
    }
    map.box.push_back(*extent);
  }
  if (!legal) map.box.clear();
}

void TensorMapReader::read_swizzle(const toml::node& node, TensorMapArgument& map) {
  const auto bytes = expression(node, kContractVocabulary);
  if (!bytes) return;
  const auto value = constant(*bytes);
  if (constants_->occur_in(*bytes)) return;  // each variant checks it
  if (!value || (*value != 0 && *value != 32 && *value != 64 && *value != 128)) {
    return text_.error(node,
                       fmt::format("swizzle '{}': expected 0, 32, 64 or 128 bytes", bytes->text()));
  }
  map.swizzle = static_cast<unsigned>(*value);
}

void TensorMapReader::check_box(const TensorMapArgument& map, const Location& where) {
  if (map.box.empty()) return;
  const std::size_t expected = contract_.takes(ArgumentWord::batch) ? 3 : 2;
  if (map.box.size() != expected) {
    return text_.error(
        where, fmt::format("box of {} extents: expected {}, the dimensions of a {}", map.box.size(),
                           expected, expected == 3 ? "batch of matrices" : "matrix"));
  }
  const std::size_t size = element_bytes(contract_, map.of);
  const std::int64_t row = *constant(map.box.front()) * static_cast<std::int64_t>(size);
  if (row % kUnit != 0) {
    text_.error(where, fmt::format("the innermost extent of the box is {} bytes: expected a "
                                   "multiple of {} bytes",
                                   row, kUnit));
  } else if (map.swizzle != 0 && row > map.swizzle) {
    text_.error(where, fmt::format("the innermost extent of the box is {} bytes, but the swizzle "
                                   "spans {} bytes",
                                   row, map.swizzle));
  }
}

/// Other cases have no map: the driver refuses their arguments.
void TensorMapReader::imply_conditions(const TensorMapArgument& map) {
  const std::string_view operand = name(map.of);
  const std::size_t size = element_bytes(contract_, map.of);
  const auto imply = [&](const std::string& text) {
    contract_.imply(Expression::parse(text, contract_.where));
  };
  const auto require_unit = [&](const std::string& elements) {
    imply(size == 1
              ? fmt::format("{} % {} == 0", elements, kUnit)
              : fmt::format("{} % {} == 0", elements, kUnit / static_cast<std::int64_t>(size)));
  };
  imply(fmt::format("aligned({}, {})", operand, kUnit));
  require_unit(fmt::format("ld{}", operand));
  if (contract_.takes(ArgumentWord::batch)) require_unit(fmt::format("stride_{}", operand));
  if (map.of <= ArgumentWord::b) imply("k >= 1");
}

void TensorMapReader::match(bool arguments_known) {
  std::set<std::string> taken;
  for (LaunchStep& step : contract_.launches) {
    for (Argument& argument : step.arguments) {
      if (argument.word != ArgumentWord::tensor_map) continue;
      taken.insert(argument.text);
      const auto described = [&](const TensorMapArgument& map) {
        return map.name == argument.text;
      };
      if (std::none_of(contract_.tensor_maps.begin(), contract_.tensor_maps.end(), described)) {
        text_.error(
            argument.where,
            fmt::format("argument '{}', which `tensor_map` does not describe", argument.text));
        argument.word = ArgumentWord::literal;
      }
    }
  }
  for (std::size_t i = 0; i < contract_.tensor_maps.size(); ++i) {
    const TensorMapArgument& map = contract_.tensor_maps[i];
    if (arguments_known && !taken.contains(map.name)) {
      text_.error(places_[i], fmt::format("no argument of a launch is '{}'", map.name));
    }
    check_box(map, places_[i]);
    imply_conditions(map);
  }
}

}  // namespace warpcheck::contract
