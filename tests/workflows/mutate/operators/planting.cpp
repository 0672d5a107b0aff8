#include "tests/workflows/mutate/operators/planting.hpp"

#include <array>

namespace warpcheck::workflows::mutate::operators::test {

std::vector<std::string> planted(std::string_view name, std::string_view body) {
  const ptx::Module module = module_of(body);
  std::vector<std::string> texts;
  for (const Mutant& mutant : mutants(module, std::array<std::string, 1>{"f"})) {
    if (mutant.planted->name == name) texts.push_back(text_after(module, mutant));
  }
  return texts;
}

}  // namespace warpcheck::workflows::mutate::operators::test
