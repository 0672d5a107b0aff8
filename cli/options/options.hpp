// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

inline constexpr const char* kTargets =
    "a .cu file, a folder, a built-in variant or a glob over these (all built-in variants)";

/// The values that the options of `command` set. They become `chosen` if that command is called.
template <typename Values>
Values& chosen_by(CLI::App& command, Command& chosen) {
  const auto values = std::make_shared<Values>();
  command.callback([values, &chosen] { chosen = *values; });
  return *values;
}

template <typename Value>
using Parse = std::function<std::optional<Value>(std::string_view)>;

/// Adds an option with a parser, which returns an empty optional for invalid text. `expected`
/// describes valid text in the error.
template <typename Value>
CLI::Option& add_parsed(CLI::App& command, const std::string& name, Value& value,
                        const std::type_identity_t<Parse<Value>>& parse,
                        const std::string& expected, const std::string& description) {
  const auto take = [&value, parse, name, expected](const std::string& text) {
    const std::optional<Value> parsed = parse(text);
    if (!parsed) throw CLI::ValidationError(name, "expected " + expected + ", found " + text);
    value = *parsed;
  };
  return *command.add_option_function<std::string>(name, take, description);
}

/// "expected auto|virtual|cuda, found 'cud': did you mean 'cuda'?"
[[nodiscard]] std::string not_one_of(const std::string& expected, const std::string& text,
                                     const std::vector<std::string_view>& words);

template <typename Value>
struct Choice {
  std::string name;  // lower case, so that completion offers it; see complete()
  Value value;
};

/// Adds an option or an argument that takes one of these words.
template <typename Value>
CLI::Option& add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::vector<Choice<std::common_type_t<Value>>>& choices,
                        const std::string& description) {
  std::string names;
  for (const auto& choice : choices) names += (names.empty() ? "" : "|") + choice.name;
  const auto take = [&value, name, names, choices](const std::string& text) {
    for (const auto& choice : choices) {
      if (text == choice.name) {
        value = choice.value;
        return;
      }
    }
    std::vector<std::string_view> words;
    for (const auto& choice : choices) words.emplace_back(choice.name);
    throw CLI::ValidationError(name, not_one_of(names, text, words));
  };
  CLI::Option& option = *command.add_option_function<std::string>(name, take, description);
  option.option_text(names);
  return option;
}

/// CLI11 itself converts -1 to 2^64 - 1.
template <typename Integer, Integer kLeast, Integer kMost = std::numeric_limits<Integer>::max()>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < kLeast || value > kMost) return std::nullopt;
  return value;
}

/// "256x128x64": m, n and k; "256" sets all three.
[[nodiscard]] std::optional<ProblemSize> parse_size(std::string_view text);

/// A number from 0 to 100 without a percent sign: "95" or "99.5".
[[nodiscard]] std::optional<double> parse_percent(std::string_view text);

/// Adds the options of the table that the command has, with their defaults.
void add_options(CLI::App& command, Common& common);

/// Shards of a campaign.
inline constexpr unsigned kMostShards = 65536;

CLI::Option* add_size(CLI::App& command, ProblemSize& size, const std::string& description);

}  // namespace warpcheck::cli
