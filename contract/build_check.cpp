#include "contract/build_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/closest_word.hpp"
#include "base/files.hpp"
#include "base/text/characters.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

using Words = std::set<std::string, std::less<>>;

/// Adds the identifiers of a text.
void add_words(Words& words, std::string_view text) {
  while (!text.empty()) {
    const auto begin = std::find_if(text.begin(), text.end(), is_identifier_character);
    const auto end = std::find_if_not(begin, text.end(), is_identifier_character);
    const std::string_view word(begin, end);
    if (is_identifier(word)) words.emplace(word);
    text = {end, text.end()};
  }
}

Words words_of(const KernelSource& source, const std::vector<Contract>& contracts,
               const std::vector<fs::path>& dependencies) {
  Words words;
  std::string text = source.text;
  if (source.contract_file == source.file) {  // the contract itself is no use of the macro
    if (const auto embedded = embedded_contract(source.text, source.file)) {
      text.erase(text.find(embedded->toml), embedded->toml.size());
    }
  }
  add_words(words, text);
  for (const fs::path& file : dependencies) {
    if (file != source.file) add_words(words, read_file(file).value_or(""));
  }
  for (const Contract& contract : contracts) {
    for (const LaunchStep& step : contract.launches) add_words(words, step.kernel);
  }
  return words;
}

std::string not_used(const std::string& name, const Words& words) {
  const std::vector<std::string_view> known(words.begin(), words.end());
  const auto close = nearest(name, known);
  return fmt::format("macro '{}' of an instance occurs in no file of the compilation{}", name,
                     close ? fmt::format(": did you mean '{}'?", *close) : "");
}

}  // namespace

void require_folders(const KernelSource& source, const Contract& contract) {
  std::vector<Diagnostic> errors;
  for (const LocatedText& folder : contract.build.include) {
    const std::string path = include_folder(contract.where.file, folder);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) continue;
    errors.push_back(source.with_excerpt(
        {folder.where,
         fmt::format("'{}' is not a folder: found none at {}", folder.text, path),
         {}}));
  }
  if (!errors.empty()) throw InputError(std::move(errors));
}

void throw_redefined(const KernelSource& source, const Contract& contract,
                     const std::string& name) {
  const auto& defines = contract.build.defines;
  const auto found = std::find_if(defines.begin(), defines.end(),
                                  [&](const Define& define) { return define.name == name; });
  throw InputError(source.with_excerpt(
      {found->where,
       fmt::format(
           "the source defines '{0}' with another value: enclose its #define in #ifndef {0}", name),
       {}}));
}

void require_effects(const KernelSource& source, const std::vector<Contract>& contracts,
                     const std::vector<fs::path>& dependencies) {
  const auto from_instance = [](const Define& define) { return define.from_instance; };
  const auto& defines = contracts.front().build.defines;
  if (std::none_of(defines.begin(), defines.end(), from_instance)) return;
  const Words words = words_of(source, contracts, dependencies);
  std::vector<Diagnostic> errors;
  for (const Define& define : defines) {
    if (!from_instance(define) || words.contains(define.name)) continue;
    errors.push_back(source.with_excerpt({define.where, not_used(define.name, words), {}}));
  }
  if (!errors.empty()) throw InputError(std::move(errors));
}

}  // namespace warpcheck::contract
