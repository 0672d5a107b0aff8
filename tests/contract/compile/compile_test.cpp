#include <gmock/gmock.h>

#include <algorithm>

#include "base/checked_file.hpp"
#include "contract/compile/variant.hpp"
#include "ptx/scan.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Compile : public NvccTest {
 protected:
  /// The mangled entry of the one variant that names `kernel` in `source`.
  std::string entry_of(const std::string& source, const std::string& kernel,
                       const std::string& arguments) {
    const std::string file = write("x.cu", source);
    write("x.toml", variant_table("x", kernel, arguments));
    return variants_at(file).at(0).entries.at(0).name;
  }

  std::string error_of(const std::string& source, const std::string& toml) {
    const std::string file = write("x.cu", source);
    write("x.toml", toml);
    return error_at(file);
  }

  /// The text of the errors without the name of the folder.
  std::string error_at(const std::string& path) {
    std::string text = "no error";
    try {
      (void)variants_at(path);
    } catch (const InputError& error) {
      text = error.what();
    }
    const std::string prefix = folder().string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
};

// The expected mangled names follow the Itanium C++ ABI, which nvcc uses on Linux.

TEST_F(Compile, PlainKernelIsFound) {
  EXPECT_EQ(entry_of("__global__ void f(float* c) { *c = 1; }", "f", "'c'"), "_Z1fPf");
}

TEST_F(Compile, TemplateInANamespaceIsInstantiated) {
  const std::string source =
      "namespace ns { template <int T, int K> __global__ void f(float* c) { *c = T + K; } }";
  EXPECT_EQ(entry_of(source, "ns::f<128, 8>", "'c'"), "_ZN2ns1fILi128ELi8EEEvPf");
  EXPECT_EQ(entry_of(source, "::ns::f<128,0x8>", "'c'"), "_ZN2ns1fILi128ELi8EEEvPf");
}

TEST_F(Compile, DefaultArgumentsAliasesAndConstantsAreResolved) {
  const std::string source =
      "using real = float; constexpr int tile = 4;\n"
      "struct Small {}; enum Order { row, column };\n"
      "template <class T, int N, bool B = true, class S = Small, Order O = column>\n"
      "__global__ void f(T* c) { *c = N; }\n"
      "namespace ns = ::std;\n";
  EXPECT_EQ(entry_of("namespace std {}\n" + source, "f<real, 2 * tile>", "'c'"),
            "_Z1fIfLi8ELb1E5SmallL5Order1EEvPT_");
}

TEST_F(Compile, KernelWithCLinkageIsFound) {
  EXPECT_EQ(entry_of("extern \"C\" __global__ void f(float* c) { *c = 1; }", "f", "'c'"), "f");
}

TEST_F(Compile, StaticAndUnnamedNamespaceKernelsAreFound) {
  EXPECT_EQ(entry_of("static __global__ void f(float* c) { *c = 1; }", "f", "'c'"), "_Z1fPf");
  const std::string source =
      "namespace { __global__ void f(float* c) { *c = 1; }\n"
      "template <int T> __global__ void g(float* c) { *c = T; } }\n";
  EXPECT_THAT(entry_of(source, "f", "'c'"), HasSubstr("1fEPf"));
  EXPECT_THAT(entry_of(source, "g<3>", "'c'"), HasSubstr("1gILi3EEEvPf"));
}

TEST_F(Compile, NumberOfArgumentsSelectsTheOverload) {
  const std::string source =
      "__global__ void f(float* c) { *c = 1; }\n"
      "__global__ void f(float* c, int m) { *c = m; }\n";
  EXPECT_EQ(entry_of(source, "f", "'c'"), "_Z1fPf");
  EXPECT_EQ(entry_of(source, "f", "'c', 'm'"), "_Z1fPfi");
}

TEST_F(Compile, ParameterTypesSelectTheOverload) {
  const std::string source =
      "__global__ void f(float* c, int m) { *c = m; }\n"
      "__global__ void f(float* c, long m) { *c = m; }\n"
      "template <int T> __global__ void g(float* c, int m) { *c = m + T; }\n"
      "template <int T> __global__ void g(float* c, long m) { *c = m + T; }\n";
  EXPECT_EQ(entry_of(source, "f(float*, long)", "'c', 'm'"), "_Z1fPfl");
  EXPECT_EQ(entry_of(source, "g<3>(float*, int)", "'c', 'm'"), "_Z1gILi3EEvPfi");
  EXPECT_THAT(error_of(source, variant_table("x", "f", "'c', 'm'")),
              AllOf(HasSubstr("x.toml:3:11: error: 'f' is not one kernel with 2 parameters"),
                    HasSubstr("parameter types, as in f(float*, int)")));
}

TEST_F(Compile, VariantsOfOneSourceShareItsCompilation) {
  const std::string file =
      write("x.cu", "template <int T> __global__ void f(float* c) { *c = T; }");
  write("x.toml", variant_table("two", "f<2>", "'c'") + variant_table("one", "f<1>", "'c'"));
  const auto variants = variants_at(file);
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(variants[0].contract.name, "two");
  EXPECT_EQ(variants[0].entries.at(0).name, "_Z1fILi2EEvPf");
  EXPECT_EQ(variants[1].entries.at(0).name, "_Z1fILi1EEvPf");
  EXPECT_EQ(variants[0].compiled, variants[1].compiled);
  EXPECT_EQ(variants[0].compiled->source_file, file);
  EXPECT_EQ(read_checked(variants[0].compiled->ptx_file), variants[0].compiled->ptx);
}

TEST_F(Compile, ArchitectureOfTheContractIsThatOfThePtx) {
  const std::string file = write("x.cu", "__global__ void f(float* c) { *c = 1; }");
  write("x.toml", variant_table("default", "f", "'c'") +
                      variant_table("hopper", "f", "'c'", "architecture = 'sm_90a'\n"));
  const auto variants = variants_at(file);
  EXPECT_THAT(variants[0].compiled->ptx, HasSubstr("\n.target sm_80\n"));
  EXPECT_THAT(variants[1].compiled->ptx, HasSubstr("\n.target sm_90a\n"));
}

TEST_F(Compile, LinesAreThoseOfTheSourceItself) {
  const std::string file = write("x.cu",
                                 "// one\n\n__global__ void f(float* c) {\n  // four\n"
                                 "  c[1] = 5;\n}\n");
  write("x.toml", variant_table("x", "f", "'c'"));
  const std::string ptx = variants_at(file).at(0).compiled->ptx;
  EXPECT_THAT(ptx, HasSubstr(".file\t1 \"" + file + "\""));
  // The line of the store is that of the last .loc before it.
  const std::size_t store = ptx.find("st.global");
  ASSERT_NE(store, std::string::npos);
  EXPECT_THAT(ptx.substr(ptx.rfind(".loc", store), 12), HasSubstr(".loc\t1 5 "));
}

TEST_F(Compile, ParametersAreThoseOfTheEntry) {
  const std::string file =
      write("x.cu", "__global__ void f(float* c, long m, float alpha, bool l) {}");
  write("x.toml", variant_table("x", "f", "'c', 'm', 'alpha', 1"));
  const auto parameters = variants_at(file).at(0).entries.at(0).parameters;
  ASSERT_EQ(parameters.size(), 4U);
  EXPECT_EQ(parameters[0].bytes, 8U);
  EXPECT_EQ(parameters[1].bytes, 8U);
  EXPECT_EQ(parameters[2].bytes, 4U);
  EXPECT_TRUE(parameters[2].floating);
  EXPECT_EQ(parameters[3].bytes, 1U);
}

std::string launch_table(const std::string& kernel, const std::string& arguments) {
  return "[[variant.launch]]\nkernel = \"" + kernel + "\"\narguments = [" + arguments +
         "]\nblock = [1]\ngrid = [1]\n";
}

TEST_F(Compile, EveryLaunchHasItsEntry) {
  const std::string file =
      write("x.cu",
            "template <int T> __global__ void part(float* w, int k) { *w = T * k; }\n"
            "__global__ void sum(float* c, const float* w) { *c = *w; }\n");
  write("x.toml", variant_table("one", "sum", "'c', 'workspace'") +
                      "[[variant]]\nname = 'two'\noperation = 'gemm'\n" +
                      launch_table("part<3>", "'workspace', 'k'") +
                      launch_table("sum", "'c', 'workspace'") +
                      launch_table("part<3>", "'workspace', 'k'"));
  const auto variants = variants_at(file);
  ASSERT_EQ(variants.at(0).entries.size(), 1U);
  EXPECT_EQ(variants[0].entries[0].name, "_Z3sumPfPKf");
  std::vector<std::string> names;
  for (const Entry& entry : variants.at(1).entries) names.push_back(entry.name);
  EXPECT_THAT(names, ElementsAre("_Z4partILi3EEvPfi", "_Z3sumPfPKf", "_Z4partILi3EEvPfi"));
  EXPECT_EQ(variants[1].entries[0].parameters.at(1).bytes, 4U);
}

TEST_F(Compile, ErrorsOfALaunchAreLocatedInIt) {
  const std::string source =
      "__global__ void f(float* c) { *c = 1; }\n"
      "__global__ void g(float* c, int m) { *c = m; }\n"
      "__device__ void helper(float* c) { *c = 1; }\n";
  const std::string head = "[[variant]]\nname = 'two'\noperation = 'gemm'\n";
  EXPECT_THAT(error_of(source, head + launch_table("f", "'c'") + launch_table("h", "'c'")),
              HasSubstr("x.toml:10:11: error: kernel 'h' is not in x.cu"));
  EXPECT_THAT(
      error_of(source, head + launch_table("helper", "'c'") + launch_table("g", "'c', 'a'")),
      AllOf(HasSubstr("x.toml:5:11: error: 'helper' is not a __global__ function of x.cu"),
            HasSubstr("x.toml:11:19: error: argument 'a' is an address of 8")));
}

TEST_F(Compile, ContractCanBeInTheSource) {
  const std::string file = write("x.cu", "/* warpcheck\n" + variant_table("x", "f", "'c'") +
                                             "*/\n__global__ void f(float* c) { *c = 1; }\n");
  const auto variants = variants_at(file);
  EXPECT_EQ(variants.at(0).contract.where.file, file);
  EXPECT_EQ(variants.at(0).contract.where.line, 2U);
}

TEST_F(Compile, HeadersInTheFolderOfTheSourceAreFound) {
  write("tile.cuh", "#define TILE 3\n");
  EXPECT_EQ(
      entry_of("#include \"tile.cuh\"\n__global__ void f(float* c) { *c = TILE; }", "f", "'c'"),
      "_Z1fPf");
}

TEST_F(Compile, MissingKernelIsReportedWithTheExistingOnes) {
  const std::string source =
      "template <int T> __global__ void tiled(float* c) { *c = T; }\n"
      "namespace ns { __global__ void naive(float* c) { *c = 1; } }\n";
  const std::string found = error_of(source, variant_table("one", "tile<8>", "'c'") +
                                                 variant_table("two", "tiled<8>", "'c'") +
                                                 variant_table("three", "naive", "'c'"));
  EXPECT_THAT(found,
              AllOf(HasSubstr("x.toml:3:11: error: kernel 'tile<8>' is not in x.cu, which has "
                              "tiled, naive: "),
                    HasSubstr("\n  kernel = \"tile<8>\"\n            ^\n"),
                    HasSubstr("x.toml:17:11: error: kernel 'naive' is in a namespace or a class")));
  EXPECT_THAT(found, Not(HasSubstr("'tiled<8>'")));
}

TEST_F(Compile, WrongTemplateArgumentsAreLocatedAtTheKernel) {
  EXPECT_THAT(error_of("template <int T> __global__ void f(float* c) { *c = T; }",
                       variant_table("x", "f<float>", "'c'")),
              HasSubstr("x.toml:3:11: error: "));
}

TEST_F(Compile, TemplateWithoutArgumentsNamesItsInstances) {
  const std::string source = "template <int T> __global__ void f(float* c) { *c = T; }\n";
  EXPECT_THAT(error_of(source, variant_table("x", "f", "'c'")),
              HasSubstr("x.toml:3:11: error: kernel 'f' is a template: expected an instance, "
                        "f<int T>\n"));
  EXPECT_THAT(error_of(source + "void run(float* c) { f<8><<<1, 1>>>(c); f<16><<<1, 1>>>(c); }",
                       variant_table("x", "f", "'c'")),
              HasSubstr("expected an instance, f<int T>; the source has f<8>, f<16>\n"));
  EXPECT_THAT(error_of(source, variant_table("x", "f<8, 8>", "'c'")),
              HasSubstr("x.toml:3:11: error: 'f<8, 8>' is not an instance of the template "
                        "f<int T>\n"));
}

TEST_F(Compile, ArchitectureThatNvccLacksIsLocated) {
  EXPECT_THAT(error_of("__global__ void f(float* c) { *c = 1; }\n",
                       variant_table("x", "f", "'c'") + "architecture = 'sm_11'\n"),
              AllOf(HasSubstr("does not support the architecture 'sm_11': expected one of sm_"),
                    HasSubstr("\n  architecture = 'sm_11'\n                  ^\n"),
                    Not(HasSubstr("nvcc fatal"))));
}

TEST_F(Compile, WrongFileOfAFolderDoesNotHideTheOthers) {
  const std::string source = "__global__ void f(float* c) { *c = 1; }\n";
  for (const char* name : {"right", "wrong", "late"}) {
    const std::string stem = std::string("mixed/") + name;
    write(stem + ".cu", name == std::string("wrong") ? "__global__ void f(flaot* c) {}\n" : source);
    write(stem + ".toml", variant_table(name, "f", "'c'"));
  }
  write("mixed/none.cu", source);
  const FoundVariants found = find_variants((folder() / "mixed").string());
  ASSERT_EQ(found.variants.size(), 2U);
  EXPECT_EQ(found.variants[0].contract.name, "late");
  EXPECT_EQ(found.variants[1].contract.name, "right");
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_THAT(found.errors[0].target, testing::EndsWith("mixed/wrong.cu"));
  EXPECT_THAT(found.without_contract, ElementsAre(testing::EndsWith("mixed/none.cu")));
}

TEST_F(Compile, FunctionThatIsNoKernelIsAnError) {
  EXPECT_THAT(
      error_of("__device__ void helper(float* c) { *c = 1; }\n"
               "__global__ void f(float* c) { helper(c); }",
               variant_table("x", "helper", "'c'")),
      HasSubstr("x.toml:3:11: error: 'helper' is not a __global__ function of x.cu, which has f"));
}

TEST_F(Compile, ArgumentsThatDoNotFitAreLocated) {
  const std::string source =
      "struct Shape { long m, n, k; };\n"
      "__global__ void f(float* c, int m) { *c = m; }\n"
      "__global__ void g(float* c, Shape shape) { *c = shape.m; }\n";
  EXPECT_EQ(error_of(source, variant_table("x", "f", "'c', 'm', 'n'") +
                                 variant_table("y", "g", "'c', 'm'")),
            "x.toml:5:13: error: 3 arguments for kernel 'f', which takes 2\n"
            "  arguments = ['c', 'm', 'n']\n"
            "              ^\n"
            "x.toml:12:19: error: argument 'm' is an integer of 4 or 8 bytes, but parameter 2 of "
            "kernel 'g' has 24 bytes\n"
            "  arguments = ['c', 'm']\n"
            "                    ^\n");
}

TEST_F(Compile, CompilerErrorsArePrintedUnchanged) {
  const std::string found =
      error_of("__global__ void f(float* c) { *c = 1 }\n",
               variant_table("x", "f", "'c'") + variant_table("y", "g", "'c'"));
  // The complete text is that of nvcc, with its notation of places.
  EXPECT_THAT(found, testing::StartsWith("x.cu(1): error: "));
  EXPECT_THAT(found, HasSubstr("detected in the compilation of \"x.cu\"."));
  EXPECT_THAT(found, Not(HasSubstr("x.toml")));
}

TEST_F(Compile, TruncatedSourceIsACompilerError) {
  EXPECT_THAT(error_of("__global__ void f(float* c) { *c = 1;\n", variant_table("x", "f", "'c'")),
              AllOf(HasSubstr("At end of source: error: "), HasSubstr("x.cu(1)"),
                    Not(HasSubstr("x.toml"))));
}

TEST_F(Compile, ErrorsOfInstantiationsArePrintedUnchanged) {
  EXPECT_THAT(error_of("template <int T> __global__ void f(float* c) {\n"
                       "  static_assert(T < 8, \"tile too wide\"); *c = T; }\n",
                       variant_table("x", "f<9>", "'c'")),
              AllOf(HasSubstr("x.cu(2): error: "), HasSubstr("tile too wide")));
}

TEST_F(Compile, ErrorsOfAllSourcesOfAFolderAreReported) {
  write("a/one.cu", "__global__ void f(float* c) {}");
  write("a/one.toml", variant_table("one", "g", "'c'"));
  write("a/two.cu", "__global__ void f(float* c) { broken }");
  write("a/two.toml", variant_table("two", "f", "'c'"));
  write("a/three.cu", "__global__ void f(float* c) {}");
  write("a/three.toml", variant_table("three", "f", "'c'"));
  EXPECT_THAT(error_at((folder() / "a").string()),
              AllOf(HasSubstr("a/one.toml:3:11: error: kernel 'g' is not in one.cu"),
                    HasSubstr("a/two.cu(1): error: "), Not(HasSubstr("three"))));
}

TEST_F(Compile, FolderHoldsTheVariantsOfAllItsSourcesInOrder) {
  for (const std::string name : {"b", "a", "sub/c"}) {
    write("all/" + name + ".cu", "__global__ void f(float* c) { *c = 1; }");
    write("all/" + name + ".toml", variant_table(name.substr(name.size() - 1), "f", "'c'"));
  }
  write("all/library.cu", "int without_a_contract;");
  std::vector<std::string> names;
  for (const Variant& variant : variants_at((folder() / "all").string())) {
    names.push_back(variant.contract.name);
  }
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

TEST_F(Compile, OneNameForTwoVariantsIsAnError) {
  for (const std::string name : {"a", "b"}) {
    write("all/" + name + ".cu", "__global__ void f(float* c) { *c = 1; }");
    write("all/" + name + ".toml", variant_table("same", "f", "'c'"));
  }
  EXPECT_THAT(
      error_at((folder() / "all").string()),
      HasSubstr("all/b.toml:1:1: error: second variant with the name 'same', the first is at "
                "all/a.toml:1"));
}

TEST_F(Compile, OtherPathsAreErrors) {
  write("none/x.cu", "");
  write("both.cu", "/* warpcheck\n" + variant_table("x", "f", "'c'") + "*/\n");
  write("both.toml", variant_table("x", "f", "'c'"));
  EXPECT_EQ(error_at((folder() / "absent").string()), "absent: error: no such file or folder\n");
  EXPECT_EQ(error_at((folder() / "both.toml").string()),
            "both.toml: error: expected the source of this contract, both.cu\n");
  EXPECT_EQ(error_at((folder() / "none").string()),
            "none: error: no .cu or .ptx file with a contract in this folder\n");
  EXPECT_EQ(error_at((folder() / "none/x.cu").string()),
            "none/x.cu: error: no contract: expected x.toml or a comment that begins with '/* "
            "warpcheck'; `warpcheck init none/x.cu` writes one\n");
  write("none/y.cuh", "");
  EXPECT_EQ(error_at((folder() / "none/y.cuh").string()),
            "none/y.cuh: error: found a header, expected a .cu file that includes it: `#include "
            "\"y.cuh\"` and a contract are enough\n");
  EXPECT_EQ(error_at((folder() / "none/xx.cu").string()),
            "none/xx.cu: error: no such file or folder: did you mean 'none/x.cu'?\n");
  EXPECT_THAT(error_at((folder() / "both.cu").string()),
              HasSubstr("both.cu:1:13: error: second contract: both.toml also exists"));
}

TEST_F(Compile, EmptySourceHasNoKernel) {
  EXPECT_THAT(error_of("", variant_table("x", "f", "'c'")),
              HasSubstr("x.toml:3:11: error: kernel 'f' is not in x.cu: "));
}

TEST_F(Compile, BinarySourceIsACompilerError) {
  EXPECT_THAT(error_of(std::string("\x7f\x45LF\0\0\x02\x01", 8), variant_table("x", "f", "'c'")),
              HasSubstr("x.cu"));
}

TEST_F(Compile, MissingNvccIsAnEnvironmentError) {
  const std::string file = write("x.cu", "__global__ void f(float* c) {}");
  write("x.toml", variant_table("x", "f", "'c'"));
  setenv("WARPCHECK_NVCC", "/nonexistent/nvcc", 1);
  EXPECT_THROW((void)variants_at(file), EnvironmentError);
  unsetenv("WARPCHECK_NVCC");
}

TEST_F(Compile, LeavesOutHostCodeThatNeedsAMissingHeader) {
  const std::string file =
      write("torch.cu",
            "#include <torch/extension.h>\n"
            "using torch::Tensor;\n"
            "struct Holder { Tensor t; };\n"
            "__global__ void f(float* a) { a[0] = 1; }\n"
            "Tensor host(Tensor t) { f<<<1, 1>>>(t.data_ptr<float>()); return t; }\n");
  write("torch.toml", variant_table("torch", "f", "\"c\""));
  const auto variants = variants_at(file);
  ASSERT_EQ(variants.size(), 1U);
  EXPECT_NE(variants[0].compiled->ptx.find("\"" + file + "\""),
            std::string::npos);  // `-lineinfo` names the file
}

TEST_F(Compile, ReportsAMissingHeaderThatTheKernelNeeds) {
  const std::string file = write("needs.cu",
                                 "#include <missing/types.h>\n"
                                 "__global__ void f(missing::Type* a) { a[0] = 1; }\n");
  write("needs.toml", variant_table("needs", "f", "\"c\""));
  try {
    (void)variants_at(file);
    FAIL() << "compiled";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().at(0).message, testing::HasSubstr("missing/types.h"));
  }
}

}  // namespace
}  // namespace warpcheck::contract
