// What a name means at the place where it stands: one name space, nested scopes, inner names hide
// outer ones (PTX ISA 5.1, 6.1).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

struct Entity {
  enum class Kind : std::uint8_t {
    none,
    reg,
    vector_register,  // `.reg .v4 .f32 %v`: `width` registers from `index`
    module_variable,
    function,
    parameter,
    return_parameter,
    function_variable,
    label,
    branch_targets,
    call_prototype,
    call_targets,
  };
  Kind kind = Kind::none;
  std::uint8_t width = 1;
  unsigned index = 0;  // into the table of the module or function that holds such things
  unsigned depth =
      0;  // of the scope that declares it: 0 the module, 1 a function, 2 ... its blocks
};

class Names {
 public:
  [[nodiscard]] unsigned depth() const { return static_cast<unsigned>(scopes_.size()); }

  void open_scope();
  void close_scope();

  /// Declares `name` in the innermost scope. False when that scope has declared it already.
  [[nodiscard]] bool declare(std::string_view name, Entity entity);

  /// The same for a thing of a function, whose scopes are to be laid into one: what to call it
  /// there. That is the name itself, or with "$1", "$2" ... behind it where another thing of the
  /// function is called so. Empty when the innermost scope has declared it already.
  [[nodiscard]] std::optional<std::string> declare_unique(std::string_view name, Entity entity);

  /// A name for a thing of a function that no text can name: `name` or, as above, a variation of
  /// it.
  [[nodiscard]] std::string unique(std::string_view name) { return unique(slot(name), name); }

  /// The innermost declaration in force; kind none where there is none.
  [[nodiscard]] Entity find(std::string_view name) const;

  /// Names that things of the module and, by declare_unique() or unique(), things of functions
  /// have.
  [[nodiscard]] const std::set<std::string, std::less<>>& shared() const { return shared_; }

 private:
  struct Slot {
    Entity entity;
    bool of_module = false;  // the module declares it
    unsigned used_in = 0;    // the function that has used the name up
    unsigned copies = 0;     // suffixes that were tried in that function
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };
  struct Hidden {
    Slot* slot;
    Entity entity;
  };

  [[nodiscard]] Slot& slot(std::string_view name);
  [[nodiscard]] bool declare(Slot& slot, Entity entity);
  [[nodiscard]] std::string unique(Slot& slot, std::string_view name);

  std::unordered_map<std::string, Slot, Hash, std::equal_to<>> slots_;
  std::set<std::string, std::less<>> shared_;
  std::vector<Hidden> hidden_;       // what the declarations of open scopes replaced
  std::vector<std::size_t> scopes_;  // for each open scope, where in hidden_ it begins
  unsigned function_ = 0;            // counts functions
};

/// Renames the things of functions that are called by one of `names`, so that in a function that
/// declares all its things first, the things of the module can still be named.
void keep_apart(Module& module, const std::set<std::string, std::less<>>& names);

}  // namespace warpcheck::ptx
