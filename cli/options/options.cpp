#include "cli/options/options.hpp"

#include <algorithm>
#include <array>

#include "base/closest_word.hpp"
#include "base/diagnostic.hpp"
#include "cli/help/command_app.hpp"
#include "cli/options/duration.hpp"
#include "properties/law.hpp"

namespace warpcheck::cli {
namespace {

constexpr unsigned kMostJobs = 1024;
// The title of the report options in the help.
constexpr const char* kReports =
    "Reports (FILE -: standard output; messages then go to standard error)";

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

std::optional<ShardChoice> parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = parse_integer<unsigned, 1, kMostShards>(text.substr(0, slash));
  const auto of = parse_integer<unsigned, 1, kMostShards>(
      slash == text.size() ? std::string_view() : text.substr(slash + 1));
  if (!number || !of || *number > *of) return std::nullopt;
  return ShardChoice{*number, *of};
}

/// "blocks=4M"
void set_limit(std::string_view text, bool has_cases, Common& common) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const auto value = parse_scaled(text.substr(std::min(equals + 1, text.size())));
  const auto refuse = [&] {
    throw CLI::ValidationError(
        "--limit", std::string("expected instructions, blocks, memory") +
                       (has_cases ? ", printed, elements or work" : " or printed") +
                       " with a number from 1, such as blocks=4M, found '" + std::string(text) +
                       "'");
  };
  if (!value) refuse();
  if (name == "instructions") {
    common.limits.instructions = *value;
  } else if (name == "blocks") {
    common.limits.blocks = *value;
    common.sizes.blocks = static_cast<std::int64_t>(*value);
  } else if (name == "memory") {
    common.limits.memory_bytes = *value;
  } else if (name == "printed") {
    common.limits.printed_bytes = *value;
  } else if (has_cases && name == "elements") {
    common.sizes.elements = static_cast<std::int64_t>(*value);
  } else if (has_cases && name == "work") {
    common.sizes.work = static_cast<std::int64_t>(*value);
  } else {
    refuse();
  }
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

/// Adds --limit. `has_cases`: also for the limits of generated cases.
void add_limit(CLI::App& command, Common& common, bool has_cases, const std::string& description) {
  const auto take = [&common, has_cases](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) set_limit(text, has_cases, common);
  };
  command.add_option_function<std::vector<std::string>>("--limit", take, description)
      ->option_text("NAME=N")
      ->allow_extra_args(false);
}

void add_report(CLI::App& command, const std::string& name, std::string& file,
                const std::string& description) {
  const OptionGroup group(command, kReports);
  command.add_option(name, file, description)->option_text("FILE");
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

/// The choices are the architectures whose tensor cores differ from their predecessors'.
void add_mma_arch(CLI::App& command, unsigned& mma_arch) {
  add_choice(command, "--mma-arch", mma_arch,
             {{"sm_80", 80}, {"sm_89", 89}, {"sm_90", 90}, {"sm_100", 100}},
             "architecture of the virtual device's tensor cores (the kernel's target)");
}

void add_jobs(CLI::App& command, unsigned& jobs) {
  add_parsed(command, "--jobs", jobs, parse_integer<unsigned, 0, kMostJobs>,
             "a number of threads from 0 to 1024", "host threads (0: one per processor)")
      .option_text("N");
}

void add_properties(CLI::App& command, std::vector<std::string>& properties) {
  command.add_option("--property", properties, "check only this property; may be repeated")
      ->option_text("PROPERTY")
      ->allow_extra_args(false)
      ->check(CLI::Validator(property_error, ""));
}

CLI::Option* add_cases(CLI::App& command, std::int64_t& cases, const std::string& description) {
  return add_parsed(command, "--cases", cases, parse_integer<std::int64_t, 1>,
                    "a number of cases from 1", description)
      .option_text("N");
}

void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& description) {
  add_parsed(command, "--seed", seed, parse_integer<std::uint64_t, 0>,
             "a number from 0 to 2^64 - 1", description)
      .option_text("S");
}

void add_time(CLI::App& command, double& seconds, const std::string& description) {
  add_parsed(command, "--time", seconds, parse_duration, "a time such as 30s or 2m", description)
      .option_text("TIME");
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

void add_json(CLI::App& command, std::string& json) {
  add_report(command, "--json", json, "write JSON Lines to this file");
}

void add_lcov(CLI::App& command, std::string& lcov) {
  add_report(command, "--lcov", lcov,
             "write an LCOV tracefile of the kernels' lines and branches, for genhtml");
}

void add_verbose(CLI::App& command, bool& verbose) {
  const OptionGroup group(command, kReports);
  command.add_flag("-v,--verbose", verbose,
                   "print each case line before its launch, and all details of findings");
}

CLI::Option& add_shard(CLI::App& command, ShardChoice& shard, const std::string& description) {
  CLI::Option& option =
      add_parsed(command, "--shard", shard, parse_shard,
                 "a shard such as 3/16, from 1/N to N/N with N up to 65536", description);
  option.option_text("I/N");
  return option;
}

void add_report_options(CLI::App& command, Common& common) {
  add_json(command, common.json);
  add_report(command, "--junit", common.junit,
             "write JUnit XML, for GitLab and Jenkins, to this file");
  add_report(command, "--sarif", common.sarif, "write SARIF, for code scanning, to this file");
  add_report(command, "--gitlab", common.gitlab,
             "write GitLab Code Quality, for merge requests, to this file");
  add_report(command, "--html", common.html, "write an HTML page with error maps to this file");
  add_report(command, "--markdown", common.markdown,
             "append GitHub Markdown to this file, such as \"$GITHUB_STEP_SUMMARY\"");
  const OptionGroup group(command, kReports);
  command.add_flag("--quiet", common.quiet, "print only what did not pass, and the totals");
}

void add_launch_limit(CLI::App& command, Common& common, const std::string& description) {
  add_limit(command, common, false, description);
}

void add_limits(CLI::App& command, Common& common) {
  const OptionGroup group(command, "Limits");
  add_limit(command, common, true,
            "change a limit: instructions=N, blocks=N, memory=N or printed=N of a launch on the "
            "virtual device, elements=N or work=N of a generated case; N may end in K, M or G; may "
            "be repeated");
  command.add_flag("--strict-launch", common.sizes.strict_launch,
                   "generate grids beyond the limits of a launch, and report them as findings, "
                   "although the contract does not mention such sizes");
}

void add_volatile(CLI::App& command, Common& common) {
  add_choice(command, "--volatile", common.weak_volatile, {{"strong", false}, {"weak", true}},
             "volatile accesses are strong, as in PTX, so that they do not race, or weak, as in "
             "CUDA C++ (strong)");
}

void add_device_options(CLI::App& command, Common& common) {
  const OptionGroup group(command, "Device");
  add_choice(command, "--device", common.device,
             {{"auto", DeviceChoice::automatic},
              {"virtual", DeviceChoice::virtual_device},
              {"cuda", DeviceChoice::cuda}},
             "where kernels run: cuda is a GPU, virtual executes their PTX on the CPU under full "
             "checking, auto uses a GPU if there is one (auto)");
  add_jobs(command, common.jobs);
  add_mma_arch(command, common.mma_arch);
  command.add_flag("--no-races{false}", common.races,
                   "do not detect races; the virtual device then runs faster");
  add_volatile(command, common);
  command.add_flag("--strict-races", common.strict.races,
                   "report benign and relaxed races as findings, not as notes");
  command.add_flag("--strict-barriers", common.strict.barriers,
                   "report barriers that threads skip by exiting, and barriers that are complete "
                   "together, as findings, not as notes");
  add_limits(command, common);
}

}  // namespace warpcheck::cli
