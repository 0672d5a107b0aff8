// The table of the options that several commands share, or that a campaign's identity, a replay
// command or a policy spells. Another option is stated where its command is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "workflows/settings/settings.hpp"

namespace warpcheck::workflows::settings {

/// The effect of an option on the results of a campaign. An option without a key changes only the
/// reports, the speed or the exit status.
struct Effect {
  std::string_view key;      // name in identities, and in messages about two that differ
  bool on_verdicts = false;  // the verdict of a case depends on the option: replay repeats it
  bool is_later = false;     // identities of older versions lack the key
};

template <typename... Values>
using MemberOf = std::variant<std::monostate, Values& (*)(Settings&)...>;
/// Returns a reference to the value. Monostate: other rows hold the values that the option sets.
using Member = MemberOf<bool, unsigned, std::int64_t, std::uint64_t, double, std::string,
                        std::vector<std::string>, campaign::Shard, coverage::MinimumCoverage>;

/// The text after the name of an option.
struct Value {
  std::string_view text;  // "N", "strong|weak"; empty: none, and the flag inverts the default
  std::string_view expected = {};  // description of valid texts in errors
  std::uint64_t least = 0;         // range of a number
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// The commands in which an option has the same help.
struct Use {
  std::string_view commands;    // "check replay"
  std::string_view help = {};   // sentence of the help, without the default
  std::string_view usual = {};  // default, as the command line spells it; empty: 0, false or ""
};

struct Option {
  std::string_view name;  // "--seed"; "--limit blocks": a name that --limit takes; empty: no option
  Effect effect;
  Member member;
  Value value = {};
  std::string_view title = "Options";  // title of the group of options in the help
  std::string_view policy = {};        // key in policies; empty: none
  // No use: the value follows from another row with this name.
  std::array<Use, 6> uses = {};
};

[[nodiscard]] std::span<const Option> options();

/// The use of an option in a command; null: the command lacks the option.
[[nodiscard]] const Use* use_in(const Option& option, std::string_view command);

/// "blocks" of "--limit blocks"; empty for other options.
[[nodiscard]] std::string_view limit_name(const Option& option);

/// True for the file of a report: "--json" is also the key `json` of a policy's [reports].
[[nodiscard]] bool is_report(const Option& option);

/// The file of a report; null for other options.
[[nodiscard]] std::string* report_file(const Option& option, Settings& settings);

/// The files of all reports, except for those that are not written.
[[nodiscard]] std::vector<std::string> report_files(Settings settings);

/// "strong" and "weak" of "strong|weak".
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text, char separator);

/// Calls `visit` with references to the values of an option in each of the settings.
template <typename Visit, typename... All>
void visit_values(const Option& option, const Visit& visit, All&... settings) {
  std::visit(
      [&](auto member) {
        if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
          visit(member(settings)...);
        }
      },
      option.member);
}

/// The options of the command that replays a case with the same verdict; none for the defaults.
[[nodiscard]] std::vector<std::string> replay_words(Settings settings);

/// Copies the values of the options that have a key in identities.
void copy_identity(Settings from, Settings& to);

/// True if the options with a key in policies have the same values.
[[nodiscard]] bool have_same_policy(Settings one, Settings other);

}  // namespace warpcheck::workflows::settings
