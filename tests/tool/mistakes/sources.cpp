#include <algorithm>

#include "tests/tool/harness/tool.hpp"
#include "tests/tool/mistakes/mistake.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;

Mistake edit_source(const std::string& name, const std::string& what, const std::string& with,
                    const std::string& error) {
  return {name, replaced(correct_kernel("x"), what, with), {}, error};
}

/// The contract's kernel is called `kernel`, and the source has `before` in front of its kernel.
Mistake named(const std::string& name, const std::string& kernel, const std::string& before,
              const std::string& error) {
  std::string source = replaced(correct_kernel("x"), "\"multiply\"", "\"" + kernel + "\"");
  return {name, replaced(source, "__global__", before + "__global__"), {}, error};
}

std::string utf16(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += {c, '\0'};
  return wide;
}

Mistake link(const std::string& name, const std::string& target, const std::string& error) {
  return {name, "", {}, error, 2, {}, [target](const fs::path& folder) {
            fs::remove(folder / "x.cu");
            fs::create_symlink(target, folder / "x.cu");
          }};
}

}  // namespace

std::vector<Mistake> mistakes_in_sources() {
  const std::string right = correct_kernel("x");
  const std::string code = right.substr(right.find("__global__"));
  const std::string relu = R"relu(/* warpcheck
[[operation]]
name = "relu"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = RULE"
[[variant]]
name = "relu"
operation = "relu"
kernel = "relu"
arguments = ["n", "x", "y"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
__global__ void relu(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}
)relu";
  std::string lines = right.substr(0, right.find("*/"));
  for (std::size_t at = lines.find('\n'); at + 1 < lines.size(); at = lines.find('\n', at + 1)) {
    lines.insert(at + 1, "// ");
  }
  return {
      {"EmptyFile", "", {}, "x.cu: error: no contract: expected x.toml or a comment that begins"},
      {"NoContract",
       code,
       {},
       "x.cu: error: no contract: expected x.toml or a comment that begins with '/* warpcheck'; "
       "`warpcheck init x.cu` writes one"},
      {"Header",
       right,
       {"check", "y.cuh"},
       "y.cuh: error: found a header, expected a .cu file that includes it: `#include \"y.cuh\"` "
       "and "
       "a contract are enough",
       2,
       {{"y.cuh", code}}},
      {"ChoiceOfC",
       replaced(relu, "RULE", "x[i] > 0 ? x[i] : 0"),
       {},
       "write select(condition, x, y)"},
      {"ChoiceOfPython",
       replaced(relu, "RULE", "x[i] if x[i] > 0 else 0"),
       {},
       "write select(condition, x, y)"},
      {"ContractInLineComments",
       replaced(lines, "/* warpcheck", "// warpcheck") + code,
       {},
       "x.cu:2: error: found a table of a contract, but no comment that begins with"},
      {"Utf16", utf16(right), {}, "x.cu: error: found a text in UTF-16, little endian, expected"},
      {"Latin1", replaced(right, "*/", "# caf\xe9\n*/"), {}, "x.cu:11:5: error: not TOML: "},
      {"TwoContracts",
       right,
       {},
       "x.cu:1:13: error: second contract: ",
       2,
       {{"x.toml", "[[variant]]\nname = \"x\"\n"}}},
      {"OpenBracketInSidecar",
       code,
       {},
       "x.toml:1:11: error: not TOML: table header: expected ']'",
       2,
       {{"x.toml", "[[variant]\nname = \"x\"\n"}}},
      {"EmptySidecar", code, {}, "x.toml:1:1: error: no [[variant]] table", 2, {{"x.toml", ""}}},
      {"FolderAsSource",
       "",
       {},
       "x.cu: error: no .cu or .ptx file with a contract in this folder",
       2,
       {},
       [](const fs::path& folder) {
         fs::remove(folder / "x.cu");
         fs::create_directory(folder / "x.cu");
       }},
      link("LinkToItself", "x.cu", "x.cu: error: found a symbolic link in a loop, expected a file"),
      link("LinkToNothing", "gone.cu", "x.cu: error: found a symbolic link to gone.cu, which does"),
      edit_source("NotGlobal", "__global__ void", "void",
                  "x.cu:4:11: error: 'multiply' is not a __global__ function of x.cu: expected "
                  "__global__ void multiply(...)"),
      edit_source("OtherOrder", R"("a", "b", "c", "m", "n", "k")",
                  R"("m", "n", "k", "a", "b", "c")",
                  "x.cu:8:29: error: argument 'a' is an address of 8 bytes, but parameter 4 of "
                  "kernel 'multiply' has 4 bytes"),
      edit_source("ArgumentMissing", ", \"k\"]", "]",
                  "x.cu:8:13: error: 5 arguments for kernel 'multiply', which takes 6"),
      edit_source("OtherType", "a = \"f32\"", "a = \"f16\"",
                  "x.cu:8:14: error: argument 'a' has elements of type f16, but parameter 1 of "
                  "kernel 'multiply' is float const*: expected types.a = \"f32\""),
      named("TemplateWithoutArguments", "multiply", "template <int T>\n",
            "x.cu:4:11: error: kernel 'multiply' is a template: expected an instance, "
            "multiply<int T>"),
      named("TemplateWithOtherArguments", "multiply<float>", "template <int T>\n",
            "x.cu:4:11: error: 'multiply<float>' is not an instance of the template"),
      {"KernelInANamespace",
       right.substr(0, right.find("__global__")) + "namespace mine {\n" + code + "}\n",
       {},
       "x.cu:4:11: error: kernel 'multiply' is in a namespace or a class: expected its qualified "
       "name, such as ns::multiply"},
      named("MangledName", "_Z8multiplyPKfS0_Pfiii", "",
            "x.cu:4:11: error: found the mangled name '_Z8multiplyPKfS0_Pfiii', expected the C++ "
            "name of a kernel of x.cu, which has multiply"),
      named("NoSuchKernel", "divide", "",
            "x.cu:4:11: error: kernel 'divide' is not in x.cu, which has multiply: "),
      edit_source("SyntaxError", "sum = 0.0f;", "sum = 0.0f", "x.cu(17): error: expected a \";\""),
      edit_source("UndefinedName", "sum += a", "sum += aa",
                  "x.cu(17): error: identifier \"aa\" is undefined"),
      edit_source("EmptyDomain", "*/", "requires = [\"m > 5\", \"m < 3\"]\n*/",
                  "x.cu:11:14: error: x: no case satisfies m > 5 and m < 3"),
      edit_source("DivisionByZeroInEveryCase", "ceil_div(n, 8)", "n / (m - m)",
                  "x.cu:10:14: error: '(m - m)' divides by zero in every case"),
      {"MuchSharedMemory",
       replaced(right, "*/", "shared = 300000\n*/"),
       {},
       "error[launch-failure]: the shared memory of a block in bytes is 300000; the architecture",
       1},
      {"EmptyGrid",
       replaced(right, "\"ceil_div(n, 8) * ceil_div(m, 8)\"", "\"m - 10000000\""),
       {},
       "error[launch-failure]: invalid configuration: the launch is empty: grid 0 x 1 x 1",
       1},
      {"FunctionWithoutDefinition",
       replaced(replaced(right, "__global__", "__device__ float f(float);\n__global__"),
                "+= a[row * k + i]", "+= f(a[row * k + i])"),
       {},
       "no definition of function _Z1ff",
       3},
  };
}

}  // namespace warpcheck::tool
