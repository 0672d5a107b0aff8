#include "contract/source/device_code.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"

namespace warpcheck::contract {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

constexpr std::string_view kSource = R"cu(#include <torch/extension.h>
#define TILE 16
constexpr int kTile = TILE;
struct Shape { int m; };
namespace ns {
__device__ float twice(float x) { return 2 * x; }
void host(torch::Tensor t) { t.zero_(); }
}
template <typename T>
__global__ void kernel(T* a) { a[0] = ns::twice(a[0]); }
torch::Tensor declared(torch::Tensor t);
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("host", &ns::host); }
)cu";

TEST(DeviceCode, KeepsDeviceCodeTypesAndConstants) {
  const DeviceCode code("/none/file.cu", std::string(kSource));
  EXPECT_THAT(code.text(),
              AllOf(HasSubstr("#define TILE 16"), HasSubstr("constexpr int kTile"),
                    HasSubstr("struct Shape"), HasSubstr("float twice"), HasSubstr("void kernel"),
                    Not(HasSubstr("zero_")), Not(HasSubstr("declared")), Not(HasSubstr("PYBIND"))));
}

TEST(DeviceCode, KeepsTheLinesOfTheFile) {
  const std::string text = DeviceCode("/none/file.cu", std::string(kSource)).text();
  const std::size_t begin = text.find("#line 1 \"/none/file.cu\"\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string rest = text.substr(text.find('\n', begin) + 1);
  const auto line = std::count(
      rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(rest.find("void kernel")), '\n');
  EXPECT_EQ(line + 1, 10);
}

TEST(DeviceCode, LeavesOutMissingHeaders) {
  DeviceCode code("/none/file.cu", std::string(kSource));
  const std::string error =
      "file.cu:1:10: fatal error: torch/extension.h: No such file or directory\n";
  EXPECT_THAT(missing_header(error), Optional(std::string("torch/extension.h")));
  EXPECT_TRUE(code.avoid(error));
  EXPECT_THAT(code.text(), Not(HasSubstr("torch/extension.h")));
  EXPECT_FALSE(code.avoid(error));  // nothing else can be left out
}

TEST(DeviceCode, LeavesOutRejectedTypesButNoKernel) {
  DeviceCode code("/none/file.cu",
                  "struct Holder { torch::Tensor t; };\n__global__ void f(float*) {}\n");
  EXPECT_TRUE(code.avoid("/none/file.cu(1): error: name followed by \"::\"\n"));
  EXPECT_THAT(code.text(), Not(HasSubstr("Holder")));
  EXPECT_FALSE(code.avoid("/none/file.cu(2): error: something\n"));
}

TEST(DeviceCode, ReadsHeadersOfTheUserOnce) {
  const TemporaryFolder folder;
  write_file(folder.path() / "tile.cuh",
             "#pragma once\n#include <ATen/ATen.h>\n__device__ int t() { return 1; }\n");
  const std::string text =
      "#include \"tile.cuh\"\n#include \"tile.cuh\"\n__global__ void f() { t(); }\n";
  DeviceCode code(folder.path() / "file.cu", text);
  EXPECT_TRUE(code.avoid("x: fatal error: ATen/ATen.h: No such file or directory"));
  const std::string result = code.text();
  EXPECT_EQ(result.find("int t()"), result.rfind("int t()"));
  EXPECT_THAT(result, Not(HasSubstr("ATen")));
}

}  // namespace
}  // namespace warpcheck::contract
