#include "tests/workflows/mutate/operators/planting.hpp"

#include <fmt/format.h>

#include <array>

#include "ptx/parser.hpp"

namespace warpcheck::workflows::mutate::operators::test {

ptx::Module module_of(std::string_view body, std::string_view functions) {
  return ptx::parse(
      fmt::format(".version 9.0\n.target sm_90\n.address_size 64\n{}\n"
                  ".visible .entry f(.param .u64 p)\n{{\n"
                  ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\n.reg .f64 %e<9>;\n"
                  ".reg .b16 %h<9>;\n.reg .pred %p<9>;\n{}\nret;\n}}\n",
                  functions, body),
      "test.ptx");
}

std::vector<std::string> planted(std::string_view name, std::string_view body) {
  const ptx::Module module = module_of(body);
  std::vector<std::string> texts;
  for (const Mutant& mutant : mutants(module, std::array<std::string, 1>{"f"})) {
    if (mutant.planted->name == name) texts.push_back(text_after(module, mutant));
  }
  return texts;
}

}  // namespace warpcheck::workflows::mutate::operators::test
