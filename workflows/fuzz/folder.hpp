// The folder that stores the results of searches, from which the next search continues.
//   DIR/<file>/<variant>/corpus/<digits>.case            a case line each
//   DIR/<file>/<variant>/findings/<class>-<digits>.case  the smallest case of a finding; comments
//                                                        name the finding, its place and the case
//                                                        on which it was found
//   DIR/<file>/<variant>/state                           the progress of the search
// <file> is the path of the .cu in its git repository, so that variants of one name in two files
// have different folders, and a file has the same folder on every machine. A built-in variant has
// the folder DIR/<variant>.
// `replay` takes every .case file. Files appear whole or not at all, whatever ends the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/case/case.hpp"

namespace warpcheck::workflows::fuzz {

/// Progress of the searches of a folder.
struct SearchState {
  std::int64_t generated = 0;  // cases that the generator drew
  std::int64_t cases = 0;      // cases that were run

  friend bool operator==(const SearchState&, const SearchState&) = default;
};

/// The folder of one variant. Reading throws InputError, located in the file, if a file is damaged
/// or belongs to another variant; writing throws EnvironmentError.
class FuzzFolder {
 public:
  /// `source_file` is the .cu of the variant; empty: it is built in. If there is no folder of this
  /// file yet, a folder DIR/<variant>, which earlier versions wrote, is moved there.
  FuzzFolder(const std::filesystem::path& folder, const std::string& source_file,
             std::string variant);

  /// Returns the cases in the order of their names.
  [[nodiscard]] std::vector<campaign::Case> corpus() const { return cases_in("corpus"); }
  [[nodiscard]] std::vector<campaign::Case> findings() const { return cases_in("findings"); }
  [[nodiscard]] SearchState state() const;

  void add(const campaign::Case& problem) const;
  void drop(const campaign::Case& problem) const;
  /// `message`: that of the finding, for the comment.
  void add(const campaign::FindingReport& finding, const std::string& message) const;
  void write(const SearchState& state) const;

 private:
  [[nodiscard]] std::vector<campaign::Case> cases_in(const char* kind) const;

  std::filesystem::path folder_;
  std::string variant_;
};

/// Result of a merge.
struct MergedCorpora {
  std::int64_t corpus = 0;    // added cases
  std::int64_t findings = 0;  // added findings
};

/// Adds the cases and findings of all variants in some folders to those in another folder, which it
/// creates if necessary. Keeps cases that no feature needs; `fuzz --minimize` removes them. Throws
/// InputError, before anything is written, if one of `from` is not a folder, or holds a file that
/// is not a case of its variant.
MergedCorpora merge_corpora(std::span<const std::string> from, const std::string& to);

}  // namespace warpcheck::workflows::fuzz
