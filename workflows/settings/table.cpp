#include "workflows/settings/table.hpp"

#include <algorithm>

namespace warpcheck::workflows::settings {
namespace {

using campaign::Shard;
using C = campaign::CampaignOptions;
using Sizes = campaign::generate::SizeLimits;
using V = device::VirtualOptions;
using device::Limits;

/// value<&Settings::campaign, &CampaignOptions::seed>: settings.campaign.seed
template <auto... kPath>
constexpr auto value = [](Settings& settings) -> auto& {
  return (settings.*....*kPath);
};
template <auto... kPath>
constexpr auto in_campaign = value<&Settings::campaign, kPath...>;
template <auto... kPath>
constexpr auto on_device = value<&Settings::virtual_device, kPath...>;

constexpr Effect kNone = {};
constexpr Effect cases(std::string_view key, bool later = false) { return {key, false, later}; }
constexpr Effect verdicts(std::string_view key, bool later = false) { return {key, true, later}; }
constexpr bool kLater = true;

struct Title {
  std::string_view text;
};
struct Policy {
  std::string_view key;
};

constexpr void add(Option& option, const Value& value) { option.value = value; }
constexpr void add(Option& option, Title title) { option.title = title.text; }
constexpr void add(Option& option, Policy policy) { option.policy = policy.key; }
constexpr void add(Option& option, const Use& use) {
  *std::ranges::find(option.uses, std::string_view(), &Use::commands) = use;
}

template <typename... Columns>
constexpr Option option(std::string_view name, Effect effect, Member member, Columns... columns) {
  Option row{name, effect, member};
  (add(row, columns), ...);
  return row;
}

constexpr std::string_view kRuns = "check replay diff fuzz bisect";
constexpr std::string_view kSized = "check replay diff fuzz bisect gate";
constexpr std::string_view kLaunches = "check replay diff fuzz bisect gate exec";
constexpr std::string_view kFound = "check replay diff fuzz bisect exec";
constexpr std::string_view kReported = "check replay fuzz exec gate merge prove";

constexpr Title kDevice = {"Device"};
constexpr Title kLimits = {"Limits"};
constexpr Title kReports = {
    "Reports (FILE -: standard output; messages then go to standard error)"};

/// The order is that of the help, of identities and of replay commands.
constexpr auto kOptions = std::array{
    option("--cases", cases("cases"), in_campaign<&C::cases>,
           Value{"N", "a number of cases from 1", 1}, Policy{"cases"},
           Use{"check", "number of cases per variant", "100"},
           Use{"diff", "number of cases, from the intersection of both domains", "100"},
           Use{"mutate", "number of cases per mutant", "500"},
           Use{"fuzz", "end a variant's search after this number of cases"},
           Use{"profile", "profile this number of generated cases, for coverage"},
           Use{"init", "number of cases per contract", "20"}),
    option("--time", kNone, in_campaign<&C::budget_seconds>,
           Value{"TIME", "a time such as 30s or 2m"}, Policy{"seconds"},
           Use{"check", "end the campaign after this time, such as 30s or 2m"},
           Use{"fuzz",
               "end the search after this time, such as 30s or 2m (60s, unless --cases is given)"},
           Use{"exec", "end the program after this time (none)"}),
    option("--seed", cases("seed"), in_campaign<&C::seed>,
           Value{"S", "a number from 0 to 2^64 - 1"}, Policy{"seed"},
           Use{"check diff explore init", "seed of the cases", "0"},
           Use{"fuzz", "seed of the search", "0"},
           Use{"mutate", "seed of the cases and of the choice of mutants", "0"},
           Use{"profile", "seed of the generated cases", "0"}),
    option("--max-size", cases("largest size"), in_campaign<&C::max_size>,
           Value{"N", "a size from 1", 1}, Policy{"max_size"},
           Use{"check", "largest m, n and k, if the contract allows it"}),
    option("--property", cases("properties"), in_campaign<&C::properties>, Value{"PROPERTY"},
           Policy{"properties"},
           Use{"check fuzz mutate", "check only this property; may be repeated"}),
    option("--prove", kNone, value<&Settings::prove>,
           Use{"check",
               "first prove, for every case of the contract, that no access is out of bounds, no "
               "index overflows and no threads race; cases that refute a property run first"}),
    option("--no-cache", kNone, value<&Settings::no_cache>,
           Use{"check gate prove", "prove again instead of reading stored proofs"}),
    option("--keep", kNone, value<&Settings::keep>,
           Use{"check", "save the smallest case of each finding; later runs replay it first"}),
    option("--regressions", kNone, value<&Settings::regressions>, Value{"FOLDER"},
           Use{"check",
               "folder of the saved cases (regressions/ next to the source; for built-in variants "
               "in the current folder)"}),
    option("--history", kNone, value<&Settings::history>, Value{"FILE"},
           Use{"check", "add the campaign to this database of campaigns"},
           Use{"gate", "with --shard: its cases; a shard that was killed continues from there"}),
    option("--resume", kNone, value<&Settings::resume>,
           Use{"check",
               "continue the unfinished campaign in the history that has the same options and "
               "sources"}),
    option("--fail-on-drift", kNone, value<&Settings::fail_on_drift>,
           Use{"check",
               "exit with 1 if a variant passes, but has markedly larger errors than its previous "
               "source"}),
    option(
        "--shard", kNone, in_campaign<&C::shard>,
        Value{"I/N", "a shard such as 3/16, from 1/N to N/N with N up to 65536"},
        Use{"check", "run only part I of N of the campaign; `warpcheck merge` joins the histories"},
        Use{"gate", "run only part I of N of the cases, and decide nothing; --merge does"}),
    option("--shard", cases("shards"), in_campaign<&C::shard, &Shard::of>),
    option("--allow-empty", kNone, value<&Settings::allow_empty>,
           Use{"check",
               "exit with 0 if the shard has no case; `merge` still requires one in the campaign"}),
    option(
        "--min-coverage", kNone, value<&Settings::min_coverage>,
        Value{"PERCENT", "a percentage such as 90, or lines=90,branches=80"},
        Use{"check",
            "exit with 1 if the cases execute less than this percentage of a variant's lines, or "
            "with lines=90,branches=80 also of its branches"}),
    option("--min-coverage", cases("require lines", kLater), in_campaign<&C::require_lines>),
    option("--device", verdicts("device"), value<&Settings::device>, Value{"auto|virtual|cuda"},
           kDevice,
           Use{kRuns,
               "where kernels run: cuda is a GPU, virtual executes their PTX on the CPU under full "
               "checking, auto uses a GPU if there is one",
               "auto"},
           Use{"bench", "auto: a GPU if there is one", "auto"}),
    option("--jobs", kNone, in_campaign<&C::jobs>,
           Value{"N", "a number of threads from 0 to 1024", 0, 1024}, kDevice,
           Use{"check replay diff fuzz bisect gate exec profile prove mutate explore init",
               "host threads (0: one per processor)"}),
    option("--mma-arch", verdicts("tensor cores"), on_device<&V::mma_arch>,
           Value{"sm_80|sm_89|sm_90|sm_100"}, kDevice,
           Use{"check replay diff fuzz bisect bench profile explore",
               "architecture of the virtual device's tensor cores (the kernel's target)"}),
    option("--no-races", verdicts("races"), on_device<&V::races>, kDevice,
           Use{kRuns, "do not detect races; the virtual device then runs faster"}),
    option("--volatile", verdicts("weak volatile", kLater), on_device<&V::weak_volatile>,
           Value{"strong|weak"}, kDevice,
           Use{kFound,
               "volatile accesses are strong, as in PTX, so that they do not race, or weak, as in "
               "CUDA C++",
               "strong"}),
    option("--strict-races", verdicts("strict races"), in_campaign<&C::strict, &Strictness::races>,
           kDevice, Policy{"strict_races"},
           Use{kFound, "report benign and relaxed races as findings, not as notes"}),
    option("--strict-barriers", verdicts("strict barriers", kLater),
           in_campaign<&C::strict, &Strictness::barriers>, kDevice, Policy{"strict_barriers"},
           Use{kFound,
               "report barriers that threads skip by exiting, and barriers that are complete "
               "together, as findings, not as notes"}),
    option(
        "--limit", kNone, {}, Value{"NAME=N"}, kLimits,
        Use{kSized,
            "change a limit: instructions=N, blocks=N, memory=N or printed=N of a launch on the "
            "virtual device, elements=N or work=N of a generated case; N may end in K, M or G; "
            "may be repeated"},
        Use{"exec",
            "change a limit: instructions=N (4G), blocks=N, memory=N or printed=N of a launch; N "
            "may end in K, M or G; may be repeated"}),
    option("--limit instructions", verdicts("most instructions", kLater),
           on_device<&V::limits, &Limits::instructions>, Use{kLaunches}),
    option("--limit blocks", verdicts("most blocks", kLater),
           on_device<&V::limits, &Limits::blocks>, Use{kLaunches}),
    option("--limit memory", verdicts("most memory", kLater),
           on_device<&V::limits, &Limits::memory_bytes>, Use{kLaunches}),
    option("--limit printed", verdicts("most printed", kLater),
           on_device<&V::limits, &Limits::printed_bytes>, Use{kLaunches}),
    option("--limit elements", cases("largest elements", kLater),
           in_campaign<&C::sizes, &Sizes::elements>, Use{kSized}),
    option("--limit work", cases("largest work", kLater), in_campaign<&C::sizes, &Sizes::work>,
           Use{kSized}),
    option("--limit blocks", cases("largest blocks", kLater),
           in_campaign<&C::sizes, &Sizes::blocks>, Use{kSized}),
    option(
        "--strict-launch", cases("strict launch", kLater),
        in_campaign<&C::sizes, &Sizes::strict_launch>, kLimits, Policy{"strict_launch"},
        Use{kSized,
            "generate grids beyond the limits of a launch, and report them as findings, although "
            "the contract does not mention such sizes"}),
    option("--json", kNone, value<&Settings::json>, Value{"FILE"}, kReports,
           Use{"check replay fuzz exec gate merge diff bisect mutate explore profile prove bench",
               "write JSON Lines to this file"}),
    option("--junit", kNone, value<&Settings::junit>, Value{"FILE"}, kReports,
           Use{kReported, "write JUnit XML, for GitLab and Jenkins, to this file"}),
    option("--sarif", kNone, value<&Settings::sarif>, Value{"FILE"}, kReports,
           Use{kReported, "write SARIF, for code scanning, to this file"}),
    option("--gitlab", kNone, value<&Settings::gitlab>, Value{"FILE"}, kReports,
           Use{kReported, "write GitLab Code Quality, for merge requests, to this file"}),
    option("--html", kNone, value<&Settings::html>, Value{"FILE"}, kReports,
           Use{kReported, "write an HTML page with error maps to this file"}),
    option("--markdown", kNone, value<&Settings::markdown>, Value{"FILE"}, kReports,
           Use{kReported, "append GitHub Markdown to this file, such as \"$GITHUB_STEP_SUMMARY\""}),
    option("--lcov", kNone, value<&Settings::lcov>, Value{"FILE"}, kReports,
           Use{"check gate",
               "write an LCOV tracefile of the kernels' lines and branches, for genhtml"}),
    option("--quiet", kNone, value<&Settings::quiet>, kReports,
           Use{kReported, "print only what did not pass, and the totals"}),
    option("-v,--verbose", kNone, value<&Settings::verbose>, kReports,
           Use{"check replay diff fuzz bisect gate",
               "print each case line before its launch, and all details of findings"}),
    option("", cases("shrink"), in_campaign<&C::shrink>),
    option("", cases("shrink launches"), in_campaign<&C::shrink_launches>),
    option("", cases("shrink work", kLater), in_campaign<&C::shrink_work>),
};

}  // namespace

std::span<const Option> options() { return kOptions; }

}  // namespace warpcheck::workflows::settings
