#include "contract/read/launch_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/characters.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

// CUDA C++ Programming Guide, "Compute Capabilities": the same for every architecture so far.
constexpr std::int64_t kMostThreads = 1024;
constexpr std::array<std::int64_t, 3> kLargestBlock = {1024, 1024, 64};
constexpr std::array<std::int64_t, 3> kLargestGrid = {2147483647, 65535, 65535};
constexpr std::int64_t kMostBlocks = 16;  // blocks of a cluster; more than 8 are not portable
constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
constexpr std::string_view kWhen = "when";

}  // namespace

const std::array<LaunchReader::Key, 6> LaunchReader::kKeys = {{
    {"kernel", true, &LaunchReader::read_kernel},
    {"arguments", true, &LaunchReader::read_arguments},
    {"block", true, &LaunchReader::read_block},
    {"grid", true, &LaunchReader::read_grid},
    {"shared", false, &LaunchReader::read_shared},
    {"cluster", false, &LaunchReader::read_cluster},
}};

std::vector<std::string_view> LaunchReader::keys() {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  return names;
}

std::vector<std::string_view> LaunchReader::keys_of_several() {
  std::vector<std::string_view> names = keys();
  names.push_back(kWhen);
  return names;
}

LaunchStep LaunchReader::read() {
  for (Expression& extent : step_.block) extent = Expression::constant(1);
  for (Expression& extent : step_.grid) extent = Expression::constant(1);
  step_.shared = Expression::constant(0);
  check_values();
  read_when();
  for (const Key& key : kKeys) {
    const bool is_kernel = key.read == &LaunchReader::read_kernel;
    const bool is_required = is_kernel ? kernel_ == KernelKey::required : key.required;
    if (is_required && table_.get(key.name) == nullptr) missing_key(table_.own, key.name);
  }
  return std::move(step_);
}

void LaunchReader::check_values() {
  for (const Key& key : kKeys) {
    if (const toml::node* value = table_.get(key.name)) (this->*key.read)(*value);
  }
}

void LaunchReader::read_kernel(const toml::node& node) {
  const auto text = string(node, "a kernel as C++ names it");
  if (!text) return;
  step_.kernel_where = text_.inside(node);
  if (!is_kernel_name(*text))
    text_.error(node, fmt::format("kernel '{}' is not a C++ name", *text));
  step_.kernel = constants_->bind_kernel(*text);
}

void LaunchReader::read_when() {
  const toml::node* node = table_.own.get(kWhen);
  if (node == nullptr) return;
  if (!node->is_string()) return wrong_type(*node, "an expression");
  step_.when = expression(*node, names_.contract_vocabulary());
}

void LaunchReader::read_arguments(const toml::node& node) {
  step_.arguments_where = text_.at(node);
  const auto* array = node.as_array();
  if (array == nullptr) return wrong_type(node, "an array of argument words");
  arguments_known_ = true;
  for (const toml::node& element : *array) {
    auto argument = read_argument(element);
    arguments_known_ = arguments_known_ && argument.has_value();
    step_.arguments.push_back(
        argument.value_or(Argument{ArgumentWord::literal, {}, text_.at(element)}));
  }
  refuse_repeated_operand(ArgumentWord::a, ArgumentWord::b);
  refuse_repeated_operand(ArgumentWord::b, ArgumentWord::a);
}

void LaunchReader::refuse_repeated_operand(ArgumentWord word, ArgumentWord missing) {
  const Argument* repeated = nullptr;
  std::size_t count = 0;
  for (const Argument& argument : step_.arguments) {
    if (argument.word == missing) return;
    if (argument.word != word) continue;
    ++count;
    repeated = &argument;
  }
  if (count < 2) return;
  text_.error(repeated->where,
              fmt::format("second argument '{}', and no argument '{}'", name(word), name(missing)));
}

std::optional<Argument> LaunchReader::read_argument(const toml::node& node) {
  Argument argument{ArgumentWord::literal, {}, text_.at(node)};
  if (const auto* integer = node.as_integer()) {
    argument.text = std::to_string(integer->get());
    return argument;
  }
  if (const auto* number = node.as_floating_point()) {
    argument.text = fmt::format("{}", number->get());
    return argument;
  }
  const auto* text = node.as_string();
  if (text != nullptr && (is_number(text->get()) || is_workspace_word(text->get()) ||
                          is_tensor_map_word(text->get()))) {
    argument.text = text->get();
    if (is_workspace_word(argument.text)) argument.word = ArgumentWord::workspace;
    if (is_tensor_map_word(argument.text)) argument.word = ArgumentWord::tensor_map;
    return argument;
  }
  // A single word is an argument word, or a constant. Anything else is an expression.
  const bool is_word = text != nullptr &&
                       std::all_of(text->get().begin(), text->get().end(), is_identifier_character);
  if (text != nullptr && (!is_word || constants_->has(text->get()))) return read_computed(node);
  return operation_ != nullptr ? read_word_of_operation(node, std::move(argument))
                               : read_word(node, std::move(argument));
}

std::optional<Argument> LaunchReader::read_word(const toml::node& node, Argument argument) {
  const auto words = argument_words();
  auto found = word(node, "argument word", "an argument word or a number", words);
  if (!found) return std::nullopt;
  argument.text = std::move(*found);
  argument.word = static_cast<ArgumentWord>(std::find(words.begin(), words.end(), argument.text) -
                                            words.begin());
  return argument;
}

std::optional<Argument> LaunchReader::read_word_of_operation(const toml::node& node,
                                                             Argument argument) {
  const operation::Operation& operation = operation_->operation;
  const std::string given = node.value_or(std::string());
  const operation::Tensor* output =
      given.empty() ? nullptr : operation::updating_output(operation, given);
  if (output != nullptr) {
    text_.error(node,
                fmt::format("input '{}' has no memory of its own: expected the output '{}', which "
                            "updates it",
                            given, output->name));
    return std::nullopt;
  }
  const auto& scalars = operation.scalars;
  std::vector<std::string_view> words(operation_->buffers.begin(), operation_->buffers.end());
  words.insert(words.end(), operation_->sizes.begin(), operation_->sizes.end());
  words.insert(words.end(), scalars.begin(), scalars.end());
  auto found = word(node, "argument word", "an argument word or a number", words);
  if (!found) return std::nullopt;
  argument.text = std::move(*found);
  const auto is_among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), argument.text) != names.end();
  };
  if (is_among(operation_->sizes)) return read_computed(node);
  argument.word = argument.text == name(ArgumentWord::workspace) ? ArgumentWord::workspace
                  : is_among(scalars)                            ? ArgumentWord::scalar
                                                                 : ArgumentWord::tensor;
  return argument;
}

std::optional<Argument> LaunchReader::read_computed(const toml::node& node) {
  auto value = expression(node, names_.argument_vocabulary());
  if (!value) return std::nullopt;
  Argument argument{ArgumentWord::expression, value->text(), text_.at(node)};
  if (const auto known = constant(*value)) {
    argument.word = ArgumentWord::literal;
    argument.text = std::to_string(*known);
  } else {
    argument.value = std::move(*value);
  }
  return argument;
}

void LaunchReader::read_extents(const toml::node& node, std::string_view what,
                                const std::array<std::int64_t, 3>& largest,
                                std::array<Expression, 3>& extents) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    return wrong_type(node, "an array of one to three integers or expressions");
  }
  if (array->empty() || array->size() > 3) {
    return text_.error(node,
                       fmt::format("{} of {} extents: expected one to three", what, array->size()));
  }
  for (std::size_t axis = 0; axis < array->size(); ++axis) {
    const toml::node& element = *array->get(axis);
    auto extent = expression(element, names_.contract_vocabulary());
    if (!extent) continue;
    const auto value = constant(*extent);
    if (value && (*value < 1 || *value > largest[axis])) {
      text_.error(element, fmt::format("{} extent {} is {}: expected 1 to {}", what, kAxes[axis],
                                       *value, largest[axis]));
      continue;
    }
    extents[axis] = std::move(*extent);
  }
}

void LaunchReader::read_block(const toml::node& node) {
  read_extents(node, "block", kLargestBlock, step_.block);
  std::int64_t threads = 1;  // cannot overflow: at most 1024 * 1024 * 64
  for (const Expression& extent : step_.block) threads *= constant(extent).value_or(1);
  if (threads > kMostThreads) {
    text_.error(node,
                fmt::format("block of {} threads: expected at most {}", threads, kMostThreads));
  }
}

void LaunchReader::read_grid(const toml::node& node) {
  read_extents(node, "grid", kLargestGrid, step_.grid);
}

void LaunchReader::read_cluster(const toml::node& node) {
  std::array<Expression, 3>& extents = step_.cluster.emplace();
  for (Expression& extent : extents) extent = Expression::constant(1);
  read_extents(node, "cluster", {kMostBlocks, kMostBlocks, kMostBlocks}, extents);
  std::int64_t blocks = 1;
  for (const Expression& extent : extents) blocks *= constant(extent).value_or(1);
  if (blocks > kMostBlocks) {
    text_.error(node,
                fmt::format("cluster of {} blocks: expected at most {}", blocks, kMostBlocks));
  }
}

void LaunchReader::read_shared(const toml::node& node) {
  auto bytes = expression(node, names_.contract_vocabulary());
  if (!bytes) return;
  if (const auto value = constant(*bytes); value && *value < 0) {
    return text_.error(node, fmt::format("{} bytes of shared memory: expected 0 or more", *value));
  }
  step_.shared = std::move(*bytes);
}

}  // namespace warpcheck::contract
