// The C++ layer over the C interface, with the shared library.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/library/own_folder.hpp"
#include "warpcheck/gtest.hpp"
#include "warpcheck/warpcheck.hpp"

namespace warpcheck {
namespace {

using testing::HasSubstr;

const std::string kFolder = std::string(WARPCHECK_SOURCE_DIR) + "/examples/library/";

TEST(LibraryContract, CorrectKernelPasses) {
  Contract contract(kFolder + "scale.cu");
  EXPECT_EQ(contract.variants(), std::vector<std::string>{"scale"});
  const Result result = contract.check({20});
  EXPECT_EQ(result.status, WARPCHECK_OK);
  EXPECT_EQ(result.verdicts, std::vector<std::string>{"pass"});
  EXPECT_EQ(result.text, "1 passed, 0 failed, 0 mistrusted\n");
}

TEST(LibraryContract, FindingReachesTheListener) {
  Contract contract(kFolder + "scale_no_guard.cu");
  std::vector<KernelFinding> findings;
  const auto listener = [&](const KernelFinding& finding) { findings.push_back(finding); };
  EXPECT_EQ(contract.check({20}, listener).status, WARPCHECK_FINDINGS);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, "out-of-bounds");
  EXPECT_THAT(findings[0].file, HasSubstr("scale_no_guard.cu"));
  EXPECT_EQ(findings[0].line, 20U);
  EXPECT_THAT(findings[0].text, HasSubstr("warpcheck replay --device virtual --in "));
  EXPECT_THAT(findings[0].json, HasSubstr("\"event\":\"finding\""));
  const Result again = contract.run_case(findings[0].case_line);
  EXPECT_EQ(again.verdicts, std::vector<std::string>{"out-of-bounds"});
}

TEST(LibraryContract, ExceptionOfTheListenerIsThrown) {
  Contract contract(kFolder + "scale_no_guard.cu");
  const auto listener = [](const KernelFinding&) { throw std::domain_error("stop"); };
  EXPECT_THROW(contract.check({20}, listener), std::domain_error);
}

TEST(LibraryContract, WrongRequestsAreErrors) {
  EXPECT_THROW(Contract("missing.cu"), ContractError);
  Contract contract(kFolder + "scale.cu");
  EXPECT_THROW(contract.check({0}), ContractError);
  EXPECT_THROW(contract.run_case("other operation=scale count=1"), ContractError);
  EXPECT_THROW(contract.run_case("scale operation=scale count=x"), ContractError);
  EXPECT_THROW(contract.check({1, 0, 0, "cuda"}), MachineError);
}

/// Writes the example kernel with texts replaced.
std::string changed_kernel(const std::string& name,
                           const std::vector<std::pair<std::string, std::string>>& changes) {
  std::ostringstream text;
  text << std::ifstream(kFolder + "scale.cu").rdbuf();
  std::string source = text.str();
  for (const auto& [from, to] : changes) source.replace(source.find(from), from.size(), to);
  const std::string file = own_folder() + name + ".cu";
  std::ofstream(file) << source;
  return file;
}

/// The failure of EXPECT_KERNEL; empty if it passes.
std::string failure_of(const std::string& file) {
  const testing::AssertionResult result = kernel_passes(file, {20});
  return result ? "" : result.message();
}

TEST(LibraryGtest, UnsupportedKernelFails) {
  const std::string file = changed_kernel(
      "unsupported",
      {{"  y[i] =",
        "  asm volatile(\"{.reg .pred p; istypep.texref p, %0;}\" :: \"l\"(0ull));\n  y[i] ="}});
  EXPECT_EQ(Contract(file).check({20}).status, WARPCHECK_UNSUPPORTED);
  EXPECT_THAT(failure_of(file), HasSubstr("unsupported"));
  EXPECT_THAT(failure_of(file), HasSubstr("istypep.texref"));
}

TEST(LibraryGtest, MistrustedPassFails) {
  // No element of x has an effect on y, so that no case can show the loss of one.
  const std::string file =
      changed_kernel("mistrusted", {{"shape = [\"count\"]", "shape = [\"count\"], finite = true"},
                                    {"factor * x[i]", "factor + 0 * x[i]"},
                                    {"factor * x[i]", "factor"}});
  EXPECT_THAT(failure_of(file),
              HasSubstr("scale: mistrusted: it passed, but the data could not have"));
  EXPECT_THAT(failure_of(file), HasSubstr("0 failed, 1 mistrusted"));
}

TEST(LibraryGtest, DomainWithoutCasesFails) {
  const std::string file =
      changed_kernel("no_case", {{"arguments =", "requires = [\"count < 0\"]\narguments ="}});
  EXPECT_THAT(failure_of(file), HasSubstr("no case satisfies count < 0"));
  const std::string folder = own_folder() + "no_kernels";
  std::filesystem::create_directory(folder);
  EXPECT_THAT(failure_of(folder), HasSubstr("could not be checked"));
}

TEST(LibraryGtest, FailureHasTheReplayLine) {
  const testing::AssertionResult result = kernel_passes(kFolder + "scale_no_guard.cu", {20});
  EXPECT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("error[out-of-bounds]"));
  EXPECT_THAT(result.message(), HasSubstr("warpcheck replay --device virtual --in "));
  EXPECT_FALSE(kernel_passes("missing.cu"));
  EXPECT_KERNEL(kFolder + "scale.cu", Options{20});
}

const char* const kAdd = R"cu(/* warpcheck
[[operation]]
name    = "add"
extents = ["count"]
inputs  = { x = { shape = ["count"] }, w = { shape = ["count"] } }
outputs = { y = { shape = ["count"] } }

[[variant]]
name      = "add"
operation = "add"
kernel    = "add"
arguments = ["x", "w", "y", "count"]
block     = [64]
grid      = ["ceil_div(count, 64)"]
*/
__global__ void add(const float* x, const float* w, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] - w[i];
}
)cu";

TEST(LibraryReference, LambdaIsTheReference) {
  const std::string file = own_folder() + "add.cu";
  std::ofstream(file) << kAdd;
  Contract right(file);
  right.set_reference("add", [](const Real* x, const Real* w, Real* y, long count) {
    for (long i = 0; i < count; ++i) y[i] = x[i] - w[i];
  });
  EXPECT_EQ(right.check({20}).verdicts, std::vector<std::string>{"pass"});
  Contract wrong(file);
  wrong.set_reference("add", [](const Real* x, const Real* w, Real* y, long count) {
    for (long i = 0; i < count; ++i) y[i] = x[i] + w[i];
  });
  std::string line;
  const auto listener = [&](const KernelFinding& finding) { line = finding.case_line; };
  EXPECT_EQ(wrong.check({20}, listener).verdicts, std::vector<std::string>{"wrong-result"});
  EXPECT_THAT(line, HasSubstr("add operation=add count=1 data=lattice"));
  EXPECT_EQ(wrong.run_case(line).verdicts, std::vector<std::string>{"wrong-result"});
}

TEST(LibraryReference, WrongReferencesAreErrors) {
  const std::string file = own_folder() + "add.cu";
  std::ofstream(file) << kAdd;
  Contract none(file);
  EXPECT_THROW(none.check({1}), ContractError);
  EXPECT_THROW(none.set_reference("sum", [](const Real*, Real*, long) {}), ContractError);
  Contract throws(file);
  throws.set_reference(
      "add", [](const Real*, const Real*, Real*, long) { throw std::domain_error("stop"); });
  EXPECT_THROW(throws.check({1}), std::domain_error);
  Contract counts(file);
  counts.set_reference("add", [](const Real*, Real*, long) {});
  EXPECT_THROW(counts.check({1}), std::invalid_argument);
  Contract double_contract(file);
  double_contract.set_reference("add", [](const double*, const double*, double*, long) {});
  EXPECT_THROW(double_contract.check({1}), std::invalid_argument);
  Contract defined(kFolder + "scale.cu");
  EXPECT_THROW(defined.set_reference("scale", [](const Real*, Real*, long, Real) {}),
               ContractError);
}

}  // namespace
}  // namespace warpcheck
