// The recursive-descent parser of parse(): one class, whose functions are in parse_*.cpp, named
// after what they read.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/constant.hpp"
#include "ptx/errors.hpp"
#include "ptx/module.hpp"
#include "ptx/names.hpp"
#include "ptx/parse/lexer.hpp"
#include "ptx/source_lines.hpp"

namespace warpcheck::ptx {

class Parser {
 public:
  Parser(std::string_view text, std::string file);

  [[nodiscard]] Module parse();

 private:
  /// Thrown after an error is reported; caught where parsing can continue.
  struct SyntaxError {};

  // Limits that stop wrong or hostile texts; each is far above the needs of compiled code.
  static constexpr std::size_t kMaximumRegisters = 1u << 20;        // limit of a module
  static constexpr std::size_t kMaximumVariableBytes = 1ull << 40;  // limit of a variable
  static constexpr std::size_t kMaximumDimensions = 32;             // limit of a variable
  static constexpr std::size_t kMaximumInitialBytes = 1u << 28;     // limit of a module
  static constexpr unsigned kMaximumScopes = 100;                   // number of nested scopes
  static constexpr int kMaximumNesting = 100;  // largest depth of a constant expression
  static constexpr std::uint64_t kMaximumFiles = 1u << 16;

  // Tokens: parser.cpp.
  void advance();
  [[nodiscard]] bool accept(std::string_view punctuation);
  void expect(std::string_view punctuation);
  [[nodiscard]] bool at_dotted(std::string_view text) const;
  [[nodiscard]] bool accept_dotted(std::string_view text);
  [[nodiscard]] Token expect_identifier(std::string_view what);
  [[nodiscard]] std::string_view expect_string(std::string_view what);
  [[nodiscard]] std::uint64_t expect_integer(std::string_view what, std::uint64_t maximum);
  void error(Place place, std::string message) { errors_.add(place, std::move(message)); }
  [[noreturn]] void fail(Place place, std::string message);
  [[noreturn]] void fail_expected(std::string_view expected);
  [[noreturn]] void fail_undeclared(const Token& name);
  [[nodiscard]] bool at_module_directive() const;
  void recover_in_body();
  void recover_in_module();

  // Constant expressions: parse_constant.cpp.
  [[nodiscard]] Constant parse_constant(bool in_initializer);
  [[nodiscard]] Constant parse_conditional();
  [[nodiscard]] Constant parse_binary(int level);
  [[nodiscard]] Constant parse_unary();
  [[nodiscard]] Constant parse_primary();
  [[nodiscard]] Constant parse_cast();
  [[nodiscard]] SymbolAddress parse_wrapped_address();
  [[nodiscard]] Symbol symbol(const Token& name);
  [[nodiscard]] Constant unwrap(Place place, Folded folded);
  void nest();

  // Variables, parameters, registers: parse_variable.cpp, parse_initializer.cpp.
  [[nodiscard]] Variable parse_declaration_head(StateSpace space);
  void parse_declarator(Variable& variable);
  void check_extent(const Variable& variable);
  void parse_pointer(Variable& variable);
  void parse_attribute(Variable* variable);
  [[nodiscard]] std::vector<Variable> parse_parameters();
  void parse_module_variables(StateSpace space, Linkage linkage);
  void declare_module_variable(Variable variable);
  void parse_function_variables(StateSpace space);
  void parse_registers();
  void reserve_registers(Place place, std::uint64_t count);
  void declare_register(const Token& name, Type type, unsigned width);
  void declare_registers(const Token& prefix, std::uint64_t count, Type type);
  void parse_initializer(Variable& variable);
  std::size_t parse_initial_list(Variable& variable, const std::vector<std::size_t>& shape,
                                 std::size_t level, std::size_t begin);
  void parse_initial_value(Variable& variable, std::size_t offset);

  // Operands: parse_operand.cpp.
  [[nodiscard]] Operand parse_operand(bool in_call);
  [[nodiscard]] Operand parse_named_operand();
  [[nodiscard]] Vector parse_whole_vector();
  [[nodiscard]] Register parse_register();
  [[nodiscard]] Register parse_part(Register whole);
  [[nodiscard]] std::optional<Register> parse_pair_member();
  [[nodiscard]] SpecialRegister parse_special_register();
  [[nodiscard]] Element parse_element();
  [[nodiscard]] std::vector<Element> parse_elements(std::string_view close);
  [[nodiscard]] Operand parse_address();
  [[nodiscard]] Address::Base parse_base(std::int64_t& offset);

  // Bodies: parse_body.cpp, parse_label.cpp.
  struct Pending;
  void parse_body(Function& function);
  void parse_statement();
  void parse_body_directive();
  void parse_location();
  void parse_instruction();
  void begin_block();
  void end_block();
  void parse_label();
  void parse_branch_targets(BranchTargetsDeclaration& table);
  [[nodiscard]] CallPrototypeDeclaration parse_call_prototype(std::string name);
  void parse_call_targets(CallTargetsDeclaration& table);
  void keep_pending();
  void resolve(const Pending& use, Entity entity);

  // The module: parse_module.cpp, parse_function.cpp.
  void parse_header();
  void parse_module_directive();
  [[nodiscard]] Linkage parse_linkage();
  void parse_file();
  void parse_section();
  void parse_alias();
  void parse_pragma();
  void parse_function(bool is_entry, Linkage linkage);
  void parse_directives(Function& function);
  [[nodiscard]] std::optional<unsigned> declare_function(const Function& function);
  void declare_parameters(Function& function);

  /// A name that may become a label, a table of labels or a prototype by the end of its scope.
  struct Pending {
    std::string_view name;
    Place place;
    // True: the name is branch_targets[first].labels[second]. False: body[first].operands[second].
    bool in_table = false;
    std::size_t first = 0;
    std::size_t second = 0;
  };
  struct Scope {
    Place place;  // place of the opening brace
    std::vector<Pending> pending;
  };

  Errors errors_;
  Lexer lexer_;
  Token token_;                  // next token
  Token after_;                  // token after the next one
  std::size_t open_braces_ = 0;  // number of open braces in the current statement or declaration
  int nesting_ = 0;
  bool in_initializer_ = false;
  std::set<std::string_view> undeclared_;  // undeclared names that an error has reported
  std::size_t registers_ = 0;
  std::size_t initial_bytes_ = 0;
  Names names_;
  SourceLines lines_;
  Module module_;
  Function* function_ = nullptr;   // current function
  std::vector<Scope> scopes_;      // open scopes in the function's body
  std::vector<Operand> operands_;  // operands of the current instruction
  std::vector<Pending> pending_;   // names that the current instruction or table uses
};

}  // namespace warpcheck::ptx
