#include "properties/run/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "properties/case/case_model.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/errors.hpp"
#include "properties/run/element.hpp"
#include "properties/run/run_model.hpp"
#include "properties/run/tensor_maps.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::run {
namespace {

using contract::ArgumentWord;

device::Scalar scalar(ScalarType type, double value) {
  device::Scalar result;
  result.size = size_of(type);
  encode(value, type, result.bytes.data());
  return result;
}

/// Returns the format of alpha, beta or another scalar in a parameter of `bytes` bytes.
ScalarType scalar_format(const contract::Contract& contract, std::size_t bytes) {
  if (contract.accumulate == ScalarType::s32 && bytes == 4) return ScalarType::s32;
  if (bytes == 8) return ScalarType::f64;
  return bytes == 2 ? model_of<RunModel>(contract).half_format(contract) : ScalarType::f32;
}

/// Makes the arguments of one launch.
class ArgumentMaker {
 public:
  explicit ArgumentMaker(const Problem& problem) : problem_(problem) {}

  std::vector<device::Argument> all(const contract::LaunchStep& step,
                                    const contract::Entry& entry) const {
    std::vector<device::Argument> arguments;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      arguments.push_back(make(step.arguments[i], entry.parameters.at(i).bytes));
    }
    return arguments;
  }

 private:
  device::Argument make(const contract::Argument& argument, std::size_t bytes) const {
    switch (argument.word) {
      case ArgumentWord::a:
        return operand(Operand::a);
      case ArgumentWord::b:
        return operand(Operand::b);
      case ArgumentWord::c:
        return operand(Operand::c);
      case ArgumentWord::d:
        return operand(Operand::d);
      case ArgumentWord::bias:
        return operand(Operand::bias);
      case ArgumentWord::workspace:
        return workspace(argument.text);
      case ArgumentWord::alpha:
        return scalar(scalar_format(problem_.variant->contract, bytes), problem_.alpha);
      case ArgumentWord::beta:
        return scalar(scalar_format(problem_.variant->contract, bytes), problem_.beta);
      case ArgumentWord::tensor:
        return tensor(argument.text);
      case ArgumentWord::scalar:
        return scalar(scalar_format(problem_.variant->contract, bytes),
                      problem_.scalars.find(argument.text)->second);
      case ArgumentWord::tensor_map:
        return tensor_map(problem_.variant->contract.tensor_map(argument));
      case ArgumentWord::literal:
        return literal(argument, bytes);
      case ArgumentWord::expression:
        return integer(evaluated(problem_, argument.value, "the argument"), bytes, argument.text,
                       "");
      case ArgumentWord::ta:
        return transpose(problem_.line.ta, bytes);
      case ArgumentWord::tb:
        return transpose(problem_.line.tb, bytes);
      default:
        return size(argument, bytes);
    }
  }

  device::Argument operand(Operand wanted) const {
    const auto found = std::find_if(problem_.roles.begin(), problem_.roles.end(),
                                    [&](const BufferRole& role) { return role.operand == wanted; });
    return device::BufferAddress{static_cast<std::size_t>(found - problem_.roles.begin()), 0};
  }

  device::Argument tensor(std::string_view name) const {
    const std::vector<Placement>& tensors = problem_.layouts.tensors;
    const auto found = std::find_if(problem_.roles.begin(), problem_.roles.end(), [&](auto& role) {
      return role.tensor && tensors[*role.tensor].name == name;
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
        std::get<device::BufferAddress>(operand(operand_of(described)))};
  }

  /// Returns the letter of the BLAS for a parameter of one byte.
  device::Scalar transpose(bool transposed, std::size_t bytes) const {
    if (bytes == 1) return integer(transposed ? 'T' : 'N', bytes, "the transposition", "");
    return integer(transposed ? 1 : 0, bytes, "the transposition", "");
  }

  device::Scalar size(const contract::Argument& argument, std::size_t bytes) const {
    const std::string_view word = contract::name(argument.word);
    const contract::Bindings names = bindings(problem_.variant->contract, problem_.line);
    return integer(names.value(word).value_or(0), bytes, word,
                   word == "ldd"        ? "ldc"
                   : word == "stride_d" ? "stride_c"
                                        : word);
  }

  device::Scalar literal(const contract::Argument& argument, std::size_t bytes) const {
    const char* end = argument.text.data() + argument.text.size();
    std::int64_t whole = 0;
    const auto [stop, error] = std::from_chars(argument.text.data(), end, whole);
    if (error == std::errc{} && stop == end) return integer(whole, bytes, "the literal", "");
    double value = 0.0;
    std::from_chars(argument.text.data(), end, value);
    return scalar(bytes == 8 ? ScalarType::f64 : ScalarType::f32, value);
  }

  device::Scalar integer(std::int64_t value, std::size_t bytes, std::string_view what,
                         std::string_view field) const {
    device::Scalar result;
    result.size = bytes == 0 ? 4 : bytes;
    const int bits = static_cast<int>(result.size) * 8;
    // PTX does not state whether a parameter is signed: the value must fit one of the two formats.
    if (bits < 64 &&
        (value >= std::int64_t{1} << bits || value < -(std::int64_t{1} << (bits - 1)))) {
      throw case_error(problem_.line, field,
                       fmt::format("{}={} does not fit the kernel's {}-byte parameter", what, value,
                                   result.size));
    }
    std::memcpy(result.bytes.data(), &value, result.size);
    return result;
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
  const contract::Contract& contract = problem.variant->contract;
  const CaseModel& model = model_of<CaseModel>(contract);
  return (is_empty(launch.grid) || is_empty(launch.block)) &&
         !model.reason_without_output(contract, problem.line).empty();
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
    const ScalarType format =
        scalar_format(variant.contract, variant.entries[i].parameters.at(index).bytes);
    const double rounded = reference::round_to(variant.contract.accumulate, value);
    return decode(format, scalar(format, rounded).bytes.data());
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
    for (std::size_t j = 0; j < arguments.size(); ++j) {
      if (arguments[j].word != ArgumentWord::scalar) continue;
      const ScalarType format =
          scalar_format(variant.contract, variant.entries[i].parameters.at(j).bytes);
      double& value = problem.scalars[arguments[j].text];
      value = decode(format, scalar(format, value).bytes.data());
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

}  // namespace warpcheck::properties::run
