// A PTX module as a tree: parse() makes it from the text, the decoder reads it, and to_text()
// prints it. Names are resolved to indices. Scopes inside a function are flattened; a name that two
// scopes declare gets a suffix, so that the names of one function are unique.
//
// Two modules are equal if they declare and do the same; places in the text are not compared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/operand.hpp"
#include "ptx/type.hpp"

namespace warpcheck::ptx {

/// A place in the PTX text; lines and columns count from 1. All places compare equal, because they
/// have no effect on the meaning.
struct Place {
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const Place&, const Place&) { return true; }
};

/// A line of the `.cu` that a `.loc` of -lineinfo names. `file` is an index into Module::files.
struct SourceLine {
  unsigned file = 0;
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// The source location of a `.loc`: the line, and for inlined code the calls, innermost first.
struct SourceLocation {
  SourceLine line;
  std::vector<SourceLine> inlined_at;

  /// The line in the kernel itself: the line of the last call, or `line` if nothing was inlined.
  [[nodiscard]] const SourceLine& outermost() const {
    return inlined_at.empty() ? line : inlined_at.back();
  }
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

enum class Linkage : std::uint8_t { none, visible, extern_, weak, common };

/// A value of an initializer that depends on an address: `size` bytes at `offset` of the variable
/// become
/// ((address of symbol + addend) & mask) >> (trailing zeros of mask).
struct Relocation {
  std::size_t offset = 0;
  std::size_t size = 8;
  Symbol symbol;         // module variable or function
  bool generic = false;  // true: the generic address; false: the address in the symbol's space
  std::uint64_t mask = ~0ull;

  friend bool operator==(const Relocation&, const Relocation&) = default;
};

struct Variable {
  StateSpace space = StateSpace::global;
  Type type = Type::none;
  unsigned vector = 1;        // 1, 2, 4 or 8 components
  std::size_t alignment = 1;  // bytes; the natural alignment of the type if the text gives none
  std::vector<std::size_t> dimensions;  // outermost first; empty: a scalar. The first is 0 for
                                        // `[]`, which declares dynamic shared memory
  std::string name;
  Linkage linkage = Linkage::none;
  bool managed = false;                            // .attribute(.managed)
  bool is_pointer = false;                         // a kernel parameter marked .ptr ...
  StateSpace pointee_space = StateSpace::generic;  // ... into this space ...
  std::size_t pointee_alignment = 0;               // ... with this alignment; 0: none given
  std::vector<std::byte> initial;                  // the first bytes; the others are zero
  std::vector<Relocation> relocations;  // places are within `initial`, in order of offset
  Place place;

  [[nodiscard]] bool is_unsized() const { return !dimensions.empty() && dimensions[0] == 0; }
  /// Size in memory; 0 for an unsized array.
  [[nodiscard]] std::size_t bytes() const;
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// `@%p` or `@!%p`.
using Guard = Register;

struct Instruction {
  std::optional<Guard> guard;
  std::vector<std::string> parts;  // mnemonic and modifiers: {"ld", "global", "v4", "f32"}; a
                                   // modifier such as `.shared::cta` is one part
  std::vector<Operand> operands;
  std::optional<unsigned> location;  // index into Module::locations; empty: no .loc applies
  Place place;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct RegisterDeclaration {
  std::string name;  // "%r12"
  Type type = Type::none;

  friend bool operator==(const RegisterDeclaration&, const RegisterDeclaration&) = default;
};

struct LabelDeclaration {
  std::string name;
  std::size_t target = 0;  // index into Function::body; body.size() for a label at the end

  friend bool operator==(const LabelDeclaration&, const LabelDeclaration&) = default;
};

/// `ts: .branchtargets L0, L1;`: indices into Function::labels.
struct BranchTargetsDeclaration {
  std::string name;
  std::vector<unsigned> labels;

  friend bool operator==(const BranchTargetsDeclaration&,
                         const BranchTargetsDeclaration&) = default;
};

/// `fp: .callprototype (ret) _ (params);`
struct CallPrototypeDeclaration {
  std::string name;
  std::vector<Variable> return_parameters;
  std::vector<Variable> parameters;
  bool noreturn = false;

  friend bool operator==(const CallPrototypeDeclaration&,
                         const CallPrototypeDeclaration&) = default;
};

/// `ct: .calltargets f, g;`: indices into Module::functions.
struct CallTargetsDeclaration {
  std::string name;
  std::vector<unsigned> functions;

  friend bool operator==(const CallTargetsDeclaration&, const CallTargetsDeclaration&) = default;
};

/// Performance-tuning and cluster directives (PTX ISA 11.4, 11.7); empty if the text has none.
struct Directives {
  std::optional<std::array<unsigned, 3>> maxntid;
  std::optional<std::array<unsigned, 3>> reqntid;
  std::optional<std::array<unsigned, 3>> reqnctapercluster;
  std::optional<unsigned> minnctapersm;
  std::optional<unsigned> maxnreg;
  std::optional<unsigned> maxclusterrank;
  bool explicitcluster = false;
  bool blocksareclusters = false;
  bool noreturn = false;

  friend bool operator==(const Directives&, const Directives&) = default;
};

struct Function {
  std::string name;
  Linkage linkage = Linkage::none;
  bool is_entry = false;
  bool is_declaration = false;       // the module contains no body
  std::optional<unsigned> alias_of;  // .alias: index into Module::functions
  std::vector<Variable> return_parameters;
  std::vector<Variable> parameters;
  /// Parameters declared `.reg` come first: the return parameters, then the parameters.
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> variables;  // .local, .shared, .param ... declared inside
  std::vector<LabelDeclaration> labels;
  std::vector<BranchTargetsDeclaration> branch_targets;
  std::vector<CallPrototypeDeclaration> call_prototypes;
  std::vector<CallTargetsDeclaration> call_targets;
  std::vector<Instruction> body;
  Directives directives;
  Place place;

  friend bool operator==(const Function&, const Function&) = default;
};

struct Module {
  unsigned version_major = 0;  // .version 8.0
  unsigned version_minor = 0;
  std::string target;                       // "sm_80", "sm_90a"
  std::vector<std::string> target_options;  // "texmode_independent", "debug" ...
  unsigned address_size = 64;               // bits
  std::vector<std::string> files;           // indexed by the number of a .file; "": no such .file
  std::vector<SourceLocation> locations;    // every .loc that applies to an instruction
  std::vector<Variable> variables;
  std::vector<Function> functions;  // one per name: a definition replaces its declaration
  std::string text_file;            // the name of the text in errors; not compared

  /// The path that .file gives to `index`; "" if there is none.
  [[nodiscard]] std::string_view file(unsigned index) const;
  /// The function with this mangled name; null if there is none.
  [[nodiscard]] const Function* find_function(std::string_view name) const;
};

[[nodiscard]] bool operator==(const Module& left, const Module& right);

/// The variable of the module or of `function` that a symbol names. Requires a symbol of a
/// variable.
[[nodiscard]] const Variable& variable(const Module& module, const Function& function,
                                       const Symbol& symbol);

}  // namespace warpcheck::ptx
