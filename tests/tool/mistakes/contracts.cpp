#include "tests/tool/harness/tool.hpp"
#include "tests/tool/mistakes/mistake.hpp"

namespace warpcheck::tool {
namespace {

/// A mistake in one place of a correct contract.
Mistake edit(const std::string& name, const std::string& what, const std::string& with,
             const std::string& error) {
  return {name, replaced(correct_kernel("x"), what, with), {}, error};
}

/// A mistake in an additional key, which is line 11.
Mistake key(const std::string& name, const std::string& line, const std::string& error) {
  return edit(name, "*/", line + "\n*/", error);
}

}  // namespace

std::vector<Mistake> mistakes_in_contracts() {
  const std::string grid = "[\"ceil_div(n, 8) * ceil_div(m, 8)\"]";
  return {
      edit("UnknownArgument", "\"k\"]", "\"K\"]",
           "x.cu:8:39: error: unknown argument word 'K': expected one of a, b, c, d, m, n, k,"),
      edit("ArgumentTwice", "\"a\", \"b\"", "\"a\", \"a\"",
           "x.cu:8:19: error: second argument 'a', and no argument 'b'"),
      edit("NoOutput", "\"c\", \"m\"", "\"m\"",
           "x.cu:8:13: error: no output among the arguments: expected 'c' or 'd'"),
      edit("MisspeltComment", "/* warpcheck", "/* warpchek",
           "x.cu:2: error: found a table of a contract, but no comment that begins with "
           "'/* warpcheck'"),
      edit("DocComment", "/* warpcheck", "/** warpcheck",
           "x.cu:2: error: found a table of a contract, but no comment that begins with"),
      edit("NoTable", "[[variant]]\n", "",
           "x.cu:2:1: error: 'name' outside of a variant: expected it below [[variant]]"),
      edit("SingleBrackets", "[[variant]]", "[variant]",
           "x.cu:2:1: error: expected a table in double brackets, [[variant]]"),
      edit("MisspeltKey",
           "layout =", "layuot =", "x.cu:6:1: error: unknown key 'layuot': did you mean 'layout'?"),
      edit("KeyTwice", "layout = \"row\"", "layout = \"row\"\nlayout = \"row\"",
           "x.cu:7:10: error: not TOML: key-value pair: cannot redefine existing string 'layout'"),
      edit("NoQuotes", "\"multiply\"", "multiply", "x.cu:4:10: error: not TOML: value: "),
      edit("NoKernelKey", "kernel = \"multiply\"\n", "", "x.cu:2:1: error: missing key 'kernel'"),
      edit("NoBlock", "block = [8, 8]\n", "", "x.cu:2:1: error: missing key 'block'"),
      edit("NoGrid", "grid = " + grid + "\n", "", "x.cu:2:1: error: missing key 'grid'"),
      edit("NoOperation", "operation = \"gemm\"\n", "", "x.cu:2:1: error: missing key 'operation'"),
      edit("UnknownOperation", "\"gemm\"", "\"gem\"",
           "x.cu:5:13: error: unknown operation 'gem': did you mean 'gemm'?"),
      edit("UnknownType", "a = \"f32\"", "a = \"float\"",
           "x.cu:7:15: error: unknown type 'float': expected one of f16, bf16, tf32, f32,"),
      edit("MisspeltType", "accumulate =", "acumulate =",
           "x.cu:7:44: error: unknown key 'acumulate': did you mean 'accumulate'?"),
      edit("UnknownLayout", "\"row\"", "\"rows\"",
           "x.cu:6:10: error: unknown layout 'rows': did you mean 'row'?"),
      edit("UnknownNameInGrid", "ceil_div(n,", "ceil_div(N,",
           "x.cu:10:19: error: unknown name 'N': expected one of m, n, k, lda,"),
      edit("UnknownFunctionInGrid", "ceil_div(n,", "cdiv(n,",
           "x.cu:10:10: error: unknown function 'cdiv': expected one of ceil_div, min, max,"),
      edit("OpenParenthesis", "ceil_div(m, 8)\"", "(m + 7\"",
           "error: the expression ends where ')' is expected"),
      edit("GridWithoutBrackets", grid, "\"ceil_div(n, 8)\"",
           "x.cu:10:8: error: a string where an array of one to three integers or expressions"),
      edit("GridOfFour", grid, "[1, 1, 1, 1]",
           "x.cu:10:8: error: grid of 4 extents: expected one to three"),
      edit("GridOfZero", grid, "[0]",
           "x.cu:10:9: error: grid extent x is 0: expected 1 to 2147483647"),
      edit("DivisionByZero", "ceil_div(n, 8)", "ceil_div(n, 0)",
           "x.cu:10:22: error: 'ceil_div(n, 0) * ceil_div(m, 8)' divides by zero"),
      edit("FractionOfAThread", "[8, 8]", "[8.5, 8]",
           "x.cu:9:10: error: a floating-point number where an integer or an expression"),
      edit("HugeBlock", "[8, 8]", "[64, 64]",
           "x.cu:9:9: error: block of 4096 threads: expected at most 1024"),
      edit("DeepBlock", "[8, 8]", "[1, 1, 128]",
           "x.cu:9:16: error: block extent z is 128: expected 1 to 64"),
      edit("TextAsBlock", "[8, 8]", "[\"8x8\"]", "x.cu:9:11: error: '8x8' is not an integer"),
      key("NegativeShared", "shared = -4",
          "x.cu:11:10: error: -4 bytes of shared memory: expected 0 or more"),
      key("AssignmentInRequires", "requires = [\"m % 4 = 0\"]",
          "x.cu:11:20: error: unexpected '=' where an operator or the end is expected; write '=='"),
      key("AndOfC", "requires = [\"m > 5 && n > 3\"]",
          "x.cu:11:20: error: unexpected '&&' where an operator or the end is expected; write"),
      key("TextAsRequires", "requires = \"m % 4 == 0\"",
          "x.cu:11:12: error: a string where an array of expressions is expected"),
      key("UnknownNameInRequires", "requires = [\"ldx == n\"]",
          "x.cu:11:14: error: unknown name 'ldx': did you mean 'lda'?"),
      key("NumberAsRequires", "requires = [\"m + 1\"]",
          "x.cu:11:14: error: 'm + 1' is a number: expected a condition, such as m % 4 == 0"),
      key("UnknownClass", "expect = { classes = [\"rase\"] }",
          "x.cu:11:23: error: unknown class 'rase': did you mean 'race'?"),
      key("TextAsExpect", "expect = \"race\"",
          "x.cu:11:10: error: a string where a table with 'classes' and 'smallest' is expected"),
      key("UnknownArchitecture", "architecture = \"sm_999\"",
          "does not support the architecture 'sm_999': expected one of sm_"),
      key("NumberAsArchitecture", "architecture = 80",
          "x.cu:11:16: error: an integer where an architecture is expected"),
      key("ArchitectureInCapitals", "architecture = \"SM_80\"",
          "x.cu:11:16: error: architecture 'SM_80': expected a name of nvcc, such as 'sm_80'"),
  };
}

}  // namespace warpcheck::tool
