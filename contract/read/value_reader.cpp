#include "contract/read/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/closest_word.hpp"
#include "contract/build/nvcc_flag.hpp"

namespace warpcheck::contract {

void ValueReader::require_known_keys(const toml::table& table,
                                     std::span<const std::string_view> known) {
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    text_.error(text_.at(key.source().begin), unknown("key", key.str(), known));
  }
}

void ValueReader::missing_key(const toml::table& table, std::string_view key) {
  if (!has_misspelt(table, key)) text_.missing_key(text_.at(table), key);
}

bool ValueReader::has_misspelt(const toml::table& table, std::string_view key) const {
  return std::any_of(table.begin(), table.end(), [&](const auto& entry) {
    return text_.has_error(text_.at(entry.first.source().begin)) &&
           nearest(entry.first.str(), std::span(&key, 1));
  });
}

void ValueReader::wrong_type(const toml::node& node, std::string_view expected) {
  text_.error(node, fmt::format("{} where {} is expected", type_name(node.type()), expected));
}

std::optional<std::string> ValueReader::string(const toml::node& node, std::string_view expected) {
  if (const auto* value = node.as_string()) return value->get();
  wrong_type(node, expected);
  return std::nullopt;
}

std::optional<std::string> ValueReader::word(const toml::node& node, std::string_view kind,
                                             std::string_view expected,
                                             std::span<const std::string_view> known) {
  auto text = string(node, expected);
  if (!text || std::find(known.begin(), known.end(), *text) != known.end()) return text;
  text_.error(node, unknown(kind, *text, known));
  return std::nullopt;
}

Expression ValueReader::parse(const toml::value<std::string>& text,
                              const Vocabulary& vocabulary) const {
  std::vector<std::string_view> names(vocabulary.names.begin(), vocabulary.names.end());
  if (constants_ != nullptr) {
    for (const std::string_view name : constants_->names()) names.push_back(name);
  }
  const Vocabulary known{names, vocabulary.buffers};
  return Expression::parse(text.get(), text_.inside(text), &known);
}

std::optional<Expression> ValueReader::expression(const toml::node& node,
                                                  const Vocabulary& vocabulary) {
  if (const auto* value = node.as_integer()) return Expression::constant(value->get());
  if (!string(node, "an integer or an expression")) return std::nullopt;
  try {
    Expression parsed = parse(*node.as_string(), vocabulary);
    if (constants_ != nullptr) parsed = constants_->bind(parsed);
    const auto undefined = parsed.undefined_part({});
    if (!undefined) return parsed;
    text_.error(undefined->where, fmt::format("'{}' {}", parsed.text(), undefined->reason));
    return std::nullopt;
  } catch (const InputError& error) {
    text_.errors_of(error);
    return std::nullopt;
  }
}

std::vector<Expression> ValueReader::conditions(const toml::node& node,
                                                const Vocabulary& vocabulary) {
  if (!string(node, "an expression")) return {};
  try {
    const Expression parsed = parse(*node.as_string(), vocabulary);
    if (constants_ != nullptr && constants_->occur_in(parsed)) {
      std::vector<Expression> bound;  // one by one, so that each keeps its place in the text
      for (const Expression& part : parsed.conjuncts()) {
        bound.push_back(constants_->bind(Expression::parse(part.text(), part.where())));
      }
      return bound;
    }
  } catch (const InputError& error) {
    text_.errors_of(error);
    return {};
  }
  const auto whole = expression(node, vocabulary);
  return whole ? std::vector{*whole} : std::vector<Expression>();
}

void ValueReader::require_truth(const Expression& condition) {
  if (is_condition(condition)) return;
  text_.error(
      condition.where(),
      fmt::format("'{}' is a number: expected a condition, such as m % 4 == 0", condition.text()));
}

void ValueReader::read_truth(const toml::node& node, bool& truth) {
  const auto* value = node.as_boolean();
  if (value == nullptr) return wrong_type(node, "true or false");
  truth = value->get();
}

std::optional<std::string> ValueReader::shell_text(const toml::node& node,
                                                   std::string_view expected) {
  auto text = string(node, expected);
  if (!text) return text;
  const auto error = shell_error(*text);
  if (!error) return text;
  text_.error(node, fmt::format("{} in {}: nvcc hands its arguments to a shell", *error, expected));
  return std::nullopt;
}

std::optional<std::int64_t> ValueReader::constant(const Expression& expression) {
  return expression.is_constant() ? expression.evaluate({}) : std::nullopt;
}

}  // namespace warpcheck::contract
