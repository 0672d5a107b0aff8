#include "contract/build/build_options.hpp"

#include <filesystem>

#include "contract/contract.hpp"

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

std::string include_folder(const Contract& contract, const LocatedText& folder) {
  const fs::path base = fs::absolute(contract.where.file).parent_path();
  return (base / folder.text).lexically_normal().string();
}

std::vector<std::string> nvcc_arguments(const Contract& contract) {
  std::vector<std::string> arguments;
  for (const LocatedText& folder : contract.build.include) {
    arguments.push_back("-I" + include_folder(contract, folder));
  }
  append_rest(contract.build, arguments);
  return arguments;
}

std::vector<std::string> build_key(const Contract& contract) {
  std::vector<std::string> key = {contract.architecture};
  for (const LocatedText& folder : contract.build.include) key.push_back("-I" + folder.text);
  append_rest(contract.build, key);
  return key;
}

}  // namespace warpcheck::contract
