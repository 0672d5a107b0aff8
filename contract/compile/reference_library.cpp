#include "contract/compile/reference_library.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "contract/compile/instantiation.hpp"
#include "contract/reference/header_text.hpp"
#include "contract/reference/host_process.hpp"

namespace warpcheck::contract {
namespace {

using operation::Operation;
using operation::Tensor;

struct Parameter {
  std::string type;
  std::string name;
};

/// The parameters of the function: inputs, outputs, extents, scalars.
std::vector<Parameter> parameters_of(const TypedOperation& typed) {
  const Operation& operation = typed.operation;
  const std::string number = typed.terms ? "double" : "Real";
  std::vector<Parameter> parameters;
  for (const Tensor& input : operation.inputs) {
    const std::string element = input.integer ? "long" : number;
    parameters.push_back({fmt::format("const {}*", element), input.name});
  }
  for (const Tensor& output : operation.outputs) {
    parameters.push_back({fmt::format("{}*", number), output.name});
  }
  for (const std::string& extent : operation.extents) parameters.push_back({"long", extent});
  for (const std::string& scalar : operation.scalars) parameters.push_back({number, scalar});
  return parameters;
}

std::string signature_of(const TypedOperation& typed) {
  std::string text;
  for (const auto& [type, name] : parameters_of(typed)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", type, name);
  }
  return fmt::format("{}void {}({})", typed.terms ? "" : "template <class Real> ",
                     typed.operation.reference, text);
}

std::string calling_text(const KernelSource& source, const TypedOperation& typed) {
  std::string parameters;
  std::string names;
  for (const Parameter& parameter : parameters_of(typed)) {
    const std::string separator = names.empty() ? "" : ", ";
    parameters += fmt::format("{}{} warpcheck_{}", separator, parameter.type, parameter.name);
    names += fmt::format("{}warpcheck_{}", separator, parameter.name);
  }
  return fmt::format(
      "#include {}\n#include <warpcheck/reference.hpp>\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) void warpcheck_call_reference(const "
      "warpcheck_reference_call* call) {{\n"
      "  using warpcheck::Real;\n"
      "  const auto function = []({}) {{ {}({}); }};\n"
      "  warpcheck::detail::Signature<decltype(function)>::call(function, *call);\n}}\n",
      quoted_include(source.file), parameters, typed.operation.reference, names);
}

/// The first error of nvcc in the text itself, which the source and the parameters cause; empty:
/// there is none.
std::string error_of_call(const Compilation& compilation) {
  const std::string place = compilation.text_file.string() + "(";
  for (std::size_t at = compilation.output.find(place); at != std::string::npos;
       at = compilation.output.find(place, at + 1)) {
    const std::string line = compilation.output.substr(at, compilation.output.find('\n', at) - at);
    const std::size_t message = line.find(": error: ");
    if (message != std::string::npos) return line.substr(message + 9);
  }
  return {};
}

}  // namespace

std::string reference_include_flag(const CompileCache& cache) {
  std::string folder;
  for (const ReferenceHeader& header : kReferenceHeaders) {
    folder = cache.stored_header(header.name, header.text).string();
  }
  return "-I" + folder;
}

std::shared_ptr<operation::HostFunction> compile_reference(const KernelSource& source,
                                                           const Contract& contract,
                                                           const CompileCache& cache) {
  const TypedOperation& typed = *contract.tensors;
  const Operation& operation = typed.operation;
  std::vector<std::string> options = nvcc_arguments(contract);
  options.push_back(reference_include_flag(cache));
  const Compilation compilation = cache.compile(calling_text(source, typed), contract.architecture,
                                                options, {}, Product::library);
  Diagnostic place = source.with_excerpt({operation.where, {}, {}});
  if (!compilation.succeeded) {
    const std::string error = error_of_call(compilation);
    if (error.empty()) {
      throw InputError(Diagnostic{{source.file, 0, 0}, compilation.output, {}, true});
    }
    place.message = fmt::format("'{}' is no reference of operation '{}': expected {}: nvcc: {}",
                                operation.reference, operation.name, signature_of(typed), error);
    throw InputError(std::move(place));
  }
  return function_in(compilation.ptx_file,
                     {operation.reference, operation.extents, std::move(place)});
}

}  // namespace warpcheck::contract
