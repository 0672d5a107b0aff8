// Resolves names: there is one name space with nested scopes, and inner names hide outer names (PTX
// ISA 5.1, 6.1).
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
  unsigned index = 0;  // index into the table of the module or function for this kind
  // Depth of the scope that declares it. 0: the module; 1: a function; 2 and more: its blocks.
  unsigned depth = 0;
};

class Names {
 public:
  [[nodiscard]] unsigned depth() const { return static_cast<unsigned>(scopes_.size()); }

  void open_scope();
  void close_scope();

  /// Declares `name` in the innermost scope. Returns false if that scope already declares it.
  [[nodiscard]] bool declare(std::string_view name, Entity entity);

  /// The same for an entity of a function, whose scopes are flattened into one. Returns its name
  /// there: `name`, with the suffix "$1", "$2" ... if another entity of the function has that name.
  /// Empty if the innermost scope already declares it.
  [[nodiscard]] std::optional<std::string> declare_unique(std::string_view name, Entity entity);

  /// A name for an entity of a function that the text does not name: `name`, with a suffix as
  /// above.
  [[nodiscard]] std::string unique(std::string_view name) { return unique(slot(name), name); }

  /// The innermost visible declaration; of kind `none` if there is none.
  [[nodiscard]] Entity find(std::string_view name) const;

  /// Names that an entity of the module shares with an entity of a function that declare_unique()
  /// or unique() named.
  [[nodiscard]] const std::set<std::string, std::less<>>& shared() const { return shared_; }

 private:
  struct Slot {
    Entity entity;
    bool in_module = false;  // the module declares it
    unsigned used_in = 0;    // the last function that uses the name
    unsigned copies = 0;     // suffixes tried in that function
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
  std::vector<Hidden> hidden_;       // entities that declarations of open scopes hide
  std::vector<std::size_t> scopes_;  // indices into hidden_: where each open scope begins
  unsigned function_ = 0;            // number of the current function
};

/// Renames the entities of functions that have one of `names`. The printer declares all entities of
/// a function first, and they would hide those of the module.
void keep_apart(Module& module, const std::set<std::string, std::less<>>& names);

}  // namespace warpcheck::ptx
