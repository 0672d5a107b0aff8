// cuBLAS and cuBLASLt: results against plain loops, and findings of wrong calls.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

class ExecBlas : public Exec {
 protected:
  void compile_with_blas(const std::string& program) {
    compile("blas/" + program, WARPCHECK_CUBLAS_OPTIONS " -cudart shared -lcublas -lcublasLt");
  }
};

TEST_F(ExecBlas, FunctionsComputeWhatPlainLoopsCompute) {
  for (const char* const program : {"products", "structured", "lt"}) {
    compile_with_blas(program);
    const Result result = scratch.run({"exec", "./program"});
    EXPECT_EQ(result.status, 0) << result.out << result.error;
    EXPECT_EQ(result.out, "0 failures\n");
    EXPECT_THAT(result.error, HasSubstr(": 0 findings\n"));
  }
}

struct Family {
  const char* name;  // the name in programs/blas/defects.cu
  const char* function;
  bool has_leading = true;  // the first operand is a matrix
};

constexpr std::array kFamilies = {
    Family{"gemm", "cublasSgemm"},
    Family{"gemm-ex", "cublasGemmEx"},
    Family{"gemm-strided", "cublasSgemmStridedBatched"},
    Family{"gemm-batched", "cublasSgemmBatched"},
    Family{"gemv", "cublasSgemv"},
    Family{"ger", "cublasSger"},
    Family{"symm", "cublasSsymm"},
    Family{"syrk", "cublasSsyrk"},
    Family{"trmm", "cublasStrmm"},
    Family{"trsm", "cublasStrsm"},
    Family{"geam", "cublasSgeam"},
    Family{"dgmm", "cublasSdgmm"},
    Family{"axpy", "cublasSaxpy", false},
    Family{"scal", "cublasSscal", false},
    Family{"copy", "cublasScopy", false},
    Family{"dot", "cublasSdot", false},
    Family{"nrm2", "cublasSnrm2", false},
    Family{"get", "cublasGetVector", false},
    Family{"lt", "cublasLtMatmul"},
    Family{"lt-transform", "cublasLtMatrixTransform"},
};

TEST_F(ExecBlas, EachFamilyHasTheFindingsOfItsDefects) {
  compile_with_blas("defects");
  for (const Family& family : kFamilies) {
    SCOPED_TRACE(family.name);
    const std::string name = family.name;
    const Result right = scratch.run({"exec", "./program", name, "none"});
    EXPECT_EQ(right.status, 0) << right.error;
    EXPECT_EQ(right.out, "CUBLAS_STATUS_SUCCESS\n");
    const auto expect_finding = [&](const std::string& defect, const std::string& finding) {
      const Result wrong = scratch.run({"exec", "./program", name, defect});
      EXPECT_EQ(wrong.status, 1) << wrong.error;
      EXPECT_THAT(in_one_line(wrong.error), HasSubstr("error[" + finding));
      EXPECT_THAT(wrong.error, testing::ContainsRegex("--> .*defects.cu:"));
    };
    const std::string function = family.function;
    if (family.has_leading) {
      const std::string leading = name.starts_with("lt") ? ": the leading dimension of A is 7"
                                                         : ": lda is 7, expected 8 or more";
      expect_finding("leading", "api-misuse]: " + function + leading);
    }
    expect_finding("short", "out-of-bounds]: " + function + " reads ");
    expect_finding("unordered", "race]: " + function + " in ");
    // A copy of undefined bytes is no finding.
    if (name != "get") expect_finding("undefined", "uninitialized-read]: " + function + " reads ");
  }
}

struct BlasMisuse {
  const char* name;  // the name in programs/blas/misuse.cu
  const char* status;
  const char* finding;
};

constexpr std::array kBlasMisuses = {
    BlasMisuse{"negative", "INVALID_VALUE",
               "api-misuse]: cublasSgemm: m is -1, expected 0 or more"},
    BlasMisuse{"ldc", "INVALID_VALUE", "api-misuse]: cublasSgemm: ldc is 3, expected 4 or more"},
    BlasMisuse{"alpha", "INVALID_VALUE", "api-misuse]: cublasSgemm: alpha is a null pointer"},
    BlasMisuse{"device-alpha", "INVALID_VALUE",
               "api-misuse]: cublasSgemm: alpha is in allocation 1, memory of the device, but the "
               "pointer mode is CUBLAS_POINTER_MODE_HOST"},
    BlasMisuse{"host-alpha", "SUCCESS",
               "api-misuse]: cublasSgemm reads 4 bytes, alpha, at a pointer that is not to memory "
               "of the device"},
    BlasMisuse{"operation", "INVALID_VALUE", "api-misuse]: cublasSgemv: trans is 7"},
    BlasMisuse{"increment", "INVALID_VALUE", "api-misuse]: cublasSgemv: incx is 0"},
    BlasMisuse{
        "host-operand", "SUCCESS",
        "api-misuse]: cublasSgemm reads 16 bytes from element (0, 0) of A, at a pointer that "
        "is not to memory"},
    BlasMisuse{"null-operand", "SUCCESS", "api-misuse]: cublasSgemm: A is a null pointer"},
    BlasMisuse{
        "freed", "SUCCESS",
        "use-after-free]: cublasSgemm reads 16 bytes from element (0, 0) of A, of allocation "
        "1, which had 64 bytes and was freed"},
    BlasMisuse{"misaligned", "SUCCESS", "misaligned]: cublasSscal reads x at address"},
    BlasMisuse{"types", "NOT_SUPPORTED",
               "api-misuse]: cublasGemmEx: the manual lists no product with compute type 68, scale "
               "type CUDA_R_32F, and the types CUDA_R_64F"},
    BlasMisuse{"destroyed", "NOT_INITIALIZED",
               "api-misuse]: cublasSgemm: the handle does not exist or was destroyed"},
    BlasMisuse{"stream", "INVALID_VALUE",
               "api-misuse]: cublasSetStream: the stream does not exist"},
    BlasMisuse{"device-result", "INVALID_VALUE",
               "api-misuse]: cublasSdot: the result is in allocation 3, memory of the device"},
    BlasMisuse{"set-matrix", "INVALID_VALUE", "api-misuse]: cublasSetMatrix: a size is negative"},
    BlasMisuse{"lt-shapes", "INVALID_VALUE",
               "api-misuse]: cublasLtMatmul: op(A) is 4 x 4, op(B) is 3 x 4"},
    BlasMisuse{"lt-bias", "INVALID_VALUE",
               "api-misuse]: cublasLtMatmul: the epilogue needs CUBLASLT_MATMUL_DESC_BIAS_POINTER"},
    BlasMisuse{"lt-scale", "INVALID_VALUE",
               "api-misuse]: cublasLtMatmul: the descriptor has a scale of A, whose elements are "
               "CUDA_R_32F"},
    BlasMisuse{"lt-epilogue", "INVALID_VALUE",
               "api-misuse]: cublasLtMatmul: there is no epilogue 3"},
};

TEST_F(ExecBlas, WrongCallsAreFindingsAndReturnTheStatusOfCublas) {
  compile_with_blas("misuse");
  for (const BlasMisuse& misuse : kBlasMisuses) {
    SCOPED_TRACE(misuse.name);
    const Result result = scratch.run({"exec", "./program", misuse.name});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, fmt::format("{}: CUBLAS_STATUS_{}\n", misuse.name, misuse.status));
    EXPECT_THAT(in_one_line(result.error), HasSubstr(std::string("error[") + misuse.finding));
    EXPECT_THAT(result.error, testing::ContainsRegex("called by .*misuse.cu"));
  }
}

TEST_F(ExecBlas, WhatIsNotImplementedIsUnsupportedByItsName) {
  compile_with_blas("misuse");
  const Result result = scratch.run({"exec", "./program", "unsupported"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "unsupported: CUBLAS_STATUS_NOT_SUPPORTED\n");
  EXPECT_THAT(result.error, HasSubstr("unsupported: cublasStrttp"));
  EXPECT_THAT(result.error, HasSubstr("cublasStrttp: 3 calls"));
  const Result order = scratch.run({"exec", "./program", "lt-order"});
  EXPECT_EQ(order.status, 3);
  EXPECT_THAT(order.error, HasSubstr("unsupported: cublasLtMatmul: an order other than"));
}

}  // namespace
}  // namespace warpcheck::tool
