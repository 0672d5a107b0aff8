// Functions for the package warpcheck_exec, which runs in Python programs.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "runtime/interpreter.hpp"
#include "runtime/replies.hpp"
#include "runtime/runtime.hpp"

using namespace warpcheck::runtime;

namespace {

/// The classes of a list such as "race,uninitialized-read".
std::set<warpcheck::FindingClass> classes_in(std::string_view list) {
  std::set<warpcheck::FindingClass> classes;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    if (const auto one = warpcheck::finding_class(word)) classes.insert(*one);
    list.remove_prefix(std::min(list.size(), word.size() + 1));
  }
  return classes;
}

std::string replies_json(const std::set<std::uint64_t>& numbers) {
  static auto* const replies = new Replies(Runtime::instance().options().replies);
  auto json = nlohmann::json::array();
  for (const std::uint64_t number : numbers) {
    const Reply reply = replies->wait_for({getpid(), number});
    json.push_back({{"kind", name(reply.kind)}, {"text", reply.text}});
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

#define WARPCHECK_EXPORTED extern "C" __attribute__((visibility("default")))

/// Null: the interpreter is about to end.
WARPCHECK_EXPORTED void warpcheck_exec_set_interpreter(decltype(Interpreter::current) current,
                                                       decltype(Interpreter::describe) describe) {
  set_interpreter({current, describe});
}

/// Later findings and launches belong to this test. Findings of the classes in the list `allowed`
/// do not fail it; its launches may take `seconds` in all, 0: as the options state. An empty name:
/// to no test.
WARPCHECK_EXPORTED void warpcheck_exec_begin_test(const char* name, const char* allowed,
                                                  double seconds) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  runtime.begin_test({name, classes_in(allowed)}, seconds);
}

/// Returns [{"kind": "finding", "text": ...}, ...]: what was reported since the last call. The text
/// is valid until the next call.
WARPCHECK_EXPORTED const char* warpcheck_exec_take_findings() {
  Runtime& runtime = Runtime::instance();
  static auto* const text = new std::string();
  std::set<std::uint64_t> numbers;
  {
    const std::lock_guard lock(runtime.mutex());
    numbers = runtime.log().take_occurred();
  }
  *text = replies_json(numbers);
  return text->c_str();
}

/// Reports a part of the program that cannot be executed, such as an operator of PyTorch. This is
/// no call of the CUDA runtime: its last error does not change.
WARPCHECK_EXPORTED void warpcheck_exec_unsupported(const char* what, const char* reason) {
  Runtime& runtime = Runtime::instance();
  const PostponedWork postponed;
  const std::lock_guard lock(runtime.mutex());
  static_cast<void>(runtime.unsupported(what, reason));
}

/// The number of bytes of a range that were never written. `flags`, unless it is null, receives 1
/// for each of them and 0 for the others. 0 if findings of such bytes would mean nothing.
WARPCHECK_EXPORTED std::size_t warpcheck_exec_find_undefined(std::uint64_t address,
                                                             std::size_t bytes, std::byte* flags) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  if (runtime.lacks_results()) return 0;
  std::vector<std::byte> own(flags == nullptr ? bytes : 0);
  const std::span<std::byte> all{flags == nullptr ? own.data() : flags, bytes};
  if (runtime.session().find_undefined(address, all)) return 0;
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), std::byte{1}));
}

/// The bytes whose flags are not 0 then count as never written.
WARPCHECK_EXPORTED void warpcheck_exec_set_undefined(std::uint64_t address, std::size_t bytes,
                                                     const std::byte* flags) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  static_cast<void>(runtime.session().set_undefined(address, {flags, bytes}));
}

/// The next module that the program loads is machine code, compiled from this PTX.
WARPCHECK_EXPORTED void warpcheck_exec_replace_next_image(const char* ptx) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex());
  runtime.binaries().replace_next_image(ptx);
}

/// Reports a read of bytes that were never written: "aten::sum reads element [3] of self".
WARPCHECK_EXPORTED void warpcheck_exec_report_undefined(const char* access, std::uint64_t address,
                                                        std::size_t bytes) {
  Runtime& runtime = Runtime::instance();
  const PostponedWork postponed;
  const std::lock_guard lock(runtime.mutex());
  runtime.report_undefined(access, address, bytes);
}
