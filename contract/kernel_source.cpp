#include "contract/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/text/shell_word.hpp"
#include "contract/kernel_key.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

Diagnostic KernelSource::with_excerpt(Diagnostic diagnostic) const {
  diagnostic.excerpt = line_of(contract_text, diagnostic.where.line);
  return diagnostic;
}

bool is_ptx(const fs::path& file) { return file.extension() == ".ptx"; }

bool is_source(const fs::path& file) { return is_ptx(file) || file.extension() == ".cu"; }

fs::path sidecar_of(const fs::path& source_file) {
  return fs::path(source_file).replace_extension(".toml");
}

KernelSource kernel_source(std::string file, std::string text, std::string contract_file,
                           std::optional<std::string> sidecar_text) {
  KernelSource source;
  source.file = std::move(file);
  source.text = std::move(text);
  const KernelKey kernel = is_ptx(source.file) ? KernelKey::optional : KernelKey::required;
  const auto embedded = embedded_contract(source.text, source.file);
  if (sidecar_text && embedded) {
    throw InputError(Diagnostic{embedded->where,
                                fmt::format("second contract: {} also exists", contract_file),
                                std::string(line_of(source.text, embedded->where.line))});
  }
  if (sidecar_text) {
    source.contract_file = std::move(contract_file);
    source.contract_text = std::move(*sidecar_text);
    source.contracts = parse_contracts(source.contract_text, {source.contract_file, 1, 1}, kernel);
  } else if (embedded) {
    source.contract_file = source.file;
    source.contract_text = source.text;
    source.contracts = parse_contracts(embedded->toml, embedded->where, kernel);
  } else {
    const std::size_t table = source.text.find("[[variant]]");
    if (table != std::string::npos) {
      const auto line = static_cast<unsigned>(
          1 + std::count(source.text.begin(),
                         source.text.begin() + static_cast<std::ptrdiff_t>(table), '\n'));
      throw InputError(
          Diagnostic{{source.file, line, 0},
                     "found a table of a contract, but no comment that begins with '/* warpcheck'",
                     std::string(line_of(source.text, line))});
    }
    throw file_error(
        source.file,
        fmt::format("no contract: expected {} or a comment that begins with '/* warpcheck'{}",
                    fs::path(contract_file).filename().string(),
                    is_ptx(source.file) ? std::string()
                                        : fmt::format("; `warpcheck init {}` writes one",
                                                      shell_word(shown_path(source.file)))));
  }
  return source;
}

KernelSource ptx_kernel_source(std::string file, std::string ptx, std::string contract) {
  KernelSource source;
  source.file = std::move(file);
  source.text = std::move(ptx);
  source.contract_file = "contract";
  source.contract_text = std::move(contract);
  source.contracts =
      parse_contracts(source.contract_text, {source.contract_file, 1, 1}, KernelKey::optional);
  return source;
}

KernelSource read_kernel_source(const fs::path& file) {
  std::string text = read_utf8(file);
  const fs::path absolute = fs::absolute(file).lexically_normal();
  const fs::path sidecar = sidecar_of(absolute);
  std::optional<std::string> contract = read_file(sidecar);
  if (contract) contract = utf8_input(sidecar, std::move(*contract));
  return kernel_source(absolute.string(), std::move(text), sidecar.string(), std::move(contract));
}

bool has_contract(const fs::path& file) {
  std::error_code error;
  if (fs::exists(sidecar_of(file), error)) return true;
  try {
    const std::string text = utf8_input(file, read_file(file).value_or(""));
    return embedded_contract(text, file.string()).has_value();
  } catch (const InputError&) {
    return true;
  }
}

}  // namespace warpcheck::contract
