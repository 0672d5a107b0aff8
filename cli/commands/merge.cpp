#include "workflows/history/shards/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/diagnostic.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "workflows/fuzz/folder.hpp"
#include "workflows/history/history.hpp"
#include "workflows/settings/table.hpp"

namespace warpcheck::cli {
namespace {

int report(const workflows::history::Joined& joined, const workflows::history::History& history,
           Common common) {
  copy_identity(joined.setting.settings, common);
  Paths paths;
  for (const workflows::history::VariantOrigin& variant : joined.setting.variants) {
    paths[variant.name] = variant.path;
  }
  const auto reports = make_reports(
      common, paths,
      {.seed = joined.setting.settings.campaign.seed,
       .device = joined.setting.settings.device + ", " + joined.setting.device_description,
       .nvcc = joined.setting.nvcc,
       .revision = joined.setting.revision});
  if (!common.quiet) {
    console(common) << fmt::format("device: {}, {}\n", joined.setting.settings.device,
                                   joined.setting.device_description)
                    << std::flush;
  }
  for (const campaign::VariantReport& variant : joined.report.variants) {
    report_to(*reports, variant);
  }
  reports->compared(history.pasts(joined.campaign));
  for (const workflows::history::Drift& drift : history.drifts(joined.campaign)) {
    reports->drifted(drift);
  }
  reports->summary(joined.report);
  return joined.report.cases == 0 ? kInputError : exit_status(joined.report);
}

int merge_folders(const MergeCommand& command) {
  const workflows::fuzz::MergedCorpora merged =
      workflows::fuzz::merge_corpora(command.from, command.to);
  std::cout << fmt::format("{}: {} cases and {} findings added\n", command.to, merged.corpus,
                           merged.findings);
  return kPassed;
}

}  // namespace

int run(const MergeCommand& command) {
  const auto is_folder = [](const std::string& path) {
    return std::filesystem::is_directory(path);
  };
  if (std::any_of(command.from.begin(), command.from.end(), is_folder)) {
    const auto file = std::find_if_not(command.from.begin(), command.from.end(), is_folder);
    if (file == command.from.end()) return merge_folders(command);
    throw InputError(Diagnostic{
        {*file, 0, 0}, "found a file and folders, expected only histories or only corpora", {}});
  }
  const workflows::history::Merged merged =
      workflows::history::merge_histories(command.from, command.to);
  const Common& common = command.common;
  const std::string report_files =
      common.json + common.junit + common.sarif + common.gitlab + common.html;
  if (merged.joined.size() > 1 && !report_files.empty()) {
    throw InputError(
        Diagnostic{{command.to, 0, 0},
                   fmt::format("found {} joined campaigns, expected one for each report: "
                               "merge them one at a time",
                               merged.joined.size()),
                   {}});
  }
  int status = kPassed;
  const workflows::history::History history(command.to, false);
  for (const workflows::history::Joined& joined : merged.joined) {
    status = worse_status(status, report(joined, history, command.common));
  }
  console(common) << fmt::format("{}: {} joined from shards, {} copied, {} there already\n",
                                 command.to, merged.joined.size(), merged.copied,
                                 merged.duplicates);
  return status;
}

}  // namespace warpcheck::cli
