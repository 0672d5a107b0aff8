// warpcheck-nvrtc LIBRARY TEXT PTX FILES OPTION...: compiles the file TEXT by NVRTC to the file
// PTX, and writes the names of the files that it read to FILES, one in each line. Standard output
// has the messages of NVRTC. It is a separate program, because a source on which NVRTC crashes or
// hangs must not end warpcheck.
//
// Exit status: 0 the PTX is written; 1 NVRTC refuses the text; 2 usage; 3 the library cannot be
// loaded.
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace {

/// NVRTC lists no dependencies, but it opens each file by this program's fopen().
std::set<std::string>& opened_files() {
  static std::set<std::string> files;
  return files;
}

using Open = std::FILE*(const char*, const char*);

std::FILE* opened(const char* name, const char* mode, const char* function) {
  const auto open = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, function));
  std::FILE* const file = open(name, mode);
  if (file != nullptr && mode[0] == 'r') opened_files().emplace(name);
  return file;
}

std::string nvrtc_folder;  // ends with a slash

/// NVRTC of CUDA 13 loads the driver, to keep results in its cache: a result from there would be
/// without the names of its files.
bool is_driver(const char* name) {
  return name != nullptr && std::string_view(name).find("libcuda.so") != std::string_view::npos;
}

// The types of NVRTC's interface (NVRTC, "User Interface").
using Program = struct NvrtcProgram*;
constexpr int kSuccess = 0;

/// A function of the library; null if it has none of this name.
template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

using Create = int(Program*, const char*, const char*, int, const char* const*, const char* const*);
using Compile = int(Program, int, const char* const*);
using Size = int(Program, std::size_t*);
using Text = int(Program, char*);

/// A text that the library returns with its size, which counts the terminating zero.
std::string text(void* library, Program program, const char* size_name, const char* text_name) {
  const auto size_of = function<Size>(library, size_name);
  const auto text_of = function<Text>(library, text_name);
  std::size_t size = 0;
  if (size_of == nullptr || text_of == nullptr || size_of(program, &size) != kSuccess) return {};
  std::string result(size, '\0');
  if (size == 0 || text_of(program, result.data()) != kSuccess) return {};
  result.pop_back();
  return result;
}

// Headers of the C library that hold types and macros alone, with the types of x86-64 and AArch64
// Linux.
constexpr const char* kStddef = R"(#pragma once
typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
namespace std { using ::size_t; using ::ptrdiff_t; }
)";
constexpr const char* kStdint = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
)";
constexpr std::array kHeaderNames = {"stddef.h", "cstddef", "stdint.h", "cstdint"};
constexpr std::array kHeaders = {kStddef, kStddef, kStdint, kStdint};

void write_files(const char* file) {
  std::ofstream out(file);
  for (const std::string& name : opened_files()) out << name << '\n';
}

int compile(void* library, char** arguments, int options) {
  std::ifstream in(arguments[2]);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  const auto create = function<Create>(library, "nvrtcCreateProgram");
  const auto run = function<Compile>(library, "nvrtcCompileProgram");
  Program program = nullptr;
  if (create == nullptr || run == nullptr ||
      create(&program, source.c_str(), arguments[2], static_cast<int>(kHeaders.size()),
             kHeaders.data(), kHeaderNames.data()) != kSuccess) {
    return 3;
  }
  const int result = run(program, options, arguments + 5);
  std::fputs(text(library, program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog").c_str(),
             stdout);
  if (result != kSuccess) return 1;
  std::ofstream(arguments[3]) << text(library, program, "nvrtcGetPTXSize", "nvrtcGetPTX");
  write_files(arguments[4]);
  return 0;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) std::FILE* fopen(const char* name, const char* mode) {
  return opened(name, mode, "fopen");
}
__attribute__((visibility("default"))) std::FILE* fopen64(const char* name, const char* mode) {
  return opened(name, mode, "fopen64");
}
__attribute__((visibility("default"))) void* dlopen(const char* name, int mode) {
  if (is_driver(name)) return nullptr;
  const auto open = function<void*(const char*, int)>(RTLD_NEXT, "dlopen");
  // NVRTC's own search path, which is its folder, counts only for its own calls.
  void* const beside = name == nullptr ? nullptr : open((nvrtc_folder + name).c_str(), mode);
  return beside != nullptr ? beside : open(name, mode);
}
}

int main(int count, char** arguments) {
  if (count < 5) {
    std::fputs("usage: warpcheck-nvrtc LIBRARY TEXT PTX FILES OPTION...\n", stderr);
    return 2;
  }
  nvrtc_folder = arguments[1];
  nvrtc_folder.erase(nvrtc_folder.rfind('/') + 1);
  void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::puts(dlerror());
    return 3;
  }
  const int status = compile(library, arguments, count - 5);
  std::fflush(stdout);
  _exit(status);  // the library's destructors take longer than a small kernel
}
