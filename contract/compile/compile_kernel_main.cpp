// warpcheck-compile-kernel SOURCE.cu FOLDER RULE: the build runs it for each built-in kernel.
// Writes the compiled variants into FOLDER, and their dependencies into RULE as a Makefile rule.
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "base/files.hpp"
#include "contract/compile/compile.hpp"
#include "contract/compile/prebuilt.hpp"

namespace {

using namespace warpcheck::contract;

using namespace warpcheck;

/// The name of a file, escaped for a Makefile.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

void compile_kernel(const std::string& source_file, const std::filesystem::path& folder,
                    const std::string& rule_file) {
  const KernelSource source = read_kernel_source(source_file);
  const std::vector<CompiledGroup> groups = compile(source, CompileCache());
  (void)variants_of(source, groups);  // reports errors
  write_prebuilt(source, groups, folder);

  std::set<std::string> files = {source.file, source.contract_file};
  for (const CompiledGroup& group : groups) {
    for (const auto& file : group.dependencies) files.insert(file.string());
  }
  const std::filesystem::path stem = std::filesystem::path(source.file).stem();
  std::string rule = escaped((folder / stem).string() + ".manifest") + ":";
  for (const std::string& file : files) rule += " \\\n  " + escaped(file);
  write_file(rule_file, rule + "\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: warpcheck-compile-kernel SOURCE.cu FOLDER RULE\n", stderr);
    return 2;
  }
  try {
    compile_kernel(arguments[1], arguments[2], arguments[3]);
    return 0;
  } catch (const InputError& error) {
    std::fputs(error.what(), stderr);
    return 2;
  } catch (const EnvironmentError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
