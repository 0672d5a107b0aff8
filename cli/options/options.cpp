#include "cli/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "cli/help/command_app.hpp"
#include "cli/options/duration.hpp"
#include "properties/law.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

using workflows::coverage::MinimumCoverage;
using workflows::settings::Option;
using workflows::settings::Settings;
using Words = std::vector<std::string>;

/// "4096", "64K", "2G": a number from 1, in units of 1024, 1024^2 or 1024^3.
std::optional<std::uint64_t> parse_scaled(std::string_view text) {
  constexpr std::string_view kSuffixes = "KMG";
  const std::size_t suffix = text.empty() ? text.npos : kSuffixes.find(text.back());
  const unsigned shift = suffix == text.npos ? 0 : 10 * static_cast<unsigned>(suffix + 1);
  if (shift != 0) text.remove_suffix(1);
  const auto value = parse_integer<std::uint64_t, 1>(text);
  if (!value || *value > (std::uint64_t{1} << 62 >> shift)) return std::nullopt;
  return *value << shift;
}

std::optional<campaign::Shard> parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = parse_integer<unsigned, 1, kMostShards>(text.substr(0, slash));
  const auto of = parse_integer<unsigned, 1, kMostShards>(
      slash == text.size() ? std::string_view() : text.substr(slash + 1));
  if (!number || !of || *number > *of) return std::nullopt;
  return campaign::Shard{*number, *of};
}

/// "90", "lines=90,branches=80"
std::optional<MinimumCoverage> parse_min_coverage(std::string_view text) {
  if (const auto lines = parse_percent(text)) return MinimumCoverage{*lines, 0.0};
  MinimumCoverage minimum;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto percent = parse_percent(part.substr(std::min(equals + 1, part.size())));
    const std::string_view key = part.substr(0, equals);
    if (!percent || (key != "lines" && key != "branches")) return std::nullopt;
    (key == "lines" ? minimum.lines : minimum.branches) = *percent;
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return minimum;
}

/// "blocks=4M"
void set_limit(std::string_view text, const std::string& command, Settings& settings) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto value = parse_scaled(text.substr(std::min(equals + 1, text.size())));
  std::vector<std::string_view> names;
  bool is_known = false;
  for (const Option& option : workflows::settings::options()) {
    const std::string_view name = limit_name(option);
    if (name.empty() || use_in(option, command) == nullptr) continue;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    if (!value || name != text.substr(0, equals)) continue;
    is_known = true;
    const auto set = [&](auto& limit) {
      if constexpr (std::is_integral_v<std::decay_t<decltype(limit)>>) {
        limit = static_cast<std::decay_t<decltype(limit)>>(*value);
      }
    };
    visit_values(option, set, settings);
  }
  if (is_known) return;
  const std::string_view last = names.back();
  names.pop_back();
  throw CLI::ValidationError(
      "--limit",
      fmt::format("expected {} or {} with a number from 1, such as blocks=4M, found '{}'",
                  fmt::join(names, ", "), last, text));
}

/// The error of a name that is not a property; empty if it is one.
std::string property_error(const std::string& name) {
  try {
    (void)properties::law(name);
    return {};
  } catch (const InputError& error) {
    return error.diagnostics().front().message;
  }
}

/// The choices of "strong|weak" are false and true, those of "sm_80|sm_90" are 80 and 90, and
/// others are the words. None: the option takes other texts.
template <typename Value>
std::vector<Choice<Value>> choices_of(const Option& option) {
  std::vector<Choice<Value>> choices;
  for (const std::string_view word : workflows::settings::words_of(option.value.text, '|')) {
    Choice<Value> choice{std::string(word), {}};
    if constexpr (std::is_same_v<Value, bool>) choice.value = !choices.empty();
    if constexpr (std::is_same_v<Value, std::string>) choice.value = word;
    if constexpr (std::is_same_v<Value, unsigned>) {
      choice.value = parse_integer<unsigned, 0>(word.substr(word.find('_') + 1)).value_or(0);
    }
    choices.push_back(choice);
  }
  return choices.size() > 1 ? choices : std::vector<Choice<Value>>();
}

/// Returns an empty optional for an invalid text.
template <typename Value>
std::optional<Value> parsed(const Option& option, std::string_view text) {
  if constexpr (std::is_same_v<Value, double>) {
    return parse_duration(text);
  } else if constexpr (std::is_same_v<Value, campaign::Shard>) {
    return parse_shard(text);
  } else if constexpr (std::is_same_v<Value, MinimumCoverage>) {
    return parse_min_coverage(text);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return std::string(text);
  } else {
    const auto number = parse_integer<Value, 0>(text);
    const bool is_valid = number && std::cmp_greater_equal(*number, option.value.least) &&
                          std::cmp_less_equal(*number, option.value.most);
    return is_valid ? number : std::nullopt;
  }
}

template <typename Value>
void add_value(CLI::App& command, const Option& option, std::string_view usual,
               const std::string& help, Value& value) {
  const std::string name(option.name);
  const auto choices = choices_of<Value>(option);
  if (!choices.empty()) {
    add_choice(command, name, value, choices, help);
  } else if constexpr (std::is_same_v<Value, bool>) {
    command.add_flag(name + (value ? "{false}" : ""), value, help);
  } else {
    value = parsed<Value>(option, usual).value_or(Value());
    add_parsed<Value>(
        command, name, value,
        [&option](std::string_view text) { return parsed<Value>(option, text); },
        std::string(option.value.expected), help)
        .option_text(std::string(option.value.text));
  }
}

void add_value(CLI::App& command, const Option& option, std::string_view /*usual*/,
               const std::string& help, Words& names) {
  command.add_option(std::string(option.name), names, help)
      ->option_text(std::string(option.value.text))
      ->allow_extra_args(false)
      ->check(CLI::Validator(property_error, ""));
}

void add_limit(CLI::App& command, const Option& option, const std::string& help,
               Settings& settings) {
  const auto take = [&command, &settings](const Words& texts) {
    for (const std::string& text : texts) set_limit(text, command.get_name(), settings);
  };
  command.add_option_function<Words>("--limit", take, help)
      ->option_text(std::string(option.value.text))
      ->allow_extra_args(false);
}

}  // namespace

std::optional<ProblemSize> parse_size(std::string_view text) {
  std::array<std::int64_t, 3> extents{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t end = text.find('x');
    const auto extent = parse_integer<std::int64_t, 1>(text.substr(0, end));
    if (!extent || count == extents.size()) return std::nullopt;
    extents[count] = *extent;
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  if (count == 1) return ProblemSize{extents[0], extents[0], extents[0]};
  if (count == 3) return ProblemSize{extents[0], extents[1], extents[2]};
  return std::nullopt;
}

std::string not_one_of(const std::string& expected, const std::string& text,
                       const std::vector<std::string_view>& words) {
  const auto near = nearest(text, words);
  return "expected " + expected + ", found '" + text + "'" +
         (near ? ": did you mean '" + std::string(*near) + "'?" : "");
}

void add_options(CLI::App& command, Common& common) {
  for (const Option& option : workflows::settings::options()) {
    const workflows::settings::Use* const use = use_in(option, command.get_name());
    if (use == nullptr || !limit_name(option).empty()) continue;
    const OptionGroup group(command, std::string(option.title));
    std::string help(use->help);
    if (!use->usual.empty()) help += fmt::format(" ({})", use->usual);
    if (option.name == "--limit") add_limit(command, option, help, common);
    visit_values(
        option, [&](auto& value) { add_value(command, option, use->usual, help, value); }, common);
  }
}

CLI::Option* add_size(CLI::App& command, ProblemSize& size, const std::string& description) {
  return add_parsed(command, "--size", size, parse_size, "a size such as 256 or 256x128x64",
                    description)
      .option_text("MxNxK");
}

std::optional<double> parse_percent(std::string_view text) {
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !(value >= 0.0 && value <= 100.0)) return std::nullopt;
  return value;
}

}  // namespace warpcheck::cli
