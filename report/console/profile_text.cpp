#include "report/console/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "report/coverage_text.hpp"
#include "report/path.hpp"
#include "report/wording.hpp"
#include "workflows/profile/line_counts.hpp"
#include "workflows/profile/metrics.hpp"
#include "workflows/profile/occupancy.hpp"

namespace warpcheck::report {
namespace {

using workflows::profile::Profile;

using Out = std::back_insert_iterator<std::string>;

void heading(Out out, std::string_view title) { fmt::format_to(out, "\n  {}\n", title); }

std::string metric_text(double value) {
  return value == static_cast<double>(static_cast<std::uint64_t>(value))
             ? fmt::format("{}", static_cast<std::uint64_t>(value))
             : fmt::format("{:.2f}", value);
}

void add_metrics(Out out, const Profile& profile) {
  std::string_view section;
  for (const workflows::profile::Metric& metric : metrics(profile)) {
    if (metric.section != section) heading(out, section = metric.section);
    fmt::format_to(out, "    {:<44} {:>14} {:<7} {}\n", metric.label, metric_text(metric.value),
                   metric.unit, metric.name);
  }
}

void add_mix(Out out, const Profile& profile) {
  std::string list;
  for (const workflows::profile::KindShare& row : instruction_mix(profile)) {
    list += fmt::format("{}{} {:.1f} %", list.empty() ? "" : ", ", name(row.kind), row.percent);
  }
  heading(out, "Instruction Mix");
  fmt::format_to(out, "    {}\n", list);
}

void add_row(Out out, std::string_view label, const std::string& value) {
  fmt::format_to(out, "    {:<44} {:>14}\n", label, value);
}

/// "none" for a resource that the kernel does not use.
std::string limit(unsigned blocks) { return blocks == ~0U ? "none" : counted(blocks, "block"); }

void add_occupancy(Out out, const Profile& profile) {
  heading(out, fmt::format("Occupancy ({})", profile.architecture));
  const auto found = occupancy(profile);
  if (!found) {
    const bool no_limits = !workflows::profile::multiprocessor(profile.architecture);
    fmt::format_to(out, "    not known: {}\n",
                   no_limits ? fmt::format("the limits of {} are not known", profile.architecture)
                             : profile.no_resources);
    return;
  }
  const contract::Resources& resources = *profile.resources;
  add_row(out, "Block Size", fmt::format("{}", threads_per_block(profile)));
  add_row(out, "Registers Per Thread", fmt::format("{}", resources.registers));
  if (resources.spill_bytes != 0) {
    add_row(out, "Spilled Per Thread", fmt::format("{} byte", resources.spill_bytes));
  }
  add_row(out, "Static Shared Memory Per Block", fmt::format("{} byte", resources.shared_bytes));
  add_row(out, "Dynamic Shared Memory Per Block",
          fmt::format("{} byte", profile.launch.shared_bytes));
  add_row(out, "Block Limit Warps", limit(found->by_warps));
  add_row(out, "Block Limit Registers", limit(found->by_registers));
  add_row(out, "Block Limit Shared Mem", limit(found->by_shared));
  add_row(out, "Block Limit SM", limit(found->by_blocks));
  add_row(out, "Theoretical Active Warps per SM", fmt::format("{}", found->active_warps));
  add_row(out, "Theoretical Occupancy", fmt::format("{:.1f} %", 100.0 * found->share));
  add_row(out, "Limited By", std::string(found->limiter));
}

void add_roofline(Out out, const Profile& profile) {
  const workflows::profile::Intensity found = intensity(profile);
  const workflows::profile::Peak peak = h200_peak(profile);
  heading(out, "Roofline");
  add_row(out, "Operations", fmt::format("{} {}", metric_text(found.operations), peak.operation));
  add_row(out, "Arithmetic Intensity, Of All Sectors",
          fmt::format("{:.2f} {}/byte", found.by_sectors, peak.operation));
  add_row(out, "Arithmetic Intensity, Each Matrix Once",
          fmt::format("{:.2f} {}/byte", found.by_compulsory, peak.operation));
  const auto bound = [&](double operations_per_byte) {
    if (operations_per_byte >= peak.ridge()) return std::string("bound by arithmetic");
    return fmt::format("bound by memory at {:.1f} T{}/s",
                       operations_per_byte * peak.bytes_per_second / 1e12, peak.operation);
  };
  fmt::format_to(out,
                 "    on an H200 SXM ({:.0f} T{}/s {}, 4.8 TB/s, ridge at {:.1f} {}/byte): {} "
                 "if each matrix moves once, {} if no sector is cached\n",
                 peak.operations_per_second / 1e12, peak.operation, peak.arithmetic, peak.ridge(),
                 peak.operation, bound(found.by_compulsory), bound(found.by_sectors));
}

/// Reads lines of the variant's source and of the headers that it includes.
class SourceText {
 public:
  explicit SourceText(const Profile& profile) { split(profile.source_file, profile.source); }

  std::string line(const std::string& file, unsigned number) {
    if (!files_.contains(file)) {
      std::ifstream in(file);
      split(file, std::string(std::istreambuf_iterator<char>(in), {}));
    }
    const std::vector<std::string>& lines = files_[file];
    if (number == 0 || number > lines.size()) return {};
    const std::string& text = lines[number - 1];
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : text.substr(begin);
  }

 private:
  void split(const std::string& file, const std::string& text) {
    std::vector<std::string>& lines = files_[file];
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::map<std::string, std::vector<std::string>> files_;
};

/// "41"; "file.cuh:41" for a line outside the source file of the variant.
std::string place(const Profile& profile, const std::string& file, unsigned line) {
  if (file == profile.source_file) return fmt::format("{}", line);
  return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

std::string per(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "";
  return fmt::format("{:.1f}", static_cast<double>(part) / static_cast<double>(whole));
}

void add_lines(Out out, const Profile& profile, std::size_t most) {
  const std::vector<workflows::profile::LineCounts> lines = by_line(profile);
  SourceText source(profile);
  heading(out, fmt::format("{}, lines with the most excess memory traffic first",
                           shown_path(profile.source_file)));
  fmt::format_to(out, "    {:>14} {:>12} {:>12} {:>14} {:>9}  {}\n", "Line", "Instructions",
                 "Sectors/Req", "Bank Conflicts", "Divergent", "Source");
  std::size_t printed = 0;
  for (const workflows::profile::LineCounts& line : lines) {
    if (line.warps == 0) continue;
    if (most != 0 && printed++ == most) break;
    const std::uint64_t conflicts = line.bank_conflicts();
    fmt::format_to(out, "    {:>14} {:>12} {:>12} {:>14} {:>9}  {}\n",
                   place(profile, line.file, line.line), line.warps,
                   per(line.global_sectors, line.global_requests),
                   line.shared_requests == 0 ? ""
                   : conflicts == 0          ? "none"
                                             : fmt::format("{} ({}-way)", conflicts, line.ways),
                   line.branches == 0 ? "" : fmt::format("{}", line.divergent),
                   source.line(line.file, line.line));
  }
}

void add_coverage(Out out, const Profile& profile) {
  heading(out, "Coverage of " + counted(static_cast<std::int64_t>(profile.cases.size()), "case"));
  fmt::format_to(out, "    {}\n", covered(profile.coverage));
  const std::string never = never_executed(profile.coverage);
  const std::string one_direction = one_direction_only(profile.coverage);
  if (!never.empty()) fmt::format_to(out, "    never executed: {}\n", never);
  if (!one_direction.empty()) fmt::format_to(out, "    one direction only: {}\n", one_direction);
}

}  // namespace

std::string profile_text(const Profile& profile, std::size_t lines) {
  std::string result;
  const Out out = std::back_inserter(result);
  fmt::format_to(out, "{}\n",
                 profile.cases.size() == 1
                     ? to_line(profile.cases.front())
                     : fmt::format("{}: {} cases, the first {}", profile.variant,
                                   profile.cases.size(), to_line(profile.cases.front())));
  const Dim3& grid = profile.launch.grid;
  const Dim3& block = profile.launch.block;
  fmt::format_to(out,
                 "  grid ({}, {}, {}) of blocks ({}, {}, {}); PTX instructions for {}, from which "
                 "ptxas generates those of the GPU\n",
                 grid.x, grid.y, grid.z, block.x, block.y, block.z, profile.architecture);
  add_metrics(out, profile);
  add_mix(out, profile);
  add_occupancy(out, profile);
  add_roofline(out, profile);
  add_lines(out, profile, lines);
  add_coverage(out, profile);
  return result;
}

}  // namespace warpcheck::report
