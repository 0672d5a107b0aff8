// Checks the statements of an operation: names, ranks, extents and types.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <utility>

#include "base/closest_word.hpp"
#include "base/located_text.hpp"
#include "operation/extent.hpp"
#include "operation/operation.hpp"
#include "operation/parser.hpp"
#include "operation/words.hpp"

namespace warpcheck::operation {
namespace {

using Ranges = std::map<std::string, std::string, std::less<>>;  // maps an index to its extent

const char* name_of(Type type) {
  return type == Type::truth ? "a condition" : type == Type::integer ? "an integer" : "a number";
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Definer {
 public:
  Definer(Operation& operation, std::string_view text, const Location& where)
      : operation_(operation), text_(text), where_(where) {
    for (const Tensor& input : operation.inputs) tensors_.emplace(input.name, input);
  }

  void define(std::vector<Statement> statements) {
    for (Statement& statement : statements) add(statement);
    for (const Tensor& output : operation_.outputs) {
      if (!tensors_.contains(output.name)) {
        error(text_.size(), fmt::format("output '{}' is not defined", output.name));
      }
    }
    if (!errors_.empty()) throw InputError(std::move(errors_));
    operation_.statements = std::move(statements);
  }

 private:
  void error(std::size_t offset, std::string message) {
    errors_.push_back(located(text_, where_, offset, std::move(message)));
  }

  void add(Statement& statement) {
    Tensor& tensor = statement.tensor;
    if (tensors_.contains(tensor.name) || is_known(tensor.name)) {
      error(statement.begin, fmt::format("'{}' is already defined", tensor.name));
    }
    scope_.clear();
    for (const std::string& index : statement.indices) bind(statement.begin, index, "");
    const auto output =
        std::find_if(operation_.outputs.begin(), operation_.outputs.end(),
                     [&](const Tensor& candidate) { return candidate.name == tensor.name; });
    if (output != operation_.outputs.end()) {
      tensor = *output;
      require_rank(statement.begin, tensor, statement.indices.size());
      for (std::size_t i = 0; i < std::min(tensor.shape.size(), statement.indices.size()); ++i) {
        scope_[statement.indices[i]] = tensor.shape[i];
        if (statement.extents[i].empty() || statement.extents[i] == tensor.shape[i]) continue;
        error(statement.begin, fmt::format("index '{}' is stated to run over '{}', but dimension "
                                           "{} of '{}' is '{}'",
                                           statement.indices[i], statement.extents[i], i + 1,
                                           tensor.name, tensor.shape[i]));
      }
    } else {
      infer(statement);
    }
    check_scan(statement);
    const Type type = check(statement.value);
    if (type == Type::truth) {
      error(statement.value.begin,
            "a condition is not a value of a tensor; write select(condition, 1, 0)");
    }
    if (output == operation_.outputs.end()) {
      tensor.integer = type == Type::integer;
    } else if (tensor.integer && type == Type::real) {
      error(statement.value.begin,
            fmt::format("output '{}' holds integers: expected an integer", tensor.name));
    }
    scanned_ = nullptr;
    tensors_.emplace(tensor.name, tensor);
  }

  /// Infers the shape of a tensor that is not an output.
  void infer(Statement& statement) {
    for (std::size_t i = 0; i < statement.indices.size(); ++i) {
      const std::string& index = statement.indices[i];
      std::string extent = statement.extents[i];
      if (extent.empty()) extent = extent_of(index, statement.value);
      require_known(statement.begin, index, extent);
      scope_[index] = extent;
      statement.tensor.shape.push_back(extent);
    }
  }

  void check_scan(const Statement& statement) {
    if (statement.scan.empty()) return;
    if (!contains(statement.indices, statement.scan)) {
      return error(statement.begin, fmt::format("scan over '{}', which is no index of '{}'",
                                                statement.scan, statement.tensor.name));
    }
    scanned_ = &statement;
    Tensor tensor = statement.tensor;
    tensor.integer = false;
    scanned_tensor_ = std::move(tensor);
  }

  [[nodiscard]] bool is_known(std::string_view name) const {
    return contains(operation_.extents, name) || contains(operation_.scalars, name);
  }

  void bind(std::size_t begin, const std::string& index, const std::string& extent) {
    if (scope_.contains(index) || is_known(index) || tensors_.contains(index)) {
      error(begin, fmt::format("index '{}' has the name of something else", index));
    }
    scope_[index] = extent;
  }

  [[nodiscard]] const Tensor* tensor(std::string_view name) const {
    if (scanned_ != nullptr && scanned_tensor_.name == name) return &scanned_tensor_;
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
  }

  /// The extent of a dimension in which a tensor is read at the index itself. Reads that must lie
  /// inside the tensor take precedence. Empty: there is none.
  [[nodiscard]] std::string extent_of(std::string_view index, const Node& node) const {
    for (const bool guarded : {false, true}) {
      if (std::string extent = extent_of(index, node, guarded); !extent.empty()) return extent;
    }
    return {};
  }

  [[nodiscard]] std::string extent_of(std::string_view index, const Node& node,
                                      bool guarded) const {
    if (node.op == Op::reduce && contains(node.indices, index)) return {};
    const Tensor* const read = node.op == Op::read ? tensor(node.name) : nullptr;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Node& operand = node.operands[i];
      const bool is_index = operand.op == Op::name && operand.name == index;
      if (is_index && read != nullptr && i < read->shape.size() && node.guarded == guarded) {
        return read->shape[i];
      }
      if (std::string extent = extent_of(index, operand, guarded); !extent.empty()) return extent;
    }
    return {};
  }

  Type check(Node& node) { return node.type = type_of(node); }

  Type type_of(Node& node) {
    switch (node.op) {
      case Op::number:
        return node.type;
      case Op::name:
        return type_of_name(node);
      case Op::read:
        return type_of_read(node);
      case Op::reduce:
        return type_of_reduction(node);
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_not:
        for (Node& operand : node.operands) require_truth(operand);
        return Type::truth;
      case Op::equal:
      case Op::unequal:
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
        (void)number(node.operands[0]);
        (void)number(node.operands[1]);
        return Type::truth;
      case Op::select: {
        require_truth(node.operands[0]);
        const Type left = number(node.operands[1]);
        return std::max(left, number(node.operands[2]));
      }
      default:
        return type_of_arithmetic(node);
    }
  }

  Type type_of_arithmetic(Node& node) {
    Type widest = Type::integer;
    const bool has_integers = node.op == Op::floor_divide || node.op == Op::modulo;
    for (Node& operand : node.operands) {
      const Type type = has_integers ? integer(operand) : number(operand);
      widest = std::max(widest, type);
    }
    switch (node.op) {
      case Op::negate:
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::minimum:
      case Op::maximum:
      case Op::either:
      case Op::absolute:
      case Op::floor_divide:
      case Op::modulo:
        return widest;
      case Op::floor:
      case Op::ceil:
      case Op::trunc:
      case Op::round:
        return Type::integer;
      case Op::convert:
        return is_integer(node.target) ? Type::integer : Type::real;
      default:
        return Type::real;
    }
  }

  Type type_of_name(Node& node) {
    if (scope_.contains(node.name) || contains(operation_.extents, node.name)) {
      return Type::integer;
    }
    if (contains(operation_.scalars, node.name)) return Type::real;
    if (tensor(node.name) != nullptr) {
      error(node.begin, fmt::format("tensor '{}' without indices", node.name));
      return Type::real;
    }
    if (node.name == kPi) {
      node.op = Op::number;
      node.number = std::numbers::pi;
      node.name.clear();
      return Type::real;
    }
    std::vector<std::string_view> known(operation_.extents.begin(), operation_.extents.end());
    known.insert(known.end(), operation_.scalars.begin(), operation_.scalars.end());
    for (const auto& [index, extent] : scope_) known.push_back(index);
    error(node.begin, unknown("name", node.name, known));
    return Type::real;
  }

  Type type_of_read(Node& node) {
    for (Node& index : node.operands) (void)integer(index);
    const Tensor* const read = tensor(node.name);
    if (read == nullptr) {
      std::vector<std::string_view> known;
      for (const auto& [name, tensor] : tensors_) known.push_back(name);
      error(node.begin, unknown("tensor", node.name, known));
      return Type::real;
    }
    require_rank(node.begin, *read, node.operands.size());
    if (read == &scanned_tensor_) require_earlier(node);
    for (std::size_t i = 0; i < std::min(read->shape.size(), node.operands.size()); ++i) {
      require_extent(node, node.operands[i], read->shape[i], i + 1);
    }
    return read->integer ? Type::integer : Type::real;
  }

  /// A guarded read may leave the tensor, so that its index may have another extent. So may one of
  /// a longer dimension: rows + 1 for an index over rows.
  void require_extent(const Node& read, const Node& index, const std::string& extent,
                      std::size_t dimension) {
    const auto found = index.op == Op::name ? scope_.find(index.name) : scope_.end();
    if (read.guarded || found == scope_.end() || found->second.empty() || extent.empty()) return;
    if (found->second == extent || is_at_most(found->second, extent)) return;
    error(index.begin, fmt::format("index '{}' runs over '{}', but dimension {} of '{}' is '{}'",
                                   index.name, found->second, dimension, read.name, extent));
  }

  /// An element of a recurrence depends on one before it: its scan index is 't - 1' or less.
  void require_earlier(const Node& read) {
    for (std::size_t i = 0; i < std::min(read.operands.size(), scanned_->indices.size()); ++i) {
      const Node& index = read.operands[i];
      const bool scans = scanned_->indices[i] == scanned_->scan;
      const Node& base = scans && index.op == Op::subtract ? index.operands[0] : index;
      const bool fits =
          base.op == Op::name && base.name == scanned_->indices[i] &&
          (!scans || (index.op == Op::subtract && index.operands[1].op == Op::number &&
                      index.operands[1].number >= 1.0));
      if (!fits) {
        error(index.begin, fmt::format("a recurrence reads '{}' at '{}{}'", read.name,
                                       scanned_->indices[i], scans ? " - 1" : ""));
      }
    }
  }

  Type type_of_reduction(Node& node) {
    const Ranges outer = scope_;
    for (std::size_t i = 0; i < node.indices.size(); ++i) {
      std::string& extent = node.extents[i];
      bind(node.begin, node.indices[i], "");
      for (const Node& operand : node.operands) {
        if (extent.empty()) extent = extent_of(node.indices[i], operand);
      }
      require_known(node.begin, node.indices[i], extent);
      scope_[node.indices[i]] = extent;
    }
    const bool reduces_truths =
        node.reduction == Reduction::any || node.reduction == Reduction::all;
    Type type = Type::truth;
    if (reduces_truths) {
      require_truth(node.operands.front());
    } else {
      type = number(node.operands.front());
    }
    if (node.operands.size() > 1) require_truth(node.operands.back());
    scope_ = outer;
    return node.reduction >= Reduction::argmax ? Type::integer : type;
  }

  void require_known(std::size_t begin, const std::string& index, const std::string& extent) {
    if (extent.empty()) {
      error(begin,
            fmt::format("the extent of index '{0}' is unknown: write '{0} in EXTENT'", index));
      return;
    }
    const Dimension dimension = parse_dimension(extent).value_or(Dimension{});
    for (const std::string& name : extents_of(dimension)) {
      if (!contains(operation_.extents, name)) {
        error(begin, fmt::format("unknown extent '{}'", name));
      }
    }
  }

  void require_rank(std::size_t begin, const Tensor& tensor, std::size_t found) {
    if (tensor.shape.size() == found) return;
    error(begin,
          fmt::format("'{}' has {} dimension{}, {} ind{} found", tensor.name, tensor.shape.size(),
                      tensor.shape.size() == 1 ? "" : "s", found, found == 1 ? "ex" : "ices"));
  }

  void require_truth(Node& node) {
    const Type type = check(node);
    if (type != Type::truth) {
      error(node.begin, fmt::format("{} where a condition is expected", name_of(type)));
    }
  }

  Type number(Node& node) {
    const Type type = check(node);
    if (type != Type::truth) return type;
    error(node.begin, "a condition where a number is expected");
    return Type::real;
  }

  Type integer(Node& node) {
    const Type type = check(node);
    if (type != Type::integer) {
      const bool divides = node.op == Op::divide && node.operands[0].type == Type::integer &&
                           node.operands[1].type == Type::integer;
      error(node.begin, fmt::format("{} where an integer is expected{}", name_of(type),
                                    divides ? "; '//' divides integers" : ""));
    }
    return Type::integer;
  }

  Operation& operation_;
  std::string_view text_;
  Location where_;
  std::map<std::string, Tensor, std::less<>> tensors_;  // tensors that the statement may read
  Ranges scope_;                                        // indices of the current expression
  const Statement* scanned_ = nullptr;                  // recurrence that is checked
  Tensor scanned_tensor_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

const Tensor* updating_output(const Operation& operation, std::string_view input) {
  const auto found = std::find_if(operation.outputs.begin(), operation.outputs.end(),
                                  [&](const Tensor& output) { return output.updates == input; });
  return found == operation.outputs.end() ? nullptr : &*found;
}

bool is_updated(const Operation& operation, std::string_view input) {
  return updating_output(operation, input) != nullptr;
}

void define(Operation& operation, std::string_view definition, const Location& where) {
  operation.definition = definition;
  operation.where = where;
  Definer(operation, operation.definition, where).define(parse_definition(definition, where));
}

}  // namespace warpcheck::operation
