#include "library/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/text/demangle.hpp"
#include "campaign/report.hpp"
#include "contract/compile/ptx_source.hpp"
#include "contract/parameters/parameter_format.hpp"
#include "device/virtual/session.hpp"
#include "properties/law.hpp"
#include "ptx/scan.hpp"
#include "report/failure_block.hpp"
#include "report/finding/message.hpp"
#include "report/json/finding_json.hpp"
#include "report/unsupported_text.hpp"
#include "report/wording.hpp"

namespace warpcheck::library {
namespace {

using Json = nlohmann::ordered_json;
using campaign::FindingReport;

[[noreturn]] void throw_wrong(std::string message) {
  throw InputError(Diagnostic{{}, std::move(message), {}});
}

/// The table of options cannot replace these fields: their types and order are the binary interface
/// of the library.
device::VirtualOptions device_options(const warpcheck_options& options) {
  device::VirtualOptions chosen;
  chosen.host_threads = job_count(options.threads);
  chosen.races = options.races != 0;
  chosen.limits.instructions = options.instructions;
  return chosen;
}

FindingReport report_of(const contract::Variant& source, const std::string& kernel,
                        const Finding& finding) {
  FindingReport report;
  report.variant = demangle(kernel);
  report.device = "virtual";
  report.property = properties::laws().front().name;
  report.finding = finding;
  report.excerpt = campaign::run::excerpt(source, finding.source);
  if (finding.other) {
    report.other_excerpt = campaign::run::excerpt(source, finding.other->source);
  }
  return report;
}

Json json_of(std::string_view kind, const FindingReport& report, const std::string& text) {
  Json json = report::finding_json(kind, report);
  for (const char* const key : {"variant", "case", "smallest"}) json.erase(key);
  json["kernel"] = report.variant;
  json["text"] = text;
  return json;
}

std::string unsupported_line(const device::Unsupported& what) {
  std::string text =
      fmt::format("unsupported: {}: {}\n", report::form_text(what), report::reason_text(what));
  if (what.source.ptx_line == 0) return text;
  return text + fmt::format("  --> {}\n", report::place_text(what.source));
}

Json json_of(const device::Unsupported& what) {
  return {{"form", what.form},        {"message", report::reason_text(what)},
          {"section", what.section},  {"file", what.source.file},
          {"line", what.source.line}, {"text", unsupported_line(what)}};
}

std::string type_name(const contract::ParameterFormat& format) {
  using Kind = contract::ParameterFormat::Kind;
  const std::size_t bits = 8 * format.bytes;
  switch (format.kind) {
    case Kind::floating:
      return std::string(name(format.type));
    case Kind::integer: {
      const bool is_unsigned = format.lowest == 0.0L;
      const bool is_signed = format.highest < std::ldexp(1.0L, static_cast<int>(bits) - 1);
      return fmt::format("{}{}", is_unsigned ? 'u' : is_signed ? 's' : 'i', bits);
    }
    case Kind::address:
      return "address";
    case Kind::structure:
      return "struct";
    case Kind::unknown:
      return "";
  }
  return "";
}

}  // namespace

LibrarySession::LibrarySession(const warpcheck_options& options)
    : options_(options),
      device_(device::make_virtual_session(device_options(options), options.memory_bytes)) {}

std::uint32_t LibrarySession::load(std::string_view ptx, const std::string& file) {
  LoadedModule loaded;
  const std::string text(ptx);
  loaded.source.compiled = std::make_shared<contract::Compiled>(
      contract::Compiled{file, text, file, contract::with_own_lines(text, file)});
  loaded.source.entries = ptx::entry_points(ptx);
  loaded.id = device_->load(loaded.source.compiled->ptx, file);
  modules_.push_back(std::move(loaded));
  return static_cast<std::uint32_t>(modules_.size() - 1);
}

const LibrarySession::LoadedModule& LibrarySession::module(std::uint32_t number) const {
  if (number >= modules_.size()) throw_wrong(fmt::format("there is no module {}", number));
  return modules_[number];
}

contract::Entry LibrarySession::entry(std::uint32_t number, const std::string& name) const {
  const LoadedModule& loaded = module(number);
  contract::LaunchStep step;
  step.kernel = name;
  const auto found = contract::named_entries(loaded.source.compiled->ptx, {&step, 1}).front();
  if (!found) {
    std::vector<std::string> names;
    for (const contract::Entry& entry : loaded.source.entries) names.push_back(entry.name);
    const std::string& file = loaded.source.compiled->ptx_file;
    throw_wrong(names.empty()  ? fmt::format("{} has no kernel", file)
                : name.empty() ? fmt::format("{} has several kernels: expected one of {}", file,
                                             fmt::join(names, ", "))
                               : fmt::format("{} has no kernel '{}'; it has {}", file, name,
                                             fmt::join(names, ", ")));
  }
  return *found;
}

device::KernelInfo LibrarySession::kernel(std::uint32_t number, const std::string& name) const {
  return device_->kernel(module(number).id, entry(number, name).name).value();
}

const std::string& LibrarySession::parameter_type(std::uint32_t number, const std::string& name,
                                                  std::size_t parameter) {
  const auto formats = contract::parameter_formats(entry(number, name));
  if (parameter >= formats.size()) throw_wrong(fmt::format("there is no parameter {}", parameter));
  parameter_type_ = type_name(formats[parameter]);
  return parameter_type_;
}

int LibrarySession::launch(const LaunchRequest& request) {
  const device::KernelInfo info = kernel(request.module, request.kernel);
  if (request.arguments.size() != info.parameters.size()) {
    throw_wrong(fmt::format("{} for {}, which takes {}",
                            report::counted(std::ssize(request.arguments), "argument"),
                            demangle(info.entry), info.parameters.size()));
  }
  device::SessionLaunch launch;
  launch.entry = info.entry;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.shared_bytes = request.shared_bytes;
  launch.schedule_seed = options_.seed;
  launch.parameters.resize(info.parameter_bytes);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const device::KernelParameter& parameter = info.parameters[i];
    std::memcpy(launch.parameters.data() + parameter.offset, request.arguments[i], parameter.bytes);
  }
  if (options_.seconds > 0.0) {
    using Clock = std::chrono::steady_clock;
    launch.stop.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(options_.seconds));
  }
  const LoadedModule& loaded = module(request.module);
  device::LaunchResult result = device_->launch(loaded.id, launch);
  std::move(result.repeated.begin(), result.repeated.end(), std::back_inserter(result.findings));
  if (result.stopped) {
    result.unsupported = device::Unsupported{
        "the launch", fmt::format("it did not end within {} s", options_.seconds), "", {}};
  }
  report(loaded, info.entry, result);
  return status_;
}

void LibrarySession::report(const LoadedModule& loaded, const std::string& kernel,
                            const device::LaunchResult& result) {
  const Strictness strict{options_.strict_races != 0, options_.strict_barriers != 0};
  const report::Paint paint(false);
  Json findings = Json::array();
  Json notes = Json::array();
  text_.clear();
  for (const Finding& finding : result.findings) {
    const FindingReport report = report_of(loaded.source, kernel, finding);
    const bool note = is_note(finding.grade, strict);
    const std::string text =
        note ? report::note_line(report) + "\n" : report::failure_block(report, "", paint);
    (note ? notes : findings).push_back(json_of(note ? "note" : "finding", report, text));
    text_ += text;
  }
  if (result.unsupported) text_ += unsupported_line(*result.unsupported);
  status_ = !findings.empty()    ? WARPCHECK_FINDINGS
            : result.unsupported ? WARPCHECK_UNSUPPORTED
                                 : WARPCHECK_OK;
  const Json json = {{"status", status_},
                     {"completed", result.completed},
                     {"warp_instructions", result.warp_instructions},
                     {"printed", result.printed},
                     {"findings", std::move(findings)},
                     {"notes", std::move(notes)},
                     {"unsupported", result.unsupported ? json_of(*result.unsupported) : Json()}};
  json_ = json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string LibrarySession::next_name() { return fmt::format("allocation {}", ++names_); }

}  // namespace warpcheck::library
