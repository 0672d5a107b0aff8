#include "contract/compile/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include "base/checked_file.hpp"
#include "base/content_hash.hpp"
#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/child_process.hpp"
#include "contract/cache_folder.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/target_requirements.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

/// The number after `words` in a line; 0 if the line does not have them.
unsigned number_after(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  unsigned number = 0;
  if (at == std::string_view::npos) return number;
  line.remove_prefix(at + words.size());
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

/// "k" in "Entry function 'k' uses too much shared data".
std::string quoted_entry(std::string_view message) {
  constexpr std::string_view kOpening = "Entry function '";
  const std::size_t at = message.find(kOpening);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + kOpening.size());
  return std::string(message.substr(0, message.find('\'')));
}

/// The error in a line such as "ptxas x.ptx, line 7; error   : Unknown symbol 'x'".
std::optional<AssemblyError> error_in(std::string_view line) {
  constexpr std::string_view kError = "error ";
  const std::size_t at = line.find(kError);
  const std::size_t colon = at == std::string_view::npos ? at : line.find(": ", at);
  if (!line.starts_with("ptxas ") || colon == std::string_view::npos) return std::nullopt;
  if (line.find_first_not_of(' ', at + kError.size()) != colon) return std::nullopt;
  AssemblyError error;
  error.message = line.substr(colon + 2);
  error.ptx_line = number_after(line.substr(0, at), ", line ");
  error.entry = quoted_entry(error.message);
  return error;
}

/// The line of the source that the author wrote: in the .cu itself, if code was inlined into it.
const ptx::SourceLine& author_line(const ptx::Module& module, const ptx::SourceLocation& location,
                                   const std::string& source_file) {
  if (module.file(location.line.file) == source_file) return location.line;
  const auto inlined = std::find_if(
      location.inlined_at.begin(), location.inlined_at.end(),
      [&](const ptx::SourceLine& line) { return module.file(line.file) == source_file; });
  return inlined == location.inlined_at.end() ? location.line : *inlined;
}

/// Adds the kernel and the source line to errors with a line of the PTX.
void locate(std::vector<AssemblyError>& errors, const Compiled& compiled) {
  ptx::Module module;
  try {
    module = ptx::parse(compiled.ptx, compiled.ptx_file);
  } catch (const InputError&) {
    return;  // the device reports it
  }
  for (AssemblyError& error : errors) {
    for (const ptx::Function& function : module.functions) {
      for (const ptx::Instruction& instruction : function.body) {
        if (instruction.place.line != error.ptx_line) continue;
        if (function.is_entry) error.entry = function.name;
        if (!instruction.location) continue;
        const ptx::SourceLine& line =
            author_line(module, module.locations[*instruction.location], compiled.source_file);
        error.where = {std::string(module.file(line.file)), line.line, line.column};
      }
    }
  }
}

/// The output of ptxas; "" if it accepts the PTX. Throws EnvironmentError if a signal ended it.
std::string ptxas_output(const Compiled& compiled, const std::string& architecture) {
  const ChildResult result = run_child({find_ptxas().string(), "-O0", "--gpu-name", architecture,
                                        "-o", "/dev/null", compiled.ptx_file});
  constexpr int kSignal = 128;
  constexpr int kMostSignals = 64;
  if (result.status > kSignal && result.status <= kSignal + kMostSignals) {
    throw EnvironmentError(fmt::format("ptxas was ended by signal {}", result.status - kSignal));
  }
  return result.status == 0 ? std::string() : result.output;
}

/// Returns the file for the output of ptxas, beside the PTX in the cache. A .ptx is not in the
/// cache; its file is named by its content.
fs::path output_file(const Compiled& compiled) {
  if (compiled.ptx_file != compiled.source_file) {
    return fs::path(compiled.ptx_file).replace_extension(".ptxas");
  }
  ContentHash hash;
  hash.add(find_ptxas().string());
  hash.add(compiled.source);
  return cache_folder() / (hash.digits() + ".ptxas");
}

std::string cached_output(const Compiled& compiled) {
  const fs::path file = output_file(compiled);
  if (auto known = read_checked(file)) return std::move(*known);
  std::string output = ptxas_output(compiled, std::string(ptx::target_architecture(compiled.ptx)));
  try {
    write_checked(file, output);
  } catch (const EnvironmentError&) {
    // A cache that cannot be written costs time only.
  }
  return output;
}

}  // namespace

fs::path find_ptxas() {
  const fs::path nvcc = find_nvcc();
  for (const auto& beside : {nvcc, fs::canonical(nvcc)}) {
    fs::path ptxas = beside.parent_path() / "ptxas";
    if (fs::exists(ptxas)) return ptxas;
  }
  throw EnvironmentError(fmt::format("no ptxas next to {}", nvcc.string()));
}

std::vector<AssemblyError> assembly_errors(std::string_view output, const Compiled& compiled) {
  std::vector<AssemblyError> errors;
  std::istringstream lines{std::string(output)};
  for (std::string line; std::getline(lines, line);) {
    if (auto error = error_in(line)) errors.push_back(std::move(*error));
  }
  if (!errors.empty()) locate(errors, compiled);
  for (AssemblyError& error : errors) error.message = "ptxas refuses the PTX: " + error.message;
  return errors;
}

std::shared_ptr<const Compiled> assembled(std::shared_ptr<const Compiled> compiled) {
  std::vector<AssemblyError> errors;
  try {
    errors = assembly_errors(cached_output(*compiled), *compiled);
  } catch (const EnvironmentError&) {
    errors = target_errors(*compiled);
    locate(errors, *compiled);
  }
  if (errors.empty()) return compiled;
  auto refused = std::make_shared<Compiled>(*compiled);
  refused->errors = std::move(errors);
  return refused;
}

}  // namespace warpcheck::contract
