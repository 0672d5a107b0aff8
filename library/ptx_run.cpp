// The function of libgpuocelot, for programs written for that library.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "library/include/warpcheck/warpcheck.h"

namespace warpcheck::library {
namespace {

/// A range of the process's memory.
struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The mappings that the process can read and write: "7f00-7fff rw-p ...".
std::vector<Mapping> writable_mappings() {
  std::vector<Mapping> mappings;
  std::ifstream file("/proc/self/maps");
  for (std::string line; std::getline(file, line);) {
    Mapping mapping;
    char dash = 0;
    std::string access;
    std::istringstream fields(line);
    fields >> std::hex >> mapping.begin >> dash >> mapping.end >> access;
    if (access.starts_with("rw")) mappings.push_back(mapping);
  }
  return mappings;
}

/// Makes the mappings that arguments point into accessible to the device.
class AdoptedMappings {
 public:
  AdoptedMappings(warpcheck_session* session, const std::vector<std::uint64_t>& arguments)
      : session_(session) {
    for (const Mapping& mapping : writable_mappings()) {
      const bool used = std::any_of(arguments.begin(), arguments.end(), [&](std::uint64_t at) {
        return at >= mapping.begin && at < mapping.end;
      });
      auto* const first = reinterpret_cast<void*>(mapping.begin);
      if (!used || warpcheck_adopt(session_, first, mapping.end - mapping.begin,
                                   "the memory of the host") != WARPCHECK_OK) {
        continue;
      }
      adopted_.push_back(first);
    }
  }
  AdoptedMappings(const AdoptedMappings&) = delete;
  AdoptedMappings& operator=(const AdoptedMappings&) = delete;
  ~AdoptedMappings() {
    for (void* const first : adopted_) warpcheck_disown(session_, first);
  }

 private:
  warpcheck_session* session_;
  std::vector<void*> adopted_;
};

/// The session of all calls, and the modules by their texts.
struct PtxRunner {
  warpcheck_session* session = warpcheck_create(nullptr);
  std::map<std::string, std::uint32_t> modules;
  std::mutex mutex;
};

}  // namespace
}  // namespace warpcheck::library

extern "C" int ptx_run(const char* source, int n_args, void** args, int lx, int ly, int lz, int gx,
                       int gy, int gz, int smem) {
  using namespace warpcheck::library;         // NOLINT(google-build-using-namespace)
  static PtxRunner& runner = *new PtxRunner;  // threads may use it while the process ends
  const std::lock_guard lock(runner.mutex);
  if (runner.session == nullptr) return WARPCHECK_ERROR;
  const auto fail = [] {
    std::fprintf(stderr, "warpcheck: %s\n", warpcheck_error(runner.session));
    return WARPCHECK_ERROR;
  };
  const auto [known, is_new] = runner.modules.try_emplace(source);
  if (is_new && warpcheck_load(runner.session, source, nullptr, &known->second) != WARPCHECK_OK) {
    runner.modules.erase(known);
    return fail();
  }
  std::vector<std::uint64_t> values;
  std::vector<const void*> arguments;
  for (int i = 0; i < n_args; ++i) values.push_back(reinterpret_cast<std::uint64_t>(args[i]));
  for (const std::uint64_t& value : values) arguments.push_back(&value);
  const AdoptedMappings adopted(runner.session, values);
  const std::uint32_t grid[3] = {static_cast<std::uint32_t>(gx), static_cast<std::uint32_t>(gy),
                                 static_cast<std::uint32_t>(gz)};
  const std::uint32_t block[3] = {static_cast<std::uint32_t>(lx), static_cast<std::uint32_t>(ly),
                                  static_cast<std::uint32_t>(lz)};
  const int status =
      warpcheck_launch(runner.session, known->second, nullptr, grid, block,
                       static_cast<std::size_t>(smem), arguments.data(), arguments.size());
  if (status == WARPCHECK_ERROR) return fail();
  std::fputs(warpcheck_text(runner.session), stderr);
  return status;
}
