#include "campaign/run/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/errors.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/element.hpp"
#include "campaign/run/tensor_maps.hpp"
#include "contract/parameters/parameter_format.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::run {
namespace {

using contract::ArgumentWord;

using contract::ParameterFormat;
using Kind = ParameterFormat::Kind;

device::Scalar scalar(ScalarType type, double value) {
  device::Scalar result;
  result.size = size_of(type);
  encode(value, type, result.bytes.data());
  return result;
}

/// The bytes of an integer, which is within the limits of the parameter.
device::Scalar integer_bytes(long double value, std::size_t bytes) {
  device::Scalar result;
  result.size = bytes;
  const std::uint64_t bits = value < 0.0L
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                 : static_cast<std::uint64_t>(value);
  std::memcpy(result.bytes.data(), &bits, bytes);
  return result;
}

/// Returns the format of a 16-bit scalar: bf16 if the kernel has operands of it.
ScalarType half_format(const contract::Contract& contract) {
  const std::vector<OperandShape> operands = case_schema(contract).operands;
  const bool has_bf16 = std::any_of(operands.begin(), operands.end(), [](const auto& operand) {
    return operand.type == ScalarType::bf16;
  });
  return has_bf16 ? ScalarType::bf16 : ScalarType::f16;
}

/// Returns the format of alpha, beta or another scalar: that of the parameter, or without one the
/// usual one of its size.
ScalarType scalar_format(const contract::Contract& contract, const ParameterFormat& format) {
  if (format.kind == Kind::floating) return format.type;
  if (format.bytes == 8) return ScalarType::f64;
  return format.bytes == 2 ? half_format(contract) : ScalarType::f32;
}

/// A scalar as a parameter receives it, and its value there.
struct Received {
  device::Scalar bytes;
  double value = 0.0;
};

/// PTX may declare a float of two bytes as an integer.
bool is_half(const contract::Contract& contract, const ParameterFormat& format) {
  return format.bytes == 2 && !reference::format(contract.accumulate).integer;
}

Received received(const contract::Contract& contract, const ParameterFormat& format, double value) {
  if (format.kind == Kind::integer && !is_half(contract, format)) {
    const long double whole =
        std::clamp<long double>(std::nearbyint(value), format.lowest, format.highest);
    return {integer_bytes(whole, format.bytes), static_cast<double>(whole)};
  }
  const ScalarType type = scalar_format(contract, format);
  const device::Scalar bytes = scalar(type, value);
  return {bytes, decode(type, bytes.bytes.data())};
}

/// Makes the arguments of one launch.
class ArgumentMaker {
 public:
  explicit ArgumentMaker(const Problem& problem) : problem_(problem) {}

  std::vector<device::Argument> all(const contract::LaunchStep& step,
                                    const contract::Entry& entry) const {
    const std::vector<ParameterFormat> formats = contract::parameter_formats(entry);
    std::vector<device::Argument> arguments;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      arguments.push_back(make(step.arguments[i], formats.at(i)));
    }
    return arguments;
  }

 private:
  device::Argument make(const contract::Argument& argument, const ParameterFormat& format) const {
    switch (argument.word) {
      case ArgumentWord::a:
      case ArgumentWord::b:
      case ArgumentWord::c:
      case ArgumentWord::d:
      case ArgumentWord::bias:
        return operand(operand_name(argument.word));
      case ArgumentWord::workspace:
        return workspace(argument.text);
      case ArgumentWord::alpha:
        return received(problem_.variant->contract, format, problem_.alpha).bytes;
      case ArgumentWord::beta:
        return received(problem_.variant->contract, format, problem_.beta).bytes;
      case ArgumentWord::tensor:
        return operand(argument.text);
      case ArgumentWord::scalar:
        return received(problem_.variant->contract, format,
                        problem_.scalars.find(argument.text)->second)
            .bytes;
      case ArgumentWord::tensor_map:
        return tensor_map(problem_.variant->contract.tensor_map(argument));
      case ArgumentWord::literal:
        return literal(argument, format);
      case ArgumentWord::expression:
        return whole(evaluated(problem_, argument.value, "the argument"), format, argument.text,
                     "");
      case ArgumentWord::ta:
      case ArgumentWord::tb:
        return transpose(problem_.line.number(contract::name(argument.word)) != 0.0, format);
      default:
        return size(argument, format);
    }
  }

  device::Argument operand(std::string_view name) const {
    const std::vector<Placement>& operands = problem_.layouts.operands;
    const auto found = std::find_if(problem_.roles.begin(), problem_.roles.end(), [&](auto& role) {
      return role.operand && operands[*role.operand].name == name;
    });
    return device::BufferAddress{static_cast<std::size_t>(found - problem_.roles.begin()), 0};
  }

  device::Argument workspace(std::string_view name) const {
    const auto& buffers = problem_.job.buffers;
    const auto found = std::find_if(buffers.begin(), buffers.end(),
                                    [&](const auto& buffer) { return buffer.name == name; });
    return device::BufferAddress{static_cast<std::size_t>(found - buffers.begin()), 0};
  }

  device::Argument tensor_map(const contract::TensorMapArgument& described) const {
    const contract::Bindings names = bindings(problem_.variant->contract, problem_.line);
    std::vector<std::uint32_t> box;
    for (const contract::Expression& extent : described.box) {
      box.push_back(static_cast<std::uint32_t>(extent.evaluate(names).value_or(0)));
    }
    return device::TensorMapArgument{
        tensor_map_of(problem_, described, box),
        std::get<device::BufferAddress>(operand(operand_name(described.of)))};
  }

  /// Returns the letter of the BLAS for a parameter of one byte.
  device::Scalar transpose(bool transposed, const ParameterFormat& format) const {
    if (format.bytes == 1 && format.highest > 1.0L) {
      return whole(transposed ? 'T' : 'N', format, "the transposition", "");
    }
    return whole(transposed ? 1 : 0, format, "the transposition", "");
  }

  device::Scalar size(const contract::Argument& argument, const ParameterFormat& format) const {
    const std::string_view word = contract::name(argument.word);
    const contract::Bindings names = bindings(problem_.variant->contract, problem_.line);
    return whole(names.value(word).value_or(0), format, word,
                 word == "ldd"        ? "ldc"
                 : word == "stride_d" ? "stride_c"
                                      : word);
  }

  /// The contract was accepted only if the literal fits its parameter.
  device::Scalar literal(const contract::Argument& argument, const ParameterFormat& format) const {
    const long double value = contract::literal_value(argument.text);
    if (format.kind == Kind::floating) return scalar(format.type, static_cast<double>(value));
    return integer_bytes(value, format.bytes);
  }

  /// A whole number in the format of the parameter, a float included.
  device::Scalar whole(std::int64_t value, const ParameterFormat& format, std::string_view what,
                       std::string_view field) const {
    if (format.kind == Kind::floating) return scalar(format.type, static_cast<double>(value));
    const auto wide = static_cast<long double>(value);
    if (format.kind == Kind::integer && (wide < format.lowest || wide > format.highest)) {
      throw case_error(problem_.line, field,
                       fmt::format("{}={} does not fit the kernel's {}-byte parameter", what, value,
                                   format.bytes));
    }
    return integer_bytes(wide, format.bytes);
  }

  const Problem& problem_;
};

/// Returns the extent of a grid or block. Values that no launch can have stay invalid, so that the
/// device reports them.
unsigned extent(std::int64_t value) {
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(value, 0, std::numeric_limits<unsigned>::max()));
}

device::Launch launch(const Problem& problem, const contract::LaunchStep& step,
                      const contract::Entry& entry) {
  const auto dim3 = [&](const std::array<contract::Expression, 3>& axes, std::string_view what) {
    const auto axis = [&](std::size_t i) { return extent(evaluated(problem, axes[i], what)); };
    return Dim3{axis(0), axis(1), axis(2)};
  };
  device::Launch result;
  result.entry = entry.name;
  result.grid = dim3(step.grid, "the grid expression");
  result.block = dim3(step.block, "the block expression");
  const std::int64_t shared = evaluated(problem, step.shared, "the shared memory expression");
  result.shared_bytes = static_cast<std::size_t>(std::max<std::int64_t>(shared, 0));
  if (step.cluster) result.cluster = dim3(*step.cluster, "the cluster expression");
  result.arguments = ArgumentMaker(problem).all(step, entry);
  return result;
}

bool is_empty(const Dim3& extents) { return extents.x == 0 || extents.y == 0 || extents.z == 0; }

/// True for a launch without threads of a case without an element of an output: the host skips it.
bool computes_nothing(const Problem& problem, const device::Launch& launch) {
  return (is_empty(launch.grid) || is_empty(launch.block)) &&
         has_no_output(problem.variant->contract, problem.line);
}

}  // namespace

std::int64_t evaluated(const Problem& problem, const contract::Expression& expression,
                       std::string_view what) {
  const contract::Contract& contract = problem.variant->contract;
  const contract::Bindings values = bindings(contract, problem.line);
  if (const auto value = expression.evaluate(values)) return *value;
  const auto undefined = expression.undefined_part(values);
  throw InputError(
      Diagnostic{undefined                      ? undefined->where
                 : expression.where().line != 0 ? expression.where()
                                                : contract.where,
                 fmt::format("{} '{}' {} for the case {}", what, expression.text(),
                             undefined ? undefined->reason : "has no value", to_line(problem.line)),
                 {}});
}

double received_factor(const Problem& problem, ArgumentWord word, double value) {
  const std::string_view field = contract::name(word);
  if (!std::isfinite(value)) {
    throw case_error(problem.line, field,
                     fmt::format("{} is {}: expected a finite number", field, value));
  }
  const contract::Variant& variant = *problem.variant;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const auto& arguments = variant.contract.launches[i].arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const auto& entry) { return entry.word == word; });
    if (found == arguments.end()) continue;
    const auto index = static_cast<std::size_t>(found - arguments.begin());
    const double rounded = reference::round_to(variant.contract.accumulate, value);
    const auto formats = contract::parameter_formats(variant.entries[i]);
    return received(variant.contract, formats.at(index), rounded).value;
  }
  return value;
}

void receive_scalars(Problem& problem) {
  const contract::Variant& variant = *problem.variant;
  for (const std::string& name : variant.contract.tensors->operation.scalars) {
    problem.scalars[name] = problem.line.value(name).value_or(1.0);
  }
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const auto& arguments = variant.contract.launches[i].arguments;
    const auto formats = contract::parameter_formats(variant.entries[i]);
    for (std::size_t j = 0; j < arguments.size(); ++j) {
      if (arguments[j].word != ArgumentWord::scalar) continue;
      double& value = problem.scalars[arguments[j].text];
      value = received(variant.contract, formats.at(j), value).value;
    }
  }
}

void add_launches(Problem& problem) {
  const contract::Variant& variant = *problem.variant;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const contract::LaunchStep& step = variant.contract.launches[i];
    if (step.when && evaluated(problem, *step.when, "the condition") == 0) continue;
    device::Launch made = launch(problem, step, variant.entries[i]);
    if (computes_nothing(problem, made)) continue;
    problem.job.launches.push_back(std::move(made));
  }
}

}  // namespace warpcheck::campaign::run
