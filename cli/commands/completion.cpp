#include "cli/help/completion.hpp"

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/help/completion_script.hpp"
#include "cli/options/exit_status.hpp"
#include "cli/options/program.hpp"
#include "contract/compile/prebuilt.hpp"
#include "properties/law.hpp"

namespace warpcheck::cli {
namespace {

std::vector<Candidate> builtin_names() {
  std::vector<Candidate> names;
  const auto none = [](const std::string&) { return false; };
  for (std::string& name : contract::builtin_matching(none).names) {
    names.push_back({std::move(name), ""});
  }
  return names;
}

std::vector<Candidate> property_names() {
  std::vector<Candidate> names;
  for (const properties::Law& law : properties::laws()) {
    names.push_back({std::string(law.name), std::string(law.sentence)});
  }
  return names;
}

}  // namespace

int run(const CompletionCommand& command) {
  std::cout << completion_script(command.shell);
  return kPassed;
}

int run(const CompleteCommand& command) {
  Command unused;
  const auto program = make_program(unused);
  for (const Candidate& candidate :
       complete(*program, command.words, {builtin_names, property_names})) {
    std::cout << candidate.text;
    if (!candidate.description.empty()) std::cout << '\t' << candidate.description;
    std::cout << '\n';
  }
  return kPassed;
}

}  // namespace warpcheck::cli
