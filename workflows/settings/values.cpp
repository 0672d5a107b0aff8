#include <fmt/format.h>

#include <algorithm>

#include "workflows/settings/table.hpp"

namespace warpcheck::workflows::settings {
namespace {

/// The value on the command line; empty for a flag.
template <typename Value>
std::string spelled(const Option& option, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return option.value.text.empty() ? "" : std::string(words_of(option.value.text, '|').at(value));
  } else if constexpr (std::is_same_v<Value, unsigned>) {
    return fmt::format("sm_{}", value);
  } else if constexpr (fmt::is_formattable<Value>::value) {
    return fmt::format("{}", value);
  } else {
    return {};
  }
}

/// True if the option has the same value in both.
bool is_same(const Option& option, Settings& one, Settings& other) {
  bool same = true;
  const auto compare = [&](const auto& first, const auto& second) {
    if constexpr (requires { first == second; }) same = first == second;
  };
  visit_values(option, compare, one, other);
  return same;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  for (bool more = true; more;) {
    const std::size_t end = text.find(separator);
    words.push_back(text.substr(0, end));
    more = end != text.npos;
    if (more) text.remove_prefix(end + 1);
  }
  return words;
}

std::string_view limit_name(const Option& option) {
  const std::size_t space = option.name.find(' ');
  return space == option.name.npos ? "" : option.name.substr(space + 1);
}

const Use* use_in(const Option& option, std::string_view command) {
  const auto use = std::ranges::find_if(option.uses, [&](const Use& one) {
    const auto commands = words_of(one.commands, ' ');
    return std::ranges::find(commands, command) != commands.end();
  });
  return use == option.uses.end() ? nullptr : &*use;
}

bool is_report(const Option& option) {
  return option.title.starts_with("Reports") && option.value.text == "FILE";
}

std::string* report_file(const Option& option, Settings& settings) {
  return is_report(option) ? &std::get<std::string& (*)(Settings&)>(option.member)(settings)
                           : nullptr;
}

std::vector<std::string> report_files(Settings settings) {
  std::vector<std::string> files;
  for (const Option& option : options()) {
    const std::string* const file = report_file(option, settings);
    if (file != nullptr && !file->empty()) files.push_back(*file);
  }
  return files;
}

std::vector<std::string> replay_words(Settings settings) {
  Settings usual;
  std::vector<std::string> words;
  for (const Option& option : options()) {
    if (!option.effect.on_verdicts || is_same(option, settings, usual)) continue;
    std::string word;
    visit_values(
        option, [&](const auto& value) { word = spelled(option, value); }, settings);
    const std::string_view limit = limit_name(option);
    words.emplace_back(limit.empty() ? option.name : "--limit");
    if (!word.empty()) words.push_back(limit.empty() ? word : fmt::format("{}={}", limit, word));
  }
  return words;
}

void copy_identity(Settings from, Settings& to) {
  for (const Option& option : options()) {
    if (option.effect.key.empty()) continue;
    visit_values(
        option, [](const auto& value, auto& copy) { copy = value; }, from, to);
  }
}

bool have_same_policy(Settings one, Settings other) {
  return std::ranges::all_of(options(), [&](const Option& option) {
    return option.policy.empty() || is_same(option, one, other);
  });
}

}  // namespace warpcheck::workflows::settings
