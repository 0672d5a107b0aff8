#include "workflows/targets/case_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "campaign/case/normalized.hpp"
#include "contract/compile/prebuilt.hpp"
#include "workflows/targets/origins.hpp"

namespace warpcheck::workflows::targets {
namespace {

/// The variants that a case line may name: those at `in`, or else the built-in variants, or else
/// those at the path where a variant of that name was last checked.
std::vector<Target> candidates(const std::string& variant, const std::string& in) {
  if (!in.empty()) return resolve_targets(std::vector{in});
  contract::PrebuiltVariants built_in =
      contract::builtin_matching([&](const std::string& name) { return name == variant; });
  if (!built_in.variants.empty()) return {{std::move(built_in.variants.front()), ""}};
  const auto origin = origin_of(variant);
  return origin ? resolve_targets(std::vector{origin->string()}) : std::vector<Target>();
}

Target find_variant(const LocatedCase& located, const std::string& in) {
  const std::string& variant = located.problem.variant;
  for (Target& target : candidates(variant, in)) {
    if (target.variant.contract.name == variant) return std::move(target);
  }
  throw InputError(Diagnostic{
      located.where,
      in.empty()
          ? fmt::format("no built-in variant is named {}, and no variant of that name was checked "
                        "on this machine before: name its .cu file or folder with --in",
                        variant)
          : fmt::format("{} has no variant named {}", in, variant),
      {}});
}

}  // namespace

std::vector<LocatedCase> read_case_file(const std::string& file) {
  std::vector<LocatedCase> cases;
  std::vector<Diagnostic> errors;
  std::istringstream in(utf8_input(file, read_file(file).value_or("")));
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    try {
      cases.push_back({campaign::parse_case(line, file, number), Location{file, number, 1}, line});
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  return cases;
}

std::vector<LocatedCase> read_cases(const std::string& line_or_file) {
  std::error_code ignored;  // a case line may be too long for a file name
  if (!std::filesystem::is_regular_file(line_or_file, ignored)) {
    return {{campaign::parse_case(line_or_file), Location{"case", 1, 1}, line_or_file}};
  }
  std::vector<LocatedCase> cases = read_case_file(line_or_file);
  if (!cases.empty()) return cases;
  throw file_error(line_or_file, "found no case line, expected one or more");
}

std::vector<Target> targets_of(const std::vector<LocatedCase>& cases, const std::string& in) {
  std::map<std::string, Target> found;  // keyed by name: a file of many lines has few variants
  std::vector<Target> targets;
  for (const LocatedCase& located : cases) {
    const std::string& variant = located.problem.variant;
    if (!found.contains(variant)) found.emplace(variant, find_variant(located, in));
    targets.push_back(found.at(variant));
    require_no_ignored_field(targets.back().variant.contract, located);
  }
  return targets;
}

void require_no_ignored_field(const contract::Contract& contract, const LocatedCase& located) {
  if (located.problem.operation != contract.operation) {
    const bool is_default = contract.operation == campaign::kDefaultOperation;
    throw InputError(Diagnostic{
        located.where,
        fmt::format("{} computes {}: expected operation={} behind its name{}", contract.name,
                    contract.operation, contract.operation, is_default ? ", or nothing" : ""),
        located.text});
  }
  const std::string field = campaign::ignored_field(contract, located.problem);
  if (field.empty()) return;
  Location where = located.where;
  const std::size_t at = located.text.find(fmt::format(" {}=", field));
  if (at != std::string::npos) where.column = static_cast<unsigned>(at + 2);
  throw InputError(Diagnostic{
      where, fmt::format("{} is given, but no argument of {} takes it", field, contract.name),
      located.text});
}

}  // namespace warpcheck::workflows::targets
