// Options that several subcommands have, each said once.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
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
    "a variant, a glob over the built-in variants, a .cu file or a folder; nothing: all built-in "
    "variants";

/// What the options of `command` fill, which becomes `chosen` where that is the one that is called.
template <typename Values>
Values& chosen_by(CLI::App& command, Command& chosen) {
  const auto values = std::make_shared<Values>();
  command.callback([values, &chosen] { chosen = *values; });
  return *values;
}

/// An option whose text `parse` turns into a value, or into nothing where it is not what was
/// `expected`.
template <typename Value>
CLI::Option& add_parsed(CLI::App& command, const std::string& name, Value& value,
                        std::optional<Value> (*parse)(std::string_view),
                        const std::string& expected, const std::string& description) {
  const auto take = [&value, parse, name, expected](const std::string& text) {
    const std::optional<Value> parsed = parse(text);
    if (!parsed) throw CLI::ValidationError(name, "expected " + expected + ", found " + text);
    value = *parsed;
  };
  return *command.add_option_function<std::string>(name, take, description);
}

template <typename Value>
struct Choice {
  const char* name;  // in small letters, which tells completions that it stands for itself
  Value value;
};

/// An option or an argument that takes one of these words.
template <typename Value>
CLI::Option& add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::vector<Choice<std::common_type_t<Value>>>& choices,
                        const std::string& description) {
  std::string names;
  for (const auto& choice : choices) names += (names.empty() ? "" : "|") + std::string(choice.name);
  const auto take = [&value, name, names, choices](const std::string& text) {
    for (const auto& choice : choices) {
      if (text == choice.name) {
        value = choice.value;
        return;
      }
    }
    throw CLI::ValidationError(name, "expected " + names + ", found '" + text + "'");
  };
  CLI::Option& option = *command.add_option_function<std::string>(name, take, description);
  option.option_text(names);
  return option;
}

/// CLI11's own conversion takes -1 for 2^64 - 1.
template <typename Integer, Integer kLeast, Integer kMost = std::numeric_limits<Integer>::max()>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < kLeast || value > kMost) return std::nullopt;
  return value;
}

/// From 0 to 100, "95" or "99.5", without its sign.
[[nodiscard]] std::optional<double> parse_percent(std::string_view text);

/// `--device`, `--jobs`, `--mma-arch` and what is looked for.
void add_device_options(CLI::App& command, Common& common);

/// In which formats a campaign is told of, all of them: `--json`, `--junit`, `--sarif` ...
void add_report_options(CLI::App& command, Common& common);

/// `--json` alone, of a command that has no campaign's events to tell.
void add_json(CLI::App& command, std::string& json);

/// `--lcov`, of a command that can count coverage.
void add_lcov(CLI::App& command, std::string& lcov);

void add_verbose(CLI::App& command, bool& verbose);
void add_jobs(CLI::App& command, unsigned& jobs);
void add_mma_arch(CLI::App& command, unsigned& mma_arch);
void add_properties(CLI::App& command, std::vector<std::string>& properties);

/// `description`: what they are cases of, and what follows from the seed.
CLI::Option* add_cases(CLI::App& command, std::int64_t& cases, const std::string& description);
void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& description);
void add_time(CLI::App& command, double& seconds, const std::string& description);
CLI::Option* add_size(CLI::App& command, ProblemSize& size, const std::string& description);

}  // namespace warpcheck::cli
