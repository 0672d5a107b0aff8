#include "workflows/reproducer/program_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"
#include "base/text/demangle.hpp"
#include "contract/compile/instantiation.hpp"
#include "workflows/reproducer/program_begin.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

using campaign::run::Problem;

constexpr std::size_t kMostBytes = std::size_t{64} << 10;  // most bytes of an operand in the source
constexpr std::size_t kMostElements = 1024;  // most elements of an output in the source

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
    case ScalarType::s64:
      return "long long";
    default:
      return "float";  // tf32 is stored as a float
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

std::string dim3_text(const Dim3& extent) {
  return fmt::format("dim3({}, {}, {})", extent.x, extent.y, extent.z);
}

/// The call that starts a launch.
std::string start_text(const device::Launch& launch, const std::string& kernel,
                       std::size_t number) {
  const std::string extents = dim3_text(launch.grid) + ", " + dim3_text(launch.block);
  if (!launch.cluster) {
    return fmt::format(
        "  require(cudaLaunchKernel({}, {},\n"
        "                           arguments_{}, {}, 0), \"cudaLaunchKernel\");\n",
        kernel, extents, number, launch.shared_bytes);
  }
  return fmt::format(
      "  require(cudaFuncSetAttribute({0}, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),\n"
      "          \"cudaFuncSetAttribute\");\n"
      "  cudaLaunchAttribute cluster_{1}{{}};\n"
      "  cluster_{1}.id = cudaLaunchAttributeClusterDimension;\n"
      "  cluster_{1}.val.clusterDim.x = {2};\n"
      "  cluster_{1}.val.clusterDim.y = {3};\n"
      "  cluster_{1}.val.clusterDim.z = {4};\n"
      "  const cudaLaunchConfig_t config_{1}{{{5}, {6}, 0, &cluster_{1}, 1}};\n"
      "  require(cudaLaunchKernelExC(&config_{1}, {0}, arguments_{1}), \"cudaLaunchKernelExC\");\n",
      kernel, number, launch.cluster->x, launch.cluster->y, launch.cluster->z, extents,
      launch.shared_bytes);
}

std::string launch_text(const Problem& problem, const device::Launch& launch, std::size_t number) {
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
  return text + start_text(launch, kernel, number) +
         "  require(cudaDeviceSynchronize(), \"cudaDeviceSynchronize\");\n";
}

/// The bytes of a number, little endian.
template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The content of a file that expected_in() of the program reads.
std::string file_of(const ExpectedOutput& output) {
  std::string content;
  for (const ExpectedElement& one : output.elements) {
    append(content, std::uint64_t{one.byte});
    append(content, one.value);
    append(content, one.tolerance);
    append(content, (one.may_be_nan ? 1 : 0) | (one.may_be_infinity ? 2 : 0) |
                        (one.may_be_minus_infinity ? std::uint64_t{4} : 0));
  }
  for (const ExpectedElement& one : output.elements) content += one.name + '\0';
  return content;
}

std::string array_of(const ExpectedOutput& output) {
  std::string text = fmt::format("const Expected expected_{}[] = {{\n", output.buffer);
  for (const ExpectedElement& one : output.elements) {
    text += fmt::format("    {{\"{}\", {}, {}, {}, {}, {}, {}}},\n", one.name, one.byte,
                        number_text(one.value), number_text(one.tolerance), one.may_be_nan,
                        one.may_be_infinity, one.may_be_minus_infinity);
  }
  return text + "};\n";
}

/// True if all bytes are the same.
bool is_filled(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [&](std::byte one) { return one == bytes.front(); });
}

/// Builds the data and the main function of a program.
class Writer {
 public:
  Writer(const Problem& problem, const ProgramParts& parts) : problem_(problem), parts_(parts) {}

  void add_buffer(std::size_t number) {
    const device::Buffer& buffer = problem_.job.buffers[number];
    run_ += fmt::format("  unsigned char* const buffer_{} = allocate({}, {});  // {}\n", number,
                        buffer.extent.bytes(), buffer.shift_bytes, buffer.name);
    const bool is_copied = buffer.initialized || parts_.fills_outputs;
    if (buffer.bytes.empty() || !is_copied) return;
    if (!buffer.packed && is_filled(buffer.bytes)) {
      run_ += fmt::format("  require(cudaMemset(buffer_{}, {}, {}), \"cudaMemset\");\n", number,
                          std::to_integer<int>(buffer.bytes.front()), buffer.bytes.size());
      return;
    }
    if (buffer.bytes.size() > kMostBytes) {
      add_file(fmt::format("bytes_{}", number),
               {reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size()});
    } else {
      arrays_ += fmt::format("// {}\nunsigned char bytes_{}[] = {{{}\n}};\n", buffer.name, number,
                             bytes_text(buffer.bytes));
    }
    run_ += fmt::format("  copy({1}, buffer_{0}, &bytes_{0}[0], cudaMemcpyHostToDevice);\n", number,
                        rows_text(buffer));
  }

  void add_launches() {
    for (std::size_t i = 0; i < problem_.job.launches.size(); ++i) {
      run_ += launch_text(problem_, problem_.job.launches[i], i);
    }
    run_ += "  size_t wrong = 0;\n  std::vector<unsigned char> bytes;\n";
  }

  void add_output(const ExpectedOutput& output) {
    const device::Buffer& buffer = problem_.job.buffers[output.buffer];
    if (output.elements.empty()) return;
    std::string expected = fmt::format("expected_{}", output.buffer);
    if (output.elements.size() > kMostElements) {
      add_file("file_of_" + expected, file_of(output));
      run_ += fmt::format("  const std::vector<Expected> {0} = expected_in(file_of_{0}, {1});\n",
                          expected, output.elements.size());
    } else {
      arrays_ += array_of(output);
    }
    run_ += fmt::format(
        "  bytes.resize({0});\n"
        "  copy({4}, buffer_{1}, bytes.data(), cudaMemcpyDeviceToHost);\n"
        "  wrong += compare<{2}>(bytes, &expected_{1}[0], {3});\n",
        buffer.bytes.size(), output.buffer, type_text(output.type), output.elements.size(),
        rows_text(buffer));
  }

  /// The text after the declarations that all programs share.
  [[nodiscard]] std::string text() const {
    return arrays_ + "\ninline int run() {\n" + run_ +
           "  std::puts(wrong == 0 ? \"all elements are right\" : \"the result is wrong\");\n"
           "  return wrong == 0 ? 0 : 1;\n}\n\n}  // namespace reproducer\n\n"
           "int main(int count, char** words) {\n"
           "  const std::string program = words[0];\n"
           "  reproducer::folder() = count > 1 ? words[1] + std::string(\"/\")\n"
           "                                   : program.substr(0, program.rfind('/') + 1);\n"
           "  return reproducer::run();\n}\n";
  }

  [[nodiscard]] std::map<std::string, std::string> take_files() { return std::move(files_); }

 private:
  static std::string rows_text(const device::Buffer& buffer) {
    if (!buffer.packed) return fmt::format("{{{}, {{}}}}", buffer.bytes.size());
    std::vector<std::string> levels;
    for (const device::Extent::Level& level : buffer.extent.levels) {
      levels.push_back(fmt::format("{{{}, {}}}", level.count, level.bytes));
    }
    return fmt::format("{{{}, {{{}}}}}", buffer.extent.row_bytes, fmt::join(levels, ", "));
  }

  /// A file with this content, which the program reads to a vector of this name.
  void add_file(const std::string& name, std::string content) {
    run_ += fmt::format("  std::vector<unsigned char> {0} = read(\"{0}.bin\", {1});\n", name,
                        content.size());
    files_[name + ".bin"] = std::move(content);
  }

  const Problem& problem_;
  const ProgramParts& parts_;
  std::string arrays_;
  std::string run_;
  std::map<std::string, std::string> files_;
};

}  // namespace

Program program_of(const Problem& problem, std::span<const ExpectedOutput> outputs,
                   const ProgramParts& parts) {
  Writer writer(problem, parts);
  for (std::size_t i = 0; i < problem.job.buffers.size(); ++i) writer.add_buffer(i);
  writer.add_launches();
  for (const ExpectedOutput& output : outputs) writer.add_output(output);
  return {
      fmt::format("// Runs one case without warpcheck: {}\n// {}\n", parts.line, parts.compile) +
          fmt::format(fmt::runtime(kProgramBegin), parts.source) + writer.text(),
      writer.take_files()};
}

}  // namespace warpcheck::workflows::reproducer
