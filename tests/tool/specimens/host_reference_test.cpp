// Contracts whose reference is a function in C++.
#include <gmock/gmock.h>

#include <string>

#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSoftmax = R"cu(/* warpcheck
[[operation]]
name      = "softmax"
extents   = ["rows", "columns"]
inputs    = { x = { shape = ["rows", "columns"] } }
outputs   = { y = { shape = ["rows", "columns"] } }
scalars   = ["scale"]
reference = "softmax_reference"

[[variant]]
name      = "softmax_rows"
operation = "softmax"
kernel    = "softmax"
arguments = ["x", "stride_x", "y", "stride_y", "scale", "rows", "columns"]
block     = [64]
grid      = ["ceil_div(rows, 64)"]
*/
#include <math.h>

template <class Real>
void softmax_reference(const Real* x, Real* y, long rows, long columns, Real scale) {
  for (long i = 0; i < rows; ++i, x += columns, y += columns) {
    Real peak = -INFINITY;
    for (long j = 0; j < columns; ++j) peak = max(peak, scale * x[j]);
    Real total = 0;
    for (long j = 0; j < columns; ++j) total += exp(scale * x[j] - peak);
    for (long j = 0; j < columns; ++j) y[j] = exp(scale * x[j] - peak) / total;
  }
}

__global__ void softmax(const float* x, int stride_x, float* y, int stride_y, float scale, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * stride_x;
  float peak = -INFINITY;
  for (int j = 0; j < columns; ++j) peak = fmaxf(peak, scale * from[j]);
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += expf(scale * from[j] - peak);
  for (int j = 0; j < columns; ++j) {
    y[static_cast<size_t>(row) * stride_y + j] = expf(scale * from[j] - peak) / sum;
  }
}
)cu";

/// Without the last term of the sum.
std::string wrong_softmax() {
  return replaced(kSoftmax, "j < columns; ++j) sum +=", "j + 1 < columns; ++j) sum +=");
}

Result check(const Scratch& scratch, const std::string& source) {
  return scratch.run({"check", scratch.write("mine.cu", source), "--device", "virtual"});
}

TEST(HostReference, CorrectKernelPasses) {
  const Scratch scratch;
  const Result result = check(scratch, kSoftmax);
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("1 variant, 100 cases"));
}

TEST(HostReference, WrongKernelIsFoundAndReplayed) {
  const Scratch scratch;
  const Result result = check(scratch, wrong_softmax());
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("error[wrong-result]: y[0, 0] is "));
  const std::string line =
      "softmax_rows operation=softmax rows=1 columns=1 scale=1 data=lattice seed=0";
  EXPECT_THAT(result.out, HasSubstr(line));
  const Result again = scratch.run({"replay", "--in", "mine.cu", "--device", "virtual", line});
  EXPECT_EQ(again.status, 1) << again.error;
  EXPECT_THAT(again.out, HasSubstr("error[wrong-result]: y[0, 0] is "));
}

// The message is that of the same operation in the language.
TEST(HostReference, FindingIsThatOfTheDefinition) {
  const Scratch scratch;
  const std::string defined =
      replaced(wrong_softmax(), "reference = \"softmax_reference\"",
               "define = \"\"\"\n  peak[i] = max(j: scale * x[i,j])\n  total[i] = sum(j: exp(scale "
               "* x[i,j] - peak[i]))\n"
               "  y[i,j] = exp(scale * x[i,j] - peak[i]) / total[i]\n\"\"\"");
  const auto element = [&](const std::string& source) {
    const std::string text = check(scratch, source).out;
    const std::size_t begin = text.find("error[");
    return text.substr(begin, text.find("-->", begin) - begin);
  };
  EXPECT_EQ(element(wrong_softmax()), element(defined));
  EXPECT_THAT(element(defined), HasSubstr("error[wrong-result]: y[0, 0] is "));
}

TEST(HostReference, OtherCommandsTakeIt) {
  const Scratch scratch;
  const std::string right = scratch.write("right.cu", kSoftmax);
  const std::string wrong = scratch.write("wrong.cu", wrong_softmax());
  const Result fuzzed = scratch.run({"fuzz", wrong, "--cases", "60", "--device", "virtual",
                                     "--stop-at-first", "--corpus", "corpus"});
  EXPECT_EQ(fuzzed.status, 1) << fuzzed.out << fuzzed.error;
  const Result mutated = scratch.run({"mutate", right, "--mutants", "3", "--cases", "10"});
  EXPECT_EQ(mutated.status, 0) << mutated.out << mutated.error;
  const Result differs =
      scratch.run({"diff", right, wrong, "--cases", "20", "--device", "virtual"});
  EXPECT_EQ(differs.status, 1) << differs.out << differs.error;
  EXPECT_THAT(differs.out, HasSubstr("smallest   softmax_rows operation=softmax rows=1"));
  const Result reported =
      scratch.run({"check", wrong, "--device", "virtual", "--json", "-", "--junit", "junit.xml"});
  EXPECT_EQ(reported.status, 1) << reported.error;
  EXPECT_THAT(scratch.read("junit.xml"), HasSubstr("wrong-result"));
}

TEST(HostReference, GatePassesAndFails) {
  const Scratch scratch;
  GitRepository repository(scratch);
  repository.write("mine.cu", kSoftmax);
  repository.write("warpcheck.toml",
                   "targets = [\"mine.cu\"]\ndevices = [\"virtual\"]\ncases = 20\n");
  repository.commit("Add softmax");
  const Result passes = scratch.run({"gate", "repo"});
  EXPECT_EQ(passes.status, 0) << passes.out << passes.error;
  repository.write("mine.cu", wrong_softmax());
  const Result fails = scratch.run({"gate", "repo"});
  EXPECT_EQ(fails.status, 1) << fails.out << fails.error;
}

struct Failure {
  const char* name;
  const char* from;
  const char* to;
  const char* error;
};

class FailingReference : public ::testing::TestWithParam<Failure> {};

TEST_P(FailingReference, IsAnErrorOfTheContract) {
  const Scratch scratch;
  const Result result = check(scratch, replaced(kSoftmax, GetParam().from, GetParam().to));
  EXPECT_EQ(result.status, 2) << result.out << result.error;
  const std::string text = result.out + result.error;
  EXPECT_THAT(text, HasSubstr("mine.cu:8:13: error: "));
  EXPECT_THAT(text, HasSubstr(GetParam().error));
  EXPECT_THAT(text, Not(HasSubstr("error[")));
}

INSTANTIATE_TEST_SUITE_P(
    HostReference, FailingReference,
    ::testing::Values(
        Failure{"Crash", "Real total = 0;", "*(volatile int*)8 = 1; Real total = 0;",
                "'softmax_reference' ends with signal 11 (Segmentation fault), for rows="},
        Failure{"ReadOutside", "Real total = 0;", "Real total = x[rows * columns];", "signal 11"},
        Failure{"Exception", "Real total = 0;", "throw 3; Real total = 0;", "throws an exception"},
        Failure{"Exit", "Real total = 0;", "exit(3); Real total = 0;", "calls exit(3)"},
        Failure{"EndlessLoop", "Real total = 0;",
                "while (columns) asm volatile(\"\"); Real total = 0;",
                "does not return within 10 s of processor time"},
        Failure{"ElementWithoutValue", "j < columns; ++j) y[j]", "j + 1 < columns; ++j) y[j]",
                "without a value"},
        Failure{
            "UnknownFunction", "= \"softmax_reference\"", "= \"softmax_refrence\"",
            "'softmax_refrence' is no reference of operation 'softmax': expected template <class "
            "Real> "
            "void softmax_refrence(const Real* x, Real* y, long rows, long columns, Real scale)"},
        Failure{"OtherParameters", "long columns, Real scale)",
                "long columns, Real scale, int more)",
                "expected template <class Real> void softmax_reference(const Real* x, Real* y, "}),
    [](const auto& failure) { return std::string(failure.param.name); });

// A function of double has the declared bound.
TEST(HostReference, FunctionOfDoubleHasDeclaredTerms) {
  const Scratch scratch;
  std::string right = replaced(kSoftmax, "reference = \"softmax_reference\"",
                               "reference = \"softmax_reference\"\nterms = \"columns + 8\"");
  const Result passes = check(scratch, right);
  EXPECT_EQ(passes.status, 0) << passes.out << passes.error;
  const Result fails =
      check(scratch, replaced(right, "j < columns; ++j) sum +=", "j + 1 < columns; ++j) sum +="));
  EXPECT_EQ(fails.status, 1) << fails.out << fails.error;
}

TEST(HostReference, WrongKeysAreErrors) {
  const Scratch scratch;
  const auto error_of = [&](const char* from, const char* to) {
    return check(scratch, replaced(kSoftmax, from, to)).error;
  };
  EXPECT_THAT(
      error_of("reference = \"softmax_reference\"", ""),
      HasSubstr("operation 'softmax' has no reference: expected the key `define` or `reference`"));
  EXPECT_THAT(error_of("reference = \"softmax_reference\"",
                       "reference = \"softmax_reference\"\ndefine = \"y[i,j] = x[i,j]\""),
              HasSubstr("expected no `define`"));
  EXPECT_THAT(error_of("reference = \"softmax_reference\"",
                       "reference = \"softmax_reference\"\nterms = \"depth\""),
              HasSubstr("'depth'"));
  EXPECT_THAT(error_of("{ shape = [\"rows\", \"columns\"] } }\noutputs",
                       "{ shape = [\"rows\", \"columns\"], integer = true } }\noutputs"),
              HasSubstr("input 'x' of integers needs a `range`"));
}

TEST(HostReference, OperationWithoutReferenceIsAContractError) {
  const Scratch scratch;
  scratch.write("right.cu", replaced(kSoftmax, "softmax_rows", "right"));
  scratch.write("none.cu", replaced(kSoftmax, "reference = \"softmax_reference\"\n", ""));
  for (const std::string command : {"check", "fuzz", "profile"}) {
    const Result result = scratch.run({command, "none.cu"});
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_THAT(result.error, HasSubstr("none.cu:2:1: error: operation 'softmax' has no reference"))
        << command;
  }
  const Result both = scratch.run({"check", "none.cu", "right.cu", "--device", "virtual"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.out, HasSubstr("1 variant, "));
}

/// A condition that the rounding of a sum decides, in every case; the kernel is wrong.
constexpr const char* kTwin = R"cu(/* warpcheck
[[operation]]
name      = "twin"
extents   = ["count"]
inputs    = { x = { shape = ["count"] } }
outputs   = { y = { shape = ["count"] } }
reference = "twin"

[[variant]]
name      = "twin_kernel"
operation = "twin"
kernel    = "twin_of"
arguments = ["x", "y", "count"]
block     = [64]
grid      = ["ceil_div(count, 64)"]
*/
#include <math.h>

template <class Real>
void twin(const Real* x, Real* y, long count) {
  for (long i = 0; i < count; ++i) y[i] = exp(x[i]) < exp(x[i]) ? Real(1) : Real(0);
}

__global__ void twin_of(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = 7.0f;
}
)cu";

TEST(HostReference, UncertainBranchIsNoPass) {
  const Scratch scratch;
  const Result branch = check(scratch, kTwin);
  EXPECT_EQ(branch.status, 1) << branch.out << branch.error;
  EXPECT_THAT(branch.out, HasSubstr("mistrusted"));
  const Result selects =
      check(scratch, replaced(kTwin, "exp(x[i]) < exp(x[i]) ? Real(1) : Real(0)",
                              "select(exp(x[i]) < exp(x[i]), Real(1), Real(0))"));
  EXPECT_EQ(selects.status, 1);
  EXPECT_THAT(selects.out, HasSubstr("error[wrong-result]: y[0] is 7"));
}

/// y += x: the memory of y holds its values before the launch.
constexpr const char* kAdd = R"cu(/* warpcheck
[[operation]]
name    = "add"
extents = ["count"]
inputs  = { x = { shape = ["count"] }, before = { shape = ["count"] } }
outputs = { y = { shape = ["count"], updates = "before" } }
define  = "y[i] = before[i] + x[i]"

[[variant]]
name      = "add"
operation = "add"
kernel    = "add"
arguments = ["x", "y", "count"]
block     = [64]
grid      = ["ceil_div(count, 64)"]
*/
__global__ void add(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = y[i] + x[i];
}
)cu";

TEST(OperationInPlace, OutputHoldsTheValuesOfItsInput) {
  const Scratch scratch;
  const Result passes = check(scratch, kAdd);
  EXPECT_EQ(passes.status, 0) << passes.out << passes.error;
  const Result fails = check(scratch, replaced(kAdd, "y[i] + x[i]", "x[i]"));
  EXPECT_EQ(fails.status, 1) << fails.error;
  EXPECT_THAT(fails.out, HasSubstr("error[wrong-result]: y[0] is "));
  const Result unknown = check(scratch, replaced(kAdd, "updates = \"before\"", "updates = \"z\""));
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.error,
              HasSubstr("output 'y' updates 'z': expected an input of the same shape"));
}

}  // namespace
}  // namespace warpcheck::tool
