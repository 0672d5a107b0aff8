#include "runtime/host_stack.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "base/text/demangle.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/postponed.hpp"
#include "runtime/runtime.hpp"
#include "runtime/static_runtime/toolkit.hpp"

namespace warpcheck::runtime {
namespace {

constexpr int kMostFrames = 48;

std::uint64_t hash_of(const HostStack& stack) {
  std::uint64_t hash = stack.size();
  for (const HostFrame& frame : stack) {
    hash = mixed(hash ^ frame.offset ^ std::hash<std::string>()(frame.object));
  }
  return hash;
}

std::vector<void*> return_addresses() {
  std::vector<void*> addresses(kMostFrames);
  addresses.resize(static_cast<std::size_t>(backtrace(addresses.data(), kMostFrames)));
  return addresses;
}

/// The frames that are not of this library.
HostStack stack_of(const std::vector<void*>& addresses) {
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&return_addresses), &own);
  HostStack stack;
  for (void* const address : addresses) {
    // The address of the call, which is before the address of the return.
    const char* const at = static_cast<const char*>(address) - 1;
    Dl_info info{};
    void* map = nullptr;
    if (dladdr1(at, &info, &map, RTLD_DL_LINKMAP) == 0 || info.dli_fbase == own.dli_fbase) continue;
    HostFrame frame;
    frame.object = info.dli_fname;
    // A program at a fixed address has the addresses of its file.
    frame.offset = reinterpret_cast<std::uint64_t>(at) - static_cast<const link_map*>(map)->l_addr;
    if (info.dli_sname != nullptr) frame.function = info.dli_sname;
    stack.push_back(std::move(frame));
  }
  return stack;
}

}  // namespace

HostStack host_stack() { return stack_of(return_addresses()); }

HostStack host_stack(const void* instruction) {
  std::vector<void*> addresses = return_addresses();
  for (void*& address : addresses) {
    // stack_of() interprets it as a return address.
    if (address == instruction) address = static_cast<char*>(address) + 1;
  }
  return stack_of(addresses);
}

std::string called_library_function(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  const std::string_view path = info.dli_fname;
  const std::string name(path.substr(path.rfind('/') + 1));
  if (!is_toolkit_library(path)) return "";
  std::string function;
  for (const HostFrame& frame : host_stack()) {
    if (frame.object == path) function = frame.function;  // the outermost is the last one
  }
  return function.empty() ? name : fmt::format("{} of {}", demangle(function), name);
}

std::uint64_t StackTable::stack_index() {
  std::vector<void*> addresses = return_addresses();
  const auto known = indices_.find(addresses);
  if (known != indices_.end()) return known->second;
  const std::uint64_t index = add(stack_of(addresses));
  indices_.emplace(std::move(addresses), index);
  return index;
}

std::uint64_t StackTable::add_current() {
  const Entry entry{stack_index(), 0};
  const bool has_calls = has_interpreter() && can_postpone();
  if (const auto known = first_.find(entry); !has_calls && known != first_.end()) {
    return known->second;
  }
  entries_.push_back(entry);
  const std::uint64_t id = entries_.size();
  if (!has_calls) return first_equal(id);
  postpone([this, id] {
    const std::uint64_t calls = interpreter_calls();
    const std::lock_guard lock(Runtime::instance().mutex());
    entries_[id - 1].calls = calls;
  });
  return id;
}

std::uint64_t StackTable::first_equal(std::uint64_t id) {
  return id == 0 || id > entries_.size() ? id
                                         : first_.try_emplace(entries_[id - 1], id).first->second;
}

std::uint64_t StackTable::add(const HostStack& stack) {
  const std::uint64_t hash = hash_of(stack);
  const auto found = std::find(hashes_.begin(), hashes_.end(), hash);
  if (found != hashes_.end()) return static_cast<std::uint64_t>(found - hashes_.begin());
  hashes_.push_back(hash);
  stacks_.push_back(stack);
  return stacks_.size() - 1;
}

HostStack StackTable::at(std::uint64_t id) const {
  if (id == 0 || id > entries_.size()) return {};
  const Entry& entry = entries_[id - 1];
  return with_interpreter_calls(stacks_[entry.stack], entry.calls);
}

}  // namespace warpcheck::runtime
