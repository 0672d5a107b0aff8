// Records what a GPU makes of every instruction form:
//
//   warpcheck_golden_record FOLDER     one file a family, with the results of this machine's GPU
//   warpcheck_golden_record --ptx      prints all kernels as one module, for ptxas to look at
//
// Ends with status 1 when a form could not be recorded; the others are.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "base/diagnostic.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/worker.hpp"
#include "tests/golden/kernel.hpp"
#include "tests/golden/results.hpp"

namespace warpcheck::golden {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

int record_all(const std::filesystem::path& folder) {
  const auto device = device::cuda::open();
  const std::vector<Form> forms = all_forms();
  std::map<std::string, File> files;
  int failed = 0;
  for (const Form& form : forms) {
    try {
      files[form.family].records.push_back(record(form, run(*device, form)));
    } catch (const InputError& error) {
      fmt::print(stderr, "{}: {}\n", form.name, error.what());
      ++failed;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "{}: {}\n", form.name, error.what());
      ++failed;
    }
  }
  std::filesystem::create_directories(folder);
  for (auto& [family, file] : files) {
    file.device = device->description();
    file.date = today();
    std::ofstream(folder / (family + ".golden")) << write(file, forms);
  }
  fmt::print("{}: {} of {} forms recorded in {}\n", device->description(),
             forms.size() - static_cast<std::size_t>(failed), forms.size(), folder.string());
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warpcheck::golden

int main(int argc, char** argv) {
  warpcheck::device::cuda::maybe_run_worker(argc, argv);
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER | --ptx\n", argv[0]);
    return 2;
  }
  if (std::string_view(argv[1]) == "--ptx") {
    fmt::print("{}", warpcheck::golden::module_of(warpcheck::golden::all_forms()));
    return 0;
  }
  try {
    return warpcheck::golden::record_all(argv[1]);
  } catch (const warpcheck::EnvironmentError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
