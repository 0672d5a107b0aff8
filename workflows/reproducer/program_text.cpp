#include "workflows/reproducer/program_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/text/demangle.hpp"
#include "contract/compile/instantiation.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

using properties::run::Problem;

constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // of the arrays of a program

constexpr std::string_view kBegin = R"cu(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define main main_of_the_kernel_file
#include "{}"
#undef main

namespace reproducer {{

struct Expected {{
  const char* name;
  size_t byte;
  double value, tolerance;
  bool may_be_nan, may_be_infinity, may_be_minus_infinity;
}};

inline void require(cudaError_t error, const char* call) {{
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}}

// The first byte has the distance from a 256-byte boundary that it has in the case.
inline unsigned char* allocate(size_t bytes, size_t shift) {{
  void* memory = nullptr;
  require(cudaMalloc(&memory, std::max<size_t>(bytes + shift, 1)), "cudaMalloc");
  return static_cast<unsigned char*>(memory) + shift;
}}

template <class T>
double value_of(const unsigned char* bytes) {{
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(static_cast<float>(value));
}}

template <>
inline double value_of<double>(const unsigned char* bytes) {{
  double value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}}

template <>
inline double value_of<int>(const unsigned char* bytes) {{
  int value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}}

inline bool is_right(const Expected& expected, double got) {{
  if (std::isnan(got)) return expected.may_be_nan;
  if (std::isinf(got)) return got > 0 ? expected.may_be_infinity : expected.may_be_minus_infinity;
  if (std::isinf(expected.tolerance)) return true;
  return got == expected.value || std::abs(got - expected.value) <= expected.tolerance;
}}

inline double badness(const Expected& expected, double got) {{
  const double error = std::abs(got - expected.value);
  return std::isnan(error) ? INFINITY : error / std::max(expected.tolerance, 1e-300);
}}

// Prints the worst elements. Returns the number of wrong ones.
template <class T>
size_t compare(const std::vector<unsigned char>& bytes, const Expected* all, size_t count) {{
  std::vector<std::pair<double, const Expected*>> wrong;
  for (size_t i = 0; i < count; ++i) {{
    const Expected& one = all[i];
    const double got = value_of<T>(&bytes[one.byte]);
    if (!is_right(one, got)) wrong.emplace_back(badness(one, got), &one);
  }}
  std::sort(wrong.begin(), wrong.end(),
            [](const auto& one, const auto& two) {{ return one.first > two.first; }});
  if (!wrong.empty()) {{
    std::printf("%zu of %zu elements are wrong\n%-20s %24s %24s %24s\n", wrong.size(), count,
                "element", "got", "expected", "bound");
  }}
  for (size_t i = 0; i < std::min<size_t>(wrong.size(), 10); ++i) {{
    const Expected& one = *wrong[i].second;
    std::printf("%-20s %24.17g %24.17g %24.17g\n", one.name, value_of<T>(&bytes[one.byte]),
                one.value, one.tolerance);
  }}
  return wrong.size();
}}

)cu";

std::string number_text(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return fmt::format("{:.17g}", value);
}

std::string bytes_text(std::span<const std::byte> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{},", i % 24 == 0 ? "\n    " : "", std::to_integer<int>(bytes[i]));
  }
  return text.empty() ? "\n    0," : text;  // an array has an element
}

std::string_view type_text(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return "__half";
    case ScalarType::bf16:
      return "__nv_bfloat16";
    case ScalarType::f64:
      return "double";
    case ScalarType::e4m3:
      return "__nv_fp8_e4m3";
    case ScalarType::e5m2:
      return "__nv_fp8_e5m2";
    case ScalarType::s8:
      return "signed char";
    case ScalarType::u8:
      return "unsigned char";
    case ScalarType::s32:
      return "int";
    default:
      return "float";  // also of tf32
  }
}

InputError not_exported(const Problem& problem, const std::string& reason) {
  return InputError(Diagnostic{problem.variant->contract.where, "no program: " + reason, {}});
}

std::string address_text(const device::BufferAddress& address) {
  return fmt::format("buffer_{} + {}", address.buffer, address.offset);
}

/// The declaration of an argument with this name.
std::string argument_text(const Problem& problem, const device::Argument& argument,
                          const std::string& name) {
  if (const auto* address = std::get_if<device::BufferAddress>(&argument)) {
    return fmt::format("  void* {} = {};\n", name, address_text(*address));
  }
  if (const auto* scalar = std::get_if<device::Scalar>(&argument)) {
    return fmt::format("  alignas(8) unsigned char {}[] = {{{}}};\n", name,
                       bytes_text(std::span(scalar->bytes).first(scalar->size)));
  }
  const auto* bytes = std::get_if<device::ByteArgument>(&argument);
  if (bytes == nullptr) throw not_exported(problem, "the kernel takes a tensor map");
  std::string text =
      fmt::format("  alignas(16) unsigned char {}[] = {{{}}};\n", name, bytes_text(bytes->bytes));
  for (const device::ByteArgument::Pointer& pointer : bytes->pointers) {
    text +=
        fmt::format("  {{\n    void* address = {};\n    std::memcpy({} + {}, &address, 8);\n  }}\n",
                    address_text(pointer.target), name, pointer.offset);
  }
  return text;
}

/// Selects the kernel among functions with its name, such as norm() of CUDA's headers. Empty for
/// `extern "C"`, and where a type has no name.
std::string pointer_cast(const std::string& entry) {
  const std::string function = demangle(entry);
  const std::string_view name = contract::without_signature(function);
  const auto end = static_cast<std::size_t>(name.data() + name.size() - function.data());
  const std::string signature = function.substr(end);
  if (!signature.starts_with('(') || signature.find("(anonymous") != std::string::npos) return {};
  return "(void (*)" + signature + ")";
}

/// The name of the kernel in C++, of the launch in the contract with this entry.
std::string kernel_of(const Problem& problem, const device::Launch& launch) {
  const contract::Variant& variant = *problem.variant;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const std::string& kernel = variant.contract.launches[i].kernel;
    if (variant.entries[i].name != launch.entry) continue;
    return pointer_cast(launch.entry) + (kernel.starts_with("::") ? kernel : "::" + kernel);
  }
  throw not_exported(problem, "the contract has no launch of " + launch.entry);
}

std::string launch_text(const Problem& problem, const device::Launch& launch, std::size_t number) {
  if (launch.cluster) throw not_exported(problem, "the launch has clusters");
  std::string text;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    names.push_back(fmt::format("argument_{}_{}", number, i));
    text += argument_text(problem, launch.arguments[i], names.back());
  }
  std::vector<std::string> addresses;
  for (const std::string& name : names) addresses.push_back("&" + name);
  text += fmt::format("  void* arguments_{}[] = {{{}}};\n", number, fmt::join(addresses, ", "));
  const std::string kernel = fmt::format("(const void*){}", kernel_of(problem, launch));
  if (launch.shared_bytes > 0) {
    text += fmt::format(
        "  require(cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}),\n"
        "          \"cudaFuncSetAttribute\");\n",
        kernel, launch.shared_bytes);
  }
  return text + fmt::format(
                    "  require(cudaLaunchKernel({}, dim3({}, {}, {}), dim3({}, {}, {}),\n"
                    "                           arguments_{}, {}, 0), \"cudaLaunchKernel\");\n"
                    "  require(cudaDeviceSynchronize(), \"cudaDeviceSynchronize\");\n",
                    kernel, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                    launch.block.y, launch.block.z, number, launch.shared_bytes);
}

bool is_copied(const device::Buffer& buffer, const ProgramParts& parts) {
  return buffer.initialized || parts.fills_outputs;
}

std::string arrays_text(const Problem& problem, std::span<const ExpectedOutput> outputs,
                        const ProgramParts& parts) {
  std::string text;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < problem.job.buffers.size(); ++i) {
    const device::Buffer& buffer = problem.job.buffers[i];
    bytes += buffer.bytes.size();
    if (buffer.packed || bytes > kMostBytes) {
      throw not_exported(problem,
                         fmt::format("the case has more than {} bytes: export the smallest "
                                     "case that `check` prints",
                                     kMostBytes));
    }
    if (!is_copied(buffer, parts)) continue;
    text += fmt::format("// {}\nconst unsigned char bytes_{}[] = {{{}\n}};\n", buffer.name, i,
                        bytes_text(buffer.bytes));
  }
  for (const ExpectedOutput& output : outputs) {
    text += fmt::format("const Expected expected_{}[] = {{\n", output.buffer);
    for (const ExpectedElement& one : output.elements) {
      text += fmt::format("    {{\"{}\", {}, {}, {}, {}, {}, {}}},\n", one.name, one.byte,
                          number_text(one.value), number_text(one.tolerance), one.may_be_nan,
                          one.may_be_infinity, one.may_be_minus_infinity);
    }
    text += "};\n";
  }
  return text;
}

std::string run_text(const Problem& problem, std::span<const ExpectedOutput> outputs,
                     const ProgramParts& parts) {
  std::string text = "inline int run() {\n";
  for (std::size_t i = 0; i < problem.job.buffers.size(); ++i) {
    const device::Buffer& buffer = problem.job.buffers[i];
    text += fmt::format("  unsigned char* const buffer_{} = allocate({}, {});  // {}\n", i,
                        buffer.extent.bytes(), buffer.shift_bytes, buffer.name);
    if (buffer.extent.bytes() == 0 || !is_copied(buffer, parts)) continue;
    text += fmt::format(
        "  require(cudaMemcpy(buffer_{0}, bytes_{0}, {1}, cudaMemcpyHostToDevice), "
        "\"cudaMemcpy\");\n",
        i, buffer.extent.bytes());
  }
  for (std::size_t i = 0; i < problem.job.launches.size(); ++i) {
    text += launch_text(problem, problem.job.launches[i], i);
  }
  text += "  size_t wrong = 0;\n  std::vector<unsigned char> bytes;\n";
  for (const ExpectedOutput& output : outputs) {
    const std::size_t size = problem.job.buffers[output.buffer].extent.bytes();
    if (size == 0) continue;
    text += fmt::format(
        "  bytes.resize({0});\n"
        "  require(cudaMemcpy(bytes.data(), buffer_{1}, {0}, cudaMemcpyDeviceToHost), "
        "\"cudaMemcpy\");\n"
        "  wrong += compare<{2}>(bytes, expected_{1}, {3});\n",
        size, output.buffer, type_text(output.type), output.elements.size());
  }
  return text +
         "  std::puts(wrong == 0 ? \"all elements are right\" : \"the result is wrong\");\n"
         "  return wrong == 0 ? 0 : 1;\n}\n\n}  // namespace reproducer\n\n"
         "int main() { return reproducer::run(); }\n";
}

}  // namespace

std::string program_text(const Problem& problem, std::span<const ExpectedOutput> outputs,
                         const ProgramParts& parts) {
  return fmt::format("// Runs one case without warpcheck: {}\n// {}\n", parts.line, parts.compile) +
         fmt::format(fmt::runtime(kBegin), parts.source) + arrays_text(problem, outputs, parts) +
         "\n" + run_text(problem, outputs, parts);
}

}  // namespace warpcheck::workflows::reproducer
