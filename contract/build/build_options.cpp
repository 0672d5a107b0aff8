#include "contract/build/build_options.hpp"

#include <filesystem>

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;

/// The arguments after those for the folders of headers.
void append_rest(const BuildOptions& build, std::vector<std::string>& arguments) {
  for (const Define& define : build.defines) arguments.push_back(define_flag(define));
  for (const LocatedText& flag : build.flags) arguments.push_back(flag.text);
}

}  // namespace

std::string define_flag(const Define& define) {
  std::string flag = "-D" + define.name;
  if (define.value) flag += "=" + *define.value;
  return flag;
}

std::string include_folder(const std::string& contract_file, const LocatedText& folder) {
  const fs::path base = fs::absolute(contract_file).parent_path();
  return (base / folder.text).lexically_normal().string();
}

std::vector<std::string> nvcc_arguments(const BuildOptions& build,
                                        const std::string& contract_file) {
  std::vector<std::string> arguments;
  for (const LocatedText& folder : build.include) {
    arguments.push_back("-I" + include_folder(contract_file, folder));
  }
  append_rest(build, arguments);
  return arguments;
}

std::vector<std::string> relative_arguments(const BuildOptions& build) {
  std::vector<std::string> arguments;
  for (const LocatedText& folder : build.include) arguments.push_back("-I" + folder.text);
  append_rest(build, arguments);
  return arguments;
}

}  // namespace warpcheck::contract
