#include "ptx/printer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/file_names.hpp"
#include "ptx/print/print_parts.hpp"

namespace warpcheck::ptx {
namespace {

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string print() {
    print_header();
    // Declared first, so that values and calls can name functions that are defined later.
    for (const Function& function : module_.functions) {
      print_head(function);
      Directives directives;
      directives.noreturn = function.directives.noreturn;
      print_directives(function.is_declaration ? function.directives : directives);
      text_ += ";\n";
    }
    for (const Variable& variable : module_.variables) {
      text_ += linkage(variable.linkage);
      print_variable(module_, variable, text_);
    }
    for (const Function& function : module_.functions) {
      if (!function.is_declaration) print_definition(function);
    }
    for (const Function& function : module_.functions) {
      if (function.alias_of) {
        add(".alias {}, {};\n", function.name, module_.functions.at(*function.alias_of).name);
      }
    }
    if (std::any_of(module_.locations.begin(), module_.locations.end(),
                    [](const SourceLocation& location) { return !location.inlined_at.empty(); })) {
      text_ += ".section .debug_str\n{\n$L__info_string0:\n.b8 0\n}\n";
    }
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  static std::string_view linkage(Linkage linkage) {
    switch (linkage) {
      case Linkage::none:
        return "";
      case Linkage::visible:
        return ".visible ";
      case Linkage::extern_:
        return ".extern ";
      case Linkage::weak:
        return ".weak ";
      case Linkage::common:
        return ".common ";
    }
    return "";
  }

  void print_header() {
    add(".version {}.{}\n.target {}", module_.version_major, module_.version_minor, module_.target);
    for (const std::string& option : module_.target_options) add(", {}", option);
    add("\n.address_size {}\n", module_.address_size);
    for (std::size_t i = 0; i < module_.files.size(); ++i) {
      if (!module_.files[i].empty()) add(".file {} \"{}\"\n", i, encoded_string(module_.files[i]));
    }
  }

  void print_parameters(const std::vector<Variable>& parameters) {
    text_ += "(";
    for (const Variable& parameter : parameters) {
      if (&parameter != &parameters.front()) text_ += ", ";
      print_declaration(parameter, text_);
    }
    text_ += ")";
  }

  /// Linkage, name and parameters.
  void print_head(const Function& function) {
    add("{}.{} ", linkage(function.linkage), function.is_entry ? "entry" : "func");
    if (!function.return_parameters.empty()) {
      print_parameters(function.return_parameters);
      text_ += " ";
    }
    text_ += function.name;
    print_parameters(function.parameters);
  }

  void print_directives(const Directives& directives) {
    const auto extent = [this](std::string_view name, const auto& value) {
      if (value) add("\n.{} {}, {}, {}", name, (*value)[0], (*value)[1], (*value)[2]);
    };
    const auto number = [this](std::string_view name, const auto& value) {
      if (value) add("\n.{} {}", name, *value);
    };
    const auto flag = [this](std::string_view name, bool value) {
      if (value) add("\n.{}", name);
    };
    extent("maxntid", directives.maxntid);
    extent("reqntid", directives.reqntid);
    number("minnctapersm", directives.minnctapersm);
    number("maxnreg", directives.maxnreg);
    flag("explicitcluster", directives.explicitcluster);
    extent("reqnctapercluster", directives.reqnctapercluster);
    number("maxclusterrank", directives.maxclusterrank);
    flag("blocksareclusters", directives.blocksareclusters);
    flag("noreturn", directives.noreturn);
  }

  void print_definition(const Function& function) {
    print_head(function);
    print_directives(function.directives);
    text_ += "\n{\n";
    print_registers(function);
    for (const Variable& variable : function.variables) {
      print_variable(module_, variable, text_);
    }
    print_tables(function);
    print_body(function);
    text_ += "}\n";
  }

  /// Prints consecutive registers with one prefix as a range, `%r<31>`.
  void print_registers(const Function& function) {
    const auto in_register = [](const Variable& parameter) {
      return parameter.space == StateSpace::reg;
    };
    std::size_t i = static_cast<std::size_t>(
        std::count_if(function.return_parameters.begin(), function.return_parameters.end(),
                      in_register) +
        std::count_if(function.parameters.begin(), function.parameters.end(), in_register));
    const auto& registers = function.registers;
    while (i < registers.size()) {
      const RegisterDeclaration& first = registers[i];
      const std::string prefix = first.name.substr(0, first.name.size() - 1);
      std::size_t count = 0;
      if (first.name.ends_with('0') && prefix.size() > 1) {
        while (i + count < registers.size() && registers[i + count].type == first.type &&
               registers[i + count].name == prefix + fmt::format_int(count).str()) {
          ++count;
        }
      }
      if (count > 1) {
        add(".reg .{} {}<{}>;\n", name(first.type), prefix, count);
      } else {
        add(".reg .{} {};\n", name(first.type), first.name);
      }
      i += std::max<std::size_t>(count, 1);
    }
  }

  void print_tables(const Function& function) {
    for (const BranchTargetsDeclaration& table : function.branch_targets) {
      add("{}: .branchtargets ", table.name);
      print_names(table.labels, function.labels);
    }
    for (const CallPrototypeDeclaration& prototype : function.call_prototypes) {
      add("{}: .callprototype ", prototype.name);
      if (!prototype.return_parameters.empty()) print_parameters(prototype.return_parameters);
      text_ += " _ ";
      print_parameters(prototype.parameters);
      add("{};\n", prototype.noreturn ? " .noreturn" : "");
    }
    for (const CallTargetsDeclaration& table : function.call_targets) {
      add("{}: .calltargets ", table.name);
      print_names(table.functions, module_.functions);
    }
  }

  template <typename Named>
  void print_names(const std::vector<unsigned>& indices, const std::vector<Named>& named) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      add("{}{}", i == 0 ? "" : ", ", named.at(indices[i]).name);
    }
    text_ += ";\n";
  }

  void print_body(const Function& function) {
    auto label = function.labels.begin();
    std::optional<unsigned> location;
    for (std::size_t i = 0; i <= function.body.size(); ++i) {
      for (; label != function.labels.end() && label->target == i; ++label) {
        add("{}:\n", label->name);
      }
      if (i == function.body.size()) break;
      const Instruction& instruction = function.body[i];
      if (instruction.location && instruction.location != location) {
        print_location(module_.locations.at(*instruction.location));
        location = instruction.location;
      }
      add("\t{};\n", to_text(module_, function, instruction));
    }
  }

  /// Prints the outermost call first: a .loc may refer only to an earlier one.
  void print_location(const SourceLocation& location) {
    const auto& calls = location.inlined_at;
    for (std::size_t i = calls.size(); i > 0; --i) {
      print_line(calls[i - 1], i < calls.size() ? &calls[i] : nullptr);
    }
    print_line(location.line, calls.empty() ? nullptr : &calls.front());
  }

  void print_line(const SourceLine& line, const SourceLine* inlined_at) {
    add("\t.loc {} {} {}", line.file, line.line, line.column);
    if (inlined_at != nullptr) {
      add(", function_name $L__info_string0, inlined_at {} {} {}", inlined_at->file,
          inlined_at->line, inlined_at->column);
    }
    text_ += "\n";
  }

  const Module& module_;
  std::string text_;
};

}  // namespace

std::string to_text(const Module& module) { return Printer(module).print(); }

}  // namespace warpcheck::ptx
