#include "contract/compile/ptx_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/closest_word.hpp"
#include "base/text/demangle.hpp"
#include "contract/compile/instantiation.hpp"
#include "ptx/file_names.hpp"
#include "ptx/parser.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;

/// The errors of keys of the contracts that have no effect on PTX.
std::vector<Diagnostic> errors_of_options(const KernelSource& source) {
  std::vector<Diagnostic> errors;
  const auto refuse = [&](const Location& where, std::string_view what) {
    const auto known = std::any_of(errors.begin(), errors.end(),
                                   [&](const Diagnostic& error) { return error.where == where; });
    if (known) return;  // [defaults] of several variants
    errors.push_back(source.with_excerpt({where,
                                          fmt::format("{} for {}, which is already compiled", what,
                                                      fs::path(source.file).filename().string()),
                                          {}}));
  };
  for (const Contract& contract : source.contracts) {
    if (!contract.architecture.empty()) {
      refuse(contract.architecture_where, "an architecture");
    }
    for (const LocatedText& folder : contract.build.include) {
      refuse(folder.where, "a folder of headers");
    }
    for (const Define& define : contract.build.defines) {
      refuse(define.where, "a macro (`constants` has names for expressions)");
    }
    for (const LocatedText& flag : contract.build.flags) refuse(flag.where, "a flag of nvcc");
  }
  return errors;
}

/// The PTX with the absolute names of the source files that lie beside it.
std::string with_files_beside(const std::string& ptx, const fs::path& file) {
  return ptx::with_file_names(ptx, [&](const std::string& name) {
    std::error_code ignored;
    const fs::path beside = (file.parent_path() / name).lexically_normal();
    return fs::path(name).is_relative() && fs::exists(beside, ignored) ? beside.string() : name;
  });
}

bool is_named(const Entry& entry, std::string_view kernel) {
  const std::string demangled = demangle(entry.name);
  return entry.name == kernel || demangled == kernel || without_signature(demangled) == kernel;
}

}  // namespace

std::string with_own_lines(const std::string& ptx, const std::string& file) {
  const ptx::Module module = ptx::parse(ptx, file);
  if (!module.locations.empty()) return ptx;
  std::vector<ptx::Place> places;
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) places.push_back(instruction.place);
  }
  std::sort(places.begin(), places.end(), [](const ptx::Place& one, const ptx::Place& other) {
    return std::pair(one.line, one.column) < std::pair(other.line, other.column);
  });
  unsigned number = 1;  // least number that no `.file` of the text has
  while (module.files.size() >= number && !module.file(number).empty()) ++number;
  std::string text;
  std::size_t line_begin = 0;
  std::size_t copied = 0;
  unsigned line = 1;
  for (const ptx::Place& place : places) {
    for (; line < place.line; ++line) line_begin = ptx.find('\n', line_begin) + 1;
    const std::size_t begin = line_begin + place.column - 1;
    text += ptx.substr(copied, begin - copied);
    text += fmt::format(".loc {} {} {} ", number, place.line, place.column);
    copied = begin;
  }
  text += ptx.substr(copied);
  return fmt::format("{}\n.file {} \"{}\"\n", text, number, ptx::encoded_string(file));
}

std::vector<CompiledGroup> read_ptx(const KernelSource& source) {
  if (auto errors = errors_of_options(source); !errors.empty()) {
    throw InputError(std::move(errors));
  }
  std::string ptx = with_files_beside(with_own_lines(source.text, source.file), source.file);
  return {
      {build_key(source.contracts.front()),
       std::make_shared<Compiled>(Compiled{source.file, source.text, source.file, std::move(ptx)}),
       {}}};
}

std::vector<std::optional<Entry>> named_entries(std::string_view ptx,
                                                std::span<const LaunchStep> steps) {
  const std::vector<Entry> entries = ptx::entry_points(ptx);
  std::vector<std::optional<Entry>> found(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<const Entry*> named;
    for (const Entry& entry : entries) {
      if (steps[i].kernel.empty() || is_named(entry, steps[i].kernel)) named.push_back(&entry);
    }
    if (named.size() == 1) found[i] = *named.front();
  }
  return found;
}

Diagnostic missing_entry(const KernelSource& source, const Contract& contract,
                         const LaunchStep& step) {
  const std::vector<Entry> entries = ptx::entry_points(source.text);
  const std::string file = fs::path(source.file).filename().string();
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  std::string message;
  if (names.empty()) {
    message = fmt::format("{} has no kernel: expected an .entry", file);
  } else if (step.kernel.empty()) {
    message = fmt::format("{} has several kernels: expected the key 'kernel', one of {}", file,
                          fmt::join(names, ", "));
  } else if (std::count_if(entries.begin(), entries.end(),
                           [&](const Entry& entry) { return is_named(entry, step.kernel); }) > 1) {
    message = fmt::format("'{}' names several kernels of {}: expected one of {}", step.kernel, file,
                          fmt::join(names, ", "));
  } else {
    const auto close = nearest(step.kernel, names);
    message = fmt::format("{} has no kernel '{}'{}; it has {}", file, step.kernel,
                          close ? fmt::format(": did you mean '{}'?", *close) : "",
                          fmt::join(names, ", "));
  }
  const Location where = step.kernel.empty() ? contract.where : step.kernel_where;
  return source.with_excerpt({where, std::move(message), {}});
}

Location first_line(const Compiled& compiled, std::string_view kernel) {
  ptx::Module module;
  try {
    module = ptx::parse(compiled.ptx, compiled.ptx_file);
  } catch (const InputError&) {
    return {};  // the device reports it
  }
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !is_named({function.name, {}}, kernel)) continue;
    for (const ptx::Instruction& instruction : function.body) {
      if (!instruction.location) continue;
      const ptx::SourceLine& line = module.locations[*instruction.location].outermost();
      return {std::string(module.file(line.file)), line.line, line.column};
    }
  }
  return {};
}

}  // namespace warpcheck::contract
