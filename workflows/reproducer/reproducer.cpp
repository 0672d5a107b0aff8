#include "workflows/reproducer/reproducer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/run/problem.hpp"
#include "contract/kernel_source.hpp"
#include "properties/law.hpp"
#include "workflows/reproducer/program_text.hpp"
#include "workflows/reproducer/source_files.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

namespace fs = std::filesystem;
using campaign::Case;

constexpr const char* kProgram = "reproduce.cu";

void require_one_run(const contract::Variant& variant, const Case& problem) {
  if (contract::is_ptx(variant.compiled->source_file)) {
    throw InputError(Diagnostic{
        {variant.compiled->source_file, 0, 0}, "no program: the kernel is PTX, not CUDA C++", {}});
  }
  const auto& property = properties::law(problem.property);
  if (&property != &properties::laws().front()) {
    throw InputError(Diagnostic{variant.contract.where,
                                fmt::format("no program: {} compares several runs", property.name),
                                {}});
  }
}

std::string compile_command(const contract::Variant& variant) {
  std::vector<std::string> words = {"nvcc", "-lineinfo"};
  const std::string& architecture = variant.contract.architecture;
  words.push_back("-arch=" + (architecture.empty() ? "sm_80" : architecture));
  for (const std::string& word : contract::nvcc_arguments(variant.contract)) words.push_back(word);
  return fmt::format("{} -o reproduce {} && ./reproduce", fmt::join(words, " "), kProgram);
}

}  // namespace

std::string write_reproducer(const contract::Variant& variant, const Case& problem,
                             bool fills_outputs, const fs::path& folder) {
  require_one_run(variant, problem);
  const Case line = campaign::normalized(variant.contract, problem);
  const campaign::run::Problem made = campaign::run::usual_problem(variant, line);
  const std::vector<ExpectedOutput> outputs = expected_outputs(made);
  const SourceFiles files = source_files(variant.compiled->source_file);
  const std::string command = compile_command(variant);
  const Program program = program_of(
      made, outputs, {campaign::to_line(line), command, files.names.front(), fills_outputs});
  for (const std::string& name : files.names) {
    write_file(folder / name, read_input(files.folder / name));
  }
  for (const auto& [name, content] : program.files) write_file(folder / name, content);
  write_file(folder / kProgram, program.text);
  return command;
}

}  // namespace warpcheck::workflows::reproducer
