#include "workflows/init/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/interruption.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/exit_status.hpp"
#include "contract/kernel_source.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/init_text.hpp"
#include "workflows/init/contract_file.hpp"

namespace warpcheck::cli {
namespace {

using campaign::Verdict;
using workflows::init::InitReport;

int status_of(const InitReport& report, bool checked) {
  if (checked && !report.no_compiler.empty()) return kEnvironment;
  bool is_complete = false;
  for (const auto& contract : report.contracts) {
    if (!contract.no_contract.empty() || contract.is_undefined) continue;
    is_complete = true;
    if (!contract.not_compiled.empty() && checked) return kInputError;
    if (contract.report && !contract.report->findings.empty()) return kFindings;
  }
  const bool unsupported =
      std::any_of(report.contracts.begin(), report.contracts.end(), [](const auto& contract) {
        return contract.report && contract.report->verdict == Verdict::unsupported;
      });
  if (unsupported) return kEnvironment;
  return is_complete ? kPassed : kFindings;
}

}  // namespace

int run(const InitCommand& command) {
  (void)interruptible();
  const bool writes = command.write || command.embed;
  if (writes && !command.force) workflows::init::require_no_contract(command.file);
  workflows::init::InitOptions options;
  options.cases = command.common.campaign.cases;
  options.check = !command.no_check;
  options.seed = command.common.campaign.seed;
  options.jobs = command.common.campaign.jobs;
  const auto virtual_device = device::make_virtual_device();
  device::InterruptibleDevice device(*virtual_device);
  const InitReport report = workflows::init::init(command.file, options, device);
  const std::string text = workflows::init::contract_text(report);
  if (writes) {
    const std::string file = command.embed ? workflows::init::embed_contract(command.file, text)
                                           : workflows::init::write_contract(command.file, text);
    std::cout << fmt::format("wrote {}\n", file);
  } else {
    std::cout << text << '\n';
  }
  std::cout << report::init_text(report, command.file) << std::flush;
  return status_of(report, !command.no_check);
}

}  // namespace warpcheck::cli
