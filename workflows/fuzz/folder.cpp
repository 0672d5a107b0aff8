#include "workflows/fuzz/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/content_hash.hpp"
#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/text/visible_text.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".case";

/// Returns sixteen digits of the hash of the case line.
std::string digits_of(const campaign::Case& problem) {
  ContentHash hash;
  hash.add(campaign::to_line(problem));
  return hash.digits().substr(0, 16);
}

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// "kernels/mine.cu"; the path from the root of the file system for a file outside of a repository
/// and of the current folder.
fs::path place_of(const std::string& source_file) {
  if (source_file.empty()) return {};
  const fs::path relative = relative_to_repository(source_file);
  return relative.empty() ? absolute_path(source_file).relative_path() : relative;
}

/// True for a folder with cases of a variant; a folder of sources can be called "corpus" too.
bool is_variant_folder(const fs::path& folder) {
  return !files_in(folder / "corpus", kExtension).empty() ||
         !files_in(folder / "findings", kExtension).empty();
}

/// The folders of all variants below `folder`, relative to it.
std::vector<fs::path> variant_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && is_variant_folder(entry.path())) {
      found.push_back(entry.path().lexically_relative(folder));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Reads a file with exactly one case.
campaign::Case read_case(const fs::path& file, const std::string& variant) {
  const std::string text = read_input(file);
  const std::vector<campaign::Case> cases = campaign::parse_cases(text, file.string());
  if (cases.size() != 1) {
    throw file_error(file, fmt::format("found {} case lines, expected one", cases.size()));
  }
  if (cases.front().variant != variant) {
    throw file_error(file, fmt::format("found a case of {}, expected one of {}",
                                       cases.front().variant, variant));
  }
  return cases.front();
}

/// Returns the text as a comment line.
std::string comment(std::string_view text) { return "# " + visible(text) + "\n"; }

std::string text_of(const campaign::FindingReport& report, const std::string& message) {
  const Finding& finding = report.finding;
  std::string text = comment(fmt::format("{}: {}", name(finding.kind), message));
  if (finding.source.line != 0) {
    text += comment(fmt::format("at {}:{}", finding.source.file, finding.source.line));
  }
  if (report.original != report.smallest)
    text += comment("from " + campaign::to_line(report.original));
  return text + campaign::to_line(report.smallest) + "\n";
}

}  // namespace

FuzzFolder::FuzzFolder(const fs::path& folder, const std::string& source_file, std::string variant)
    : folder_((folder / place_of(source_file) / variant).lexically_normal()),
      variant_(std::move(variant)) {
  const fs::path retired = folder / variant_;  // retired place
  std::error_code failed;
  if (retired == folder_ || fs::exists(folder_, failed) || !is_variant_folder(retired)) return;
  fs::create_directories(folder_.parent_path(), failed);
  fs::rename(retired, folder_, failed);
}

std::vector<campaign::Case> FuzzFolder::cases_in(const char* kind) const {
  std::vector<campaign::Case> cases;
  for (const fs::path& file : files_in(folder_ / kind, kExtension)) {
    cases.push_back(read_case(file, variant_));
  }
  return cases;
}

SearchState FuzzFolder::state() const {
  SearchState state;
  const fs::path file = folder_ / "state";
  const auto text = read_file(file);
  if (!text) return state;
  const auto number = [&](std::string_view key) {
    const std::size_t at = text->find(key);
    std::int64_t value = -1;
    if (at != std::string::npos) {
      const char* const end = text->data() + text->size();
      std::from_chars(text->data() + at + key.size(), end, value);
    }
    if (value < 0) throw file_error(file, fmt::format("expected {}<number>", key));
    return value;
  };
  const bool retired = text->find("drawn=") != std::string::npos;       // retired spelling
  state.generated = retired ? number("drawn=") : number("generated=");  // retired spelling
  state.cases = number("cases=");
  return state;
}

void FuzzFolder::add(const campaign::Case& problem) const {
  write_file(folder_ / "corpus" / (digits_of(problem) + kExtension),
             campaign::to_line(problem) + "\n");
}

void FuzzFolder::drop(const campaign::Case& problem) const {
  std::error_code gone;
  fs::remove(folder_ / "corpus" / (digits_of(problem) + kExtension), gone);
}

void FuzzFolder::add(const campaign::FindingReport& finding, const std::string& message) const {
  write_file(folder_ / "findings" /
                 fmt::format("{}-{}{}", name(finding.finding.kind), digits_of(finding.smallest),
                             kExtension),
             text_of(finding, message));
}

void FuzzFolder::write(const SearchState& state) const {
  write_file(folder_ / "state",
             fmt::format("generated={} cases={}\n", state.generated, state.cases));
}

MergedCorpora merge_corpora(std::span<const std::string> from, const std::string& to) {
  struct Copy {
    fs::path from;
    fs::path to;
    bool finding;
  };
  std::vector<Copy> copies;
  for (const std::string& folder : from) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) {
      throw file_error(folder, "there is no such folder");
    }
    for (const fs::path& variant : variant_folders(folder)) {
      for (const char* const kind : {"corpus", "findings"}) {
        for (const fs::path& file : files_in(folder / variant / kind, kExtension)) {
          static_cast<void>(read_case(file, variant.filename()));
          copies.push_back({file, fs::path(to) / variant / kind / file.filename(),
                            kind == std::string_view("findings")});
        }
      }
    }
  }
  MergedCorpora merged;
  for (const Copy& copy : copies) {
    std::error_code failed;
    if (fs::exists(copy.to, failed)) continue;
    write_file(copy.to, read_input(copy.from));
    ++(copy.finding ? merged.findings : merged.corpus);
  }
  return merged;
}

}  // namespace warpcheck::workflows::fuzz
