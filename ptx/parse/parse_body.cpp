// Parses the body of a function.
#include <fmt/format.h>

#include <iterator>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {

/// Requires that the scope of the function, which holds its parameters, is open.
void Parser::parse_body(Function& function) {
  function_ = &function;
  lines_.begin_function();
  scopes_.assign(1, {token_.place, {}});
  expect("{");
  while (!scopes_.empty()) {
    if (token_.kind == TokenKind::end || at_module_directive()) {
      error(token_.place, fmt::format("found {}, expected '}}' to close the '{{' of line {}",
                                      quoted(token_), scopes_.back().place.line));
      while (!scopes_.empty()) end_block();
      break;
    }
    open_braces_ = 0;
    try {
      parse_statement();
    } catch (const SyntaxError&) {
      recover_in_body();
    }
  }
  function_ = nullptr;
}

void Parser::parse_statement() {
  if (token_.is("{")) return begin_block();
  if (token_.is("}")) {
    advance();
    return end_block();
  }
  if (token_.kind == TokenKind::dotted) return parse_body_directive();
  if (token_.kind == TokenKind::identifier && after_.is(":")) return parse_label();
  parse_instruction();
}

void Parser::begin_block() {
  if (scopes_.size() >= kMaximumScopes) {
    error(token_.place, fmt::format("blocks are nested more than {} deep", kMaximumScopes));
  }
  scopes_.push_back({token_.place, {}});
  names_.open_scope();
  advance();
}

/// A name that the block uses but does not declare may be declared in a block around it.
void Parser::end_block() {
  std::vector<Pending> pending = std::move(scopes_.back().pending);
  const unsigned depth = names_.depth();
  scopes_.pop_back();
  for (const Pending& use : pending) {
    const Entity entity = names_.find(use.name);
    const bool declared_here = entity.kind != Entity::Kind::none && entity.depth == depth;
    if (declared_here) {
      resolve(use, entity);
    } else if (!scopes_.empty()) {
      scopes_.back().pending.push_back(use);
    } else if (undeclared_.insert(use.name).second) {
      error(use.place, fmt::format("'{}' is not declared", use.name.substr(0, 60)));
    }
  }
  if (!scopes_.empty()) names_.close_scope();
}

void Parser::resolve(const Pending& use, Entity entity) {
  const bool is_label = entity.kind == Entity::Kind::label;
  if (use.in_table && is_label) {
    function_->branch_targets[use.first].labels[use.second] = entity.index;
    return;
  }
  Operand* operand = use.in_table ? nullptr : &function_->body[use.first].operands[use.second];
  if (operand != nullptr && is_label) {
    *operand = Label{entity.index};
  } else if (operand != nullptr && entity.kind == Entity::Kind::branch_targets) {
    *operand = BranchTargets{entity.index};
  } else if (operand != nullptr && entity.kind == Entity::Kind::call_prototype) {
    *operand = CallPrototype{entity.index};
  } else if (operand != nullptr && entity.kind == Entity::Kind::call_targets) {
    *operand = CallTargets{entity.index};
  } else {
    error(use.place, fmt::format("'{}' is not declared before this place", use.name.substr(0, 60)));
  }
}

void Parser::parse_body_directive() {
  const Token word = token_;
  advance();
  if (word.text == "loc") return parse_location();
  if (word.text == "pragma") return parse_pragma();
  if (word.text == "reg") return parse_registers();
  const auto space = state_space(word.text);
  if (!space || *space == StateSpace::sreg || *space == StateSpace::generic) {
    fail(word.place,
         fmt::format("found {}, expected an instruction or a declaration", quoted(word)));
  }
  parse_function_variables(*space);
}

/// `.loc 1 42 3`, `.loc 1 7 5, function_name $L__info_string0 [+ 8], inlined_at 1 42 3`.
/// LLVM adds the line within a text of inline assembly to the line of the source: the sum is no
/// line of the program, so that the line before the text remains.
void Parser::parse_location() {
  const bool is_in_inline_assembly = lexer_.is_in_inline_assembly();
  const auto parse_line = [this] {
    SourceLine line;
    line.file = static_cast<unsigned>(expect_integer("the index of a file", kMaximumFiles));
    line.line = static_cast<unsigned>(expect_integer("a line", ~0u));
    line.column = static_cast<unsigned>(expect_integer("a column", ~0u));
    return line;
  };
  const SourceLine line = parse_line();
  std::optional<SourceLine> inlined_at;
  while (accept(",")) {
    const Token word = expect_identifier("'function_name' or 'inlined_at'");
    if (word.text == "inlined_at") {
      inlined_at = parse_line();
    } else if (word.text == "function_name") {
      static_cast<void>(expect_identifier("a label of .debug_str"));
      if (accept("+")) static_cast<void>(expect_integer("an offset", ~0ull));
    } else {
      fail(word.place,
           fmt::format("found {}, expected 'function_name' or 'inlined_at'", quoted(word)));
    }
  }
  if (!is_in_inline_assembly) lines_.locate(line, inlined_at);
}

void Parser::parse_instruction() {
  Instruction instruction;
  instruction.place = token_.place;
  instruction.location = lines_.current();
  if (accept("@")) {
    const bool negated = accept("!");
    instruction.guard = parse_register();
    instruction.guard->negated = negated;
  }
  const bool is_word =
      token_.kind == TokenKind::identifier && token_.text[0] >= 'a' && token_.text[0] <= 'z';
  if (!is_word) fail_expected("an instruction");
  const bool is_call = token_.text == "call";
  instruction.parts.reserve(4);
  instruction.parts.emplace_back(token_.text);
  advance();
  while (token_.kind == TokenKind::dotted) {
    instruction.parts.emplace_back(token_.text);
    advance();
  }
  operands_.clear();
  pending_.clear();
  if (token_.is("}")) fail_expected("an operand or ';'");
  if (!token_.is(";")) {
    do {
      operands_.push_back(parse_operand(is_call));
    } while (accept(","));
  }
  if (!accept(";")) fail_expected("',' or ';'");
  instruction.operands.assign(std::make_move_iterator(operands_.begin()),
                              std::make_move_iterator(operands_.end()));
  function_->body.push_back(std::move(instruction));
  keep_pending();
}

void Parser::keep_pending() {
  std::vector<Pending>& kept = scopes_.back().pending;
  kept.insert(kept.end(), pending_.begin(), pending_.end());
  pending_.clear();
}

}  // namespace warpcheck::ptx
