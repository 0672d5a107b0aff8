#include "cli/commands/regressions.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "cli/commands/case_lines.hpp"
#include "cli/commands/reports.hpp"
#include "contract/kernel_source.hpp"
#include "properties/case/domain.hpp"
#include "properties/checks/property.hpp"
#include "report/path.hpp"

namespace warpcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".cases";

fs::path folder_of(const CheckCommand& command, const Target& target) {
  if (!command.regressions.empty()) return command.regressions;
  if (target.path.empty()) return "regressions";
  return fs::path(target.variant.compiled->source_file).parent_path() / "regressions";
}

/// As it is shown, and from here.
std::string file_of(const CheckCommand& command, const Target& target) {
  const fs::path file =
      folder_of(command, target) / (target.variant.contract.name + std::string(kExtension));
  return report::shown_path(file.string());
}

std::string place(const Location& where) { return fmt::format("{}:{}", where.file, where.line); }

void warn(const std::string& where, const std::string& message) {
  std::cerr << fmt::format("{}: warning: {}\n", where, message);
}

/// One line, checked against the contract of today; empty where it is not to be asked.
std::optional<properties::campaign::Regression> regression_of(const CheckCommand& command,
                                                              const contract::Contract& contract,
                                                              const LocatedCase& located) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(Diagnostic{located.where, message, located.text});
  };
  if (located.problem.variant != contract.name) {
    refuse(fmt::format("found a case of {}, expected one of {}", located.problem.variant,
                       contract.name));
  }
  require_no_ignored_field(contract, located);
  const properties::checks::Property* asked = nullptr;
  try {
    asked = &properties::checks::property(located.problem.property);
  } catch (const InputError& error) {
    refuse(error.diagnostics().front().message);
  }
  const std::vector<std::string>& wanted = command.properties;
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), asked->name) == wanted.end()) {
    return std::nullopt;
  }
  if (!asked->applies(contract)) {
    warn(place(located.where),
         fmt::format("not asked: {} says nothing about {}", asked->name, contract.name));
    return std::nullopt;
  }
  const properties::Case problem = properties::checks::adapted(*asked, contract, located.problem);
  if (const auto broken = properties::violated(contract, problem)) {
    warn(place(located.where), fmt::format("not asked: outside the domain of {}, which requires {}",
                                           contract.name, *broken));
    return std::nullopt;
  }
  return properties::campaign::Regression{problem, place(located.where)};
}

/// Adds the names of the variants whose .cu lie in a folder; false where a contract cannot be read.
bool add_names(const fs::path& folder, std::set<std::string>& names) {
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".cu" || !contract::has_contract(entry.path())) continue;
      for (const contract::Contract& contract :
           contract::read_kernel_source(entry.path()).contracts) {
        names.insert(contract.name);
      }
    }
    return true;
  } catch (const InputError&) {
    return false;
  } catch (const fs::filesystem_error&) {
    return false;
  }
}

/// Of the folders beside the targets' .cu: what belongs to a kernel that no .cu there holds any
/// more.
void warn_of_stale_files(std::span<const Target> targets) {
  std::set<fs::path> folders;
  for (const Target& target : targets) {
    if (target.path.empty()) continue;
    folders.insert(fs::path(target.variant.compiled->source_file).parent_path());
  }
  for (const fs::path& folder : folders) {
    std::error_code none;  // most kernels have no regressions
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder / "regressions", none)) {
      if (entry.path().extension() == kExtension) files.insert(entry.path().string());
    }
    std::set<std::string> names;
    if (files.empty() || !add_names(folder, names)) continue;
    for (const std::string& file : files) {
      const std::string name = fs::path(file).stem().string();
      if (names.contains(name)) continue;
      warn(report::shown_path(file),
           fmt::format("no variant of a .cu in {} is called {}", folder.string(), name));
    }
  }
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

std::string comment_on(const properties::campaign::FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  std::string text = fmt::format("# {}", name(report.finding.kind));
  if (source.line != 0) {
    text += fmt::format(" at {}:{}", fs::path(source.file).filename().string(), source.line);
  }
  return fmt::format("{}, {}", text, today());
}

}  // namespace

properties::campaign::Regressions read_regressions(const CheckCommand& command,
                                                   std::span<const Target> targets) {
  properties::campaign::Regressions regressions;
  std::vector<Diagnostic> errors;
  const auto collect = [&](const InputError& error) {
    errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
  };
  for (const Target& target : targets) {
    const contract::Contract& contract = target.variant.contract;
    std::vector<LocatedCase> lines;
    try {
      lines = read_case_file(file_of(command, target));
    } catch (const InputError& error) {
      collect(error);
    }
    for (const LocatedCase& located : lines) {
      try {
        const auto regression = regression_of(command, contract, located);
        if (regression) regressions[contract.name].push_back(*regression);
      } catch (const InputError& error) {
        collect(error);
      }
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  if (command.regressions.empty()) warn_of_stale_files(targets);
  return regressions;
}

void keep_regressions(const CheckCommand& command, std::span<const Target> targets,
                      const properties::campaign::CampaignReport& report) {
  for (std::size_t i = 0; i < report.variants.size(); ++i) {
    const std::string file = file_of(command, targets[i]);
    for (const properties::campaign::FindingReport& finding : report.variants[i].findings) {
      const std::string line = to_line(finding.smallest);
      std::string text = read_file(file).value_or("");
      const std::vector<LocatedCase> known = read_case_file(file);
      const bool is_known =
          !finding.regression.empty() ||
          std::any_of(known.begin(), known.end(),
                      [&](const LocatedCase& located) { return to_line(located.problem) == line; });
      if (is_known) continue;
      if (!text.empty() && text.back() != '\n') text += '\n';
      write_file(file, fmt::format("{}{}\n{}\n", text, comment_on(finding), line));
      console(command.common) << fmt::format("kept in {}: {}\n", file, line);
    }
  }
}

}  // namespace warpcheck::cli
