#include "contract/contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "contract/expression/expression_node.hpp"
#include "operation/extent.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array<std::string_view, 27> kWords = {
    "a",         "b",          "c",        "d",          "m",      "n",     "k",
    "lda",       "ldb",        "ldc",      "ldd",        "alpha",  "beta",  "batch",
    "stride_a",  "stride_b",   "stride_c", "stride_d",   "ta",     "tb",    "bias",
    "workspace", "tensor_map", "literal",  "expression", "tensor", "scalar"};
static_assert(kWords.size() == static_cast<std::size_t>(ArgumentWord::scalar) + 1);

/// Offset of the next `/* warpcheck` that begins a line; npos if there is none.
std::size_t find_opening(std::string_view source, std::size_t from) {
  constexpr std::string_view kOpening = "/* warpcheck";
  for (;; ++from) {
    from = source.find(kOpening, from);
    if (from == std::string_view::npos) return from;
    const std::size_t before = source.find_last_not_of(" \t", from == 0 ? 0 : from - 1);
    const bool opens_line = from == 0 || before == std::string_view::npos || source[before] == '\n';
    const std::string_view after = source.substr(from + kOpening.size(), 1);
    if (opens_line && after.find_first_not_of(" \t\r\n") == std::string_view::npos) return from;
  }
}

Location location_of(std::string_view source, std::size_t offset, const std::string& file) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<unsigned>(std::count(before.begin(), before.end(), '\n') + 1),
          static_cast<unsigned>(offset - line_begin + 1)};
}

InputError error_at(std::string_view source, std::size_t offset, const std::string& file,
                    std::string message) {
  const Location where = location_of(source, offset, file);
  return InputError(
      Diagnostic{where, std::move(message), std::string(line_of(source, where.line))});
}

/// True if a map holds the argument: the address of its operand, the leading dimension, the
/// distance of the matrices of a batch.
bool describes(const TensorMapArgument& map, ArgumentWord word) {
  switch (map.of) {
    case ArgumentWord::a:
      return word == map.of || word == ArgumentWord::lda || word == ArgumentWord::stride_a;
    case ArgumentWord::b:
      return word == map.of || word == ArgumentWord::ldb || word == ArgumentWord::stride_b;
    case ArgumentWord::c:
      return word == map.of || word == ArgumentWord::ldc || word == ArgumentWord::stride_c;
    default:
      return word == map.of || word == ArgumentWord::ldd || word == ArgumentWord::stride_d;
  }
}

}  // namespace

std::string_view name(ArgumentWord word) { return kWords[static_cast<std::size_t>(word)]; }

bool is_buffer(ArgumentWord word) {
  return word <= ArgumentWord::d || word == ArgumentWord::bias || word == ArgumentWord::workspace ||
         word == ArgumentWord::tensor;
}

bool TypedOperation::is_output(std::string_view tensor) const {
  return std::any_of(operation.outputs.begin(), operation.outputs.end(),
                     [&](const operation::Tensor& output) { return output.name == tensor; });
}

const TensorMapArgument& Contract::tensor_map(const Argument& argument) const {
  return *std::find_if(tensor_maps.begin(), tensor_maps.end(),
                       [&](const TensorMapArgument& map) { return map.name == argument.text; });
}

bool Contract::takes(ArgumentWord word) const {
  if (tensors != nullptr && word < ArgumentWord::workspace) return false;  // a word of gemm
  const auto has_word = [&](const Argument& argument) {
    if (argument.word == word) return true;
    if (argument.word == ArgumentWord::tensor_map) return describes(tensor_map(argument), word);
    return argument.word == ArgumentWord::expression && argument.value.root() != nullptr &&
           has_name(*argument.value.root(), contract::name(word));
  };
  return std::any_of(launches.begin(), launches.end(), [&](const LaunchStep& step) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), has_word);
  });
}

void Contract::imply(Expression condition) {
  requires_.push_back(std::move(condition));
  ++implied;
}

void Contract::imply_launch() {
  std::string text;
  Location first;
  for (const LaunchStep& step : launches) {
    if (!takes_output(*this, step)) continue;
    if (!step.when) return;
    if (text.empty()) first = step.when->where();
    text += fmt::format("{}({})", text.empty() ? "" : " or ", step.when->text());
  }
  if (text.empty()) return;
  is_launched = Expression::parse(text, first);
  imply(*is_launched);
}

void Contract::imply_divisors() {
  if (tensors == nullptr) return;
  std::set<std::string> conditions;
  const auto add = [&](const operation::Tensor& tensor) {
    for (const std::string& size : tensor.shape) {
      const auto dimension = operation::parse_dimension(size).value_or(operation::Dimension{});
      for (const operation::Dimension& divisor : operation::divisors_of(dimension)) {
        conditions.insert(fmt::format("{} >= 1", operation::print(divisor)));
      }
    }
  };
  for (const operation::Tensor& tensor : tensors->tensors) add(tensor);
  for (const operation::Statement& statement : tensors->operation.statements) add(statement.tensor);
  for (const std::string& condition : conditions) imply(Expression::parse(condition, where));
}

void Contract::clear_declared_requires() {
  requires_.erase(requires_.begin(), requires_.end() - static_cast<std::ptrdiff_t>(implied));
}

std::vector<std::string> nvcc_arguments(const Contract& contract) {
  return nvcc_arguments(contract.build, contract.where.file);
}

std::vector<std::string> build_key(const Contract& contract) {
  std::vector<std::string> key = relative_arguments(contract.build);
  key.insert(key.begin(), contract.architecture);
  return key;
}

bool takes_output(const Contract& contract, const LaunchStep& step) {
  if (contract.tensors != nullptr) {
    return std::any_of(step.arguments.begin(), step.arguments.end(), [&](const Argument& argument) {
      return argument.word == ArgumentWord::tensor && contract.tensors->is_output(argument.text);
    });
  }
  const ArgumentWord output = contract.takes(ArgumentWord::d) ? ArgumentWord::d : ArgumentWord::c;
  return std::any_of(step.arguments.begin(), step.arguments.end(), [&](const Argument& argument) {
    const bool is_map = argument.word == ArgumentWord::tensor_map;
    return (is_map ? contract.tensor_map(argument).of : argument.word) == output;
  });
}

std::optional<EmbeddedContract> embedded_contract(std::string_view source,
                                                  const std::string& file) {
  const std::size_t opening = find_opening(source, 0);
  if (opening == std::string_view::npos) return std::nullopt;
  const std::size_t begin = opening + std::string_view("/* warpcheck").size();
  const std::size_t end = source.find("*/", begin);
  if (end == std::string_view::npos) {
    throw error_at(source, opening, file, "the contract's comment does not end");
  }
  const std::size_t second = find_opening(source, end);
  if (second != std::string_view::npos) {
    throw error_at(source, second, file,
                   "second contract: one comment may carry several [[variant]] tables");
  }
  return EmbeddedContract{std::string(source.substr(begin, end - begin)),
                          location_of(source, begin, file)};
}

}  // namespace warpcheck::contract
