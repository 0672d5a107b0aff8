// Parses labels and the tables that labels name (PTX ISA, section 11.3).
#include <fmt/format.h>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {

/// Parses `L:`, or a table such as `ts: .branchtargets ...`.
void Parser::parse_label() {
  const Token name = token_;
  advance();
  advance();
  const auto declare = [&](Entity::Kind kind, std::size_t index) {
    auto unique = names_.declare_unique(name.text, {kind, 1, static_cast<unsigned>(index)});
    if (!unique) error(name.place, fmt::format("{} is declared twice", quoted(name)));
    return unique.value_or(std::string());
  };
  if (accept_dotted("branchtargets")) {
    auto& tables = function_->branch_targets;
    tables.push_back({declare(Entity::Kind::branch_targets, tables.size()), {}});
    parse_branch_targets(tables.back());
  } else if (accept_dotted("callprototype")) {
    auto& prototypes = function_->call_prototypes;
    std::string unique = declare(Entity::Kind::call_prototype, prototypes.size());
    prototypes.push_back(parse_call_prototype(std::move(unique)));
  } else if (accept_dotted("calltargets")) {
    auto& tables = function_->call_targets;
    tables.push_back({declare(Entity::Kind::call_targets, tables.size()), {}});
    parse_call_targets(tables.back());
  } else {
    auto& labels = function_->labels;
    labels.push_back({declare(Entity::Kind::label, labels.size()), function_->body.size()});
  }
}

void Parser::parse_branch_targets(BranchTargetsDeclaration& table) {
  pending_.clear();
  do {
    const Token label = expect_identifier("a label");
    pending_.push_back(
        {label.text, label.place, true, function_->branch_targets.size() - 1, table.labels.size()});
    table.labels.push_back(0);
  } while (accept(","));
  expect(";");
  keep_pending();
}

/// Parses `(.param .b32 _) _ (.param .b64 _, .param .b32 _) .noreturn;`
CallPrototypeDeclaration Parser::parse_call_prototype(std::string name) {
  CallPrototypeDeclaration prototype;
  prototype.name = std::move(name);
  prototype.return_parameters = parse_parameters();
  static_cast<void>(expect_identifier("'_'"));
  prototype.parameters = parse_parameters();
  while (token_.kind == TokenKind::dotted) {
    const Token word = token_;
    advance();
    if (word.text == "noreturn") {
      prototype.noreturn = true;
    } else if (word.text == "abi_preserve" || word.text == "abi_preserve_control") {
      static_cast<void>(expect_integer("a number of registers", ~0u));
    } else {
      fail(word.place, fmt::format("found {}, expected ';'", quoted(word)));
    }
  }
  expect(";");
  return prototype;
}

void Parser::parse_call_targets(CallTargetsDeclaration& table) {
  do {
    const Token name = expect_identifier("a function");
    const Entity entity = names_.find(name.text);
    if (entity.kind != Entity::Kind::function) {
      fail(name.place, fmt::format("{} is not declared as a function", quoted(name)));
    }
    table.functions.push_back(entity.index);
  } while (accept(","));
  expect(";");
}

}  // namespace warpcheck::ptx
