#include "workflows/init/contract_file.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::workflows::init {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOpening = "/* warpcheck";

/// The text without the comment of a contract and the line break after it.
std::string without_contract(std::string text) {
  std::size_t begin = text.starts_with(kOpening) ? 0 : text.find("\n" + std::string(kOpening));
  if (begin == std::string::npos) return text;
  if (begin > 0) ++begin;
  std::size_t end = text.find("*/", begin);
  if (end == std::string::npos) return text;
  end += 2;
  if (end < text.size() && text[end] == '\n') ++end;
  return text.erase(begin, end - begin);
}

void replace_file(const fs::path& file, const std::string& text) {
  const fs::path temporary = temporary_beside(file);
  write_file(temporary, text);
  rename_file(temporary, file);
}

}  // namespace

void require_no_contract(const fs::path& source_file) {
  if (!contract::has_contract(source_file)) return;
  throw file_error(source_file.string(),
                   "the file already has a contract: add --force to replace it");
}

std::string write_contract(const fs::path& source_file, const std::string& toml) {
  const fs::path sidecar = contract::sidecar_of(source_file);
  replace_file(sidecar, toml);
  return sidecar.string();
}

std::string embed_contract(const fs::path& source_file, const std::string& toml) {
  const std::string text = without_contract(read_utf8(source_file));
  replace_file(source_file, fmt::format("{}\n{}*/\n{}", kOpening, toml, text));
  return source_file.string();
}

}  // namespace warpcheck::workflows::init
