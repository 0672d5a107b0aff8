#include "runtime/interpreter.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::runtime {
namespace {

struct State {
  std::mutex mutex;  // guards the fields below; nothing is called while it is locked
  Interpreter functions;
  std::map<std::uint64_t, HostStack> calls;  // keyed by number
};

State& state() {
  static auto* const state = new State();
  return *state;
}

Interpreter functions() {
  const std::lock_guard lock(state().mutex);
  return state().functions;
}

/// A function of the interpreter's C interface; null: the process has no interpreter.
template <class Function>
Function* interpreter_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Locks the interpreter, and keeps the exception that this thread is about to raise, as while it
/// destroys objects: a function in Python would replace it.
class InterpreterLock {
 public:
  InterpreterLock() : state_(interpreter_function<int()>("PyGILState_Ensure")()) {
    interpreter_function<Fetch>("PyErr_Fetch")(&exception_[0], &exception_[1], &exception_[2]);
  }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;
  ~InterpreterLock() {
    interpreter_function<Restore>("PyErr_Restore")(exception_[0], exception_[1], exception_[2]);
    interpreter_function<void(int)>("PyGILState_Release")(state_);
  }

 private:
  using Fetch = void(void**, void**, void**);
  using Restore = void(void*, void*, void*);

  int state_;
  std::array<void*, 3> exception_{};
};

/// The object that contains the interpreter: libpython3.11.so, or the program.
const std::string& interpreter_object() {
  static const std::string object = [] {
    Dl_info info{};
    void* const function = dlsym(RTLD_DEFAULT, "PyGILState_Check");
    return function == nullptr || dladdr(function, &info) == 0 ? std::string() : info.dli_fname;
  }();
  return object;
}

/// True for frames of the interpreter and of its own extensions.
bool is_of_interpreter(const HostFrame& frame) {
  return !frame.object.empty() && (frame.object == interpreter_object() ||
                                   frame.object.find("/lib-dynload/") != std::string::npos);
}

HostStack stack_from(std::string_view text) try {
  HostStack stack;
  for (const auto& call : nlohmann::json::parse(text)) {
    HostFrame& frame = stack.emplace_back();
    frame.function = call.at(0);
    frame.file = call.at(1);
    frame.line = call.at(2);
  }
  return stack;
} catch (const nlohmann::json::exception&) {  // an exception in Python, which it has printed
  return {};
}

HostStack described(const Interpreter& interpreter, std::uint64_t calls) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16;
  std::vector<char> text(kMostBytes);
  const std::size_t bytes = interpreter.describe(calls, text.data(), text.size());
  return stack_from({text.data(), std::min(bytes, text.size())});
}

}  // namespace

void set_interpreter(const Interpreter& interpreter) {
  const std::lock_guard lock(state().mutex);
  state().functions = interpreter;
}

bool has_interpreter() { return functions().current != nullptr; }

std::uint64_t interpreter_calls() {
  const Interpreter interpreter = functions();
  if (interpreter.current == nullptr) return 0;
  const InterpreterLock locked;
  const std::uint64_t calls = interpreter.current();
  {
    const std::lock_guard lock(state().mutex);
    if (state().calls.contains(calls)) return calls;
  }
  HostStack stack = described(interpreter, calls);
  const std::lock_guard lock(state().mutex);
  state().calls.emplace(calls, std::move(stack));
  return calls;
}

HostStack with_interpreter_calls(HostStack stack, std::uint64_t calls) {
  const std::lock_guard lock(state().mutex);
  const auto program = state().calls.find(calls);
  if (program == state().calls.end() || program->second.empty()) return stack;
  const auto first = std::find_if(stack.begin(), stack.end(), is_of_interpreter);
  stack.erase(first, stack.end());
  stack.insert(stack.end(), program->second.begin(), program->second.end());
  return stack;
}

}  // namespace warpcheck::runtime
