#include "workflows/exec/run/symbolize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/child_process.hpp"
#include "base/text/demangle.hpp"
#include "workflows/exec/run/line_tables.hpp"

namespace warpcheck::workflows::exec {
namespace {

/// True for libraries whose frames are not the program's. Many of their functions have no symbol,
/// and would get the name of another.
bool is_system_library(const std::string& object) {
  const std::size_t slash = object.rfind('/');
  const std::string name = object.substr(slash == std::string::npos ? 0 : slash + 1);
  return name.starts_with("libc.so") || name.starts_with("ld-linux") ||
         name.starts_with("libstdc++.so");
}

/// True for the code of a launch that nvcc generates, and for the Toolkit's inline functions.
bool is_generated(const device::HostFrame& frame) {
  return frame.function.find("__device_stub__") != std::string::npos ||
         frame.file.ends_with(".stub.c") || is_library_code(frame.file);
}

/// True for the function that nvcc calls like the kernel: it calls the stub of the kernel.
bool calls_stub(const device::HostFrame& frame, const device::HostFrame& callee) {
  return !frame.function.empty() &&
         callee.function.find("__device_stub_" + frame.function) != std::string::npos;
}

/// True for a call of a program in Python. Between it and the runtime are only libraries: of these,
/// the frames with lines are the user's.
bool is_of_interpreter(const device::HostFrame& frame) {
  return frame.object.empty() && frame.line != 0;
}

/// "/a/b.cu:12 (discriminator 2)" -> file and line; "??:0" is not known.
void set_place(device::HostFrame& frame, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.starts_with("?")) return;
  unsigned line = 0;
  const char* const begin = text.data() + colon + 1;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), line);
  if (error != std::errc() || end == begin || line == 0) return;
  frame.file = text.substr(0, colon);
  frame.line = line;
}

/// The output of addr2line: a line with the function and a line with the place, for each frame.
void set_names(device::HostStack& stack, const std::string& object, const std::string& output) {
  std::istringstream lines(output);
  for (device::HostFrame& frame : stack) {
    if (frame.object != object) continue;
    std::string function;
    std::string place;
    if (!std::getline(lines, function) || !std::getline(lines, place)) return;
    if (function != "??") frame.function = function;
    set_place(frame, place);
  }
}

/// True for the file that nvcc writes from a source, and compiles for the host.
bool is_written_by_nvcc(const std::string& file) { return file.ends_with(".cudafe1.cpp"); }

/// addr2line may name the file that nvcc wrote for code of templates.
void correct_files(device::HostStack& stack, const std::string& object) {
  std::map<std::string, std::optional<std::string>> sources;
  for (device::HostFrame& frame : stack) {
    if (frame.object != object || !is_written_by_nvcc(frame.file)) continue;
    if (!sources.contains(frame.file)) {
      const std::string bytes = read_input(object);
      sources[frame.file] = first_file_of_unit(runtime::ElfFile(bytes), frame.file);
    }
    if (const auto& source = sources[frame.file]) frame.file = *source;
  }
}

void symbolize_object(device::HostStack& stack, const std::string& object) {
  std::vector<std::string> command = {"addr2line", "-f", "-e", object};
  for (const device::HostFrame& frame : stack) {
    if (frame.object == object) command.push_back(fmt::format("0x{:x}", frame.offset));
  }
  try {
    const ChildResult result = run_child(command, {.is_interruptible = false});
    if (result.status == 0) set_names(stack, object, result.output);
    correct_files(stack, object);
  } catch (const EnvironmentError&) {
    return;  // there is no addr2line
  }
}

}  // namespace

void symbolize(device::HostStack& stack) {
  std::erase_if(stack,
                [](const device::HostFrame& frame) { return is_system_library(frame.object); });
  std::vector<std::string> objects;
  for (const device::HostFrame& frame : stack) {
    if (frame.object.empty()) continue;  // a launch by a thread of the device
    if (std::find(objects.begin(), objects.end(), frame.object) == objects.end()) {
      objects.push_back(frame.object);
    }
  }
  for (const std::string& object : objects) symbolize_object(stack, object);
  for (std::size_t i = stack.size(); i-- > 1;) {
    if (calls_stub(stack[i], stack[i - 1])) stack.erase(stack.begin() + static_cast<long>(i));
  }
  std::erase_if(stack, is_generated);
  if (!stack.empty() && is_of_interpreter(stack.back())) {
    std::erase_if(stack, [](const device::HostFrame& frame) { return frame.line == 0; });
  }
  const auto main = std::find_if(stack.begin(), stack.end(), [](const device::HostFrame& frame) {
    return frame.function == "main";
  });
  if (main != stack.end()) stack.erase(main + 1, stack.end());
  for (device::HostFrame& frame : stack) frame.function = demangle(frame.function);
}

}  // namespace warpcheck::workflows::exec
