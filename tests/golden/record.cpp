// Records the results of a GPU for every instruction form:
//
//   warpcheck_golden_record FOLDER     writes one file per family with the results of this
//   machine's GPU warpcheck_golden_record --ptx      prints all kernels as one module, to check
//   them with ptxas warpcheck_golden_record --mma-ptx  prints the kernels with products of matrices
//   as one module
//
// Exit status: 0 all forms recorded; 1 a form could not be recorded; 2 usage; 3 no usable GPU.
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
#include "tests/golden/forms/kernel.hpp"
#include "tests/golden/mma/results.hpp"
#include "tests/golden/results/results.hpp"

namespace warpcheck::golden {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// Calls f and prints an exception of the device; returns true if there is none.
template <class F>
bool succeeds(const std::string& form, F f) {
  try {
    f();
    return true;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}: {}\n", form, error.what());
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "{}: {}\n", form, error.what());
  }
  return false;
}

/// Returns the number of forms that could not be recorded.
std::size_t record_forms(device::Device& device, const std::filesystem::path& folder) {
  const std::vector<Form> forms = all_forms();
  std::map<std::string, File> files;
  std::size_t failed = 0;
  for (const Form& form : forms) {
    const bool done = succeeds(
        form.name, [&] { files[form.family].records.push_back(record(form, run(device, form))); });
    if (!done) ++failed;
  }
  for (auto& [family, file] : files) {
    file.device = device.description();
    file.date = today();
    std::ofstream(folder / (family + ".golden")) << write(file, forms);
  }
  fmt::print("{}: {} of {} forms recorded in {}\n", device.description(), forms.size() - failed,
             forms.size(), folder.string());
  return failed;
}

std::size_t record_mma_forms(device::Device& device, const std::filesystem::path& folder) {
  const std::vector<MmaForm> forms = all_mma_forms();
  MmaFile file{device.description(), today(), {}};
  for (const MmaForm& form : forms) {
    (void)succeeds(form.name, [&] {
      const auto program = device.load(mma_module(form), form.name);
      file.records.push_back(record(form, run(device, *program, form, 0, kMmaRecordedFragments)));
    });
  }
  std::ofstream(folder / "mma.fragments") << write(file, forms);
  fmt::print("{}: {} of {} multiplications of matrices recorded\n", file.device,
             file.records.size(), forms.size());
  return forms.size() - file.records.size();
}

int record_all(const std::filesystem::path& folder) {
  const auto device = device::cuda::open();
  std::filesystem::create_directories(folder);
  const std::size_t failed = record_forms(*device, folder) + record_mma_forms(*device, folder);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warpcheck::golden

int main(int argc, char** argv) {
  warpcheck::device::cuda::maybe_run_worker(argc, argv);
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER | --ptx | --mma-ptx\n", argv[0]);
    return 2;
  }
  if (std::string_view(argv[1]) == "--ptx") {
    fmt::print("{}", warpcheck::golden::module_of(warpcheck::golden::all_forms()));
    return 0;
  }
  if (std::string_view(argv[1]) == "--mma-ptx") {
    fmt::print("{}", warpcheck::golden::mma_module(warpcheck::golden::all_mma_forms()));
    return 0;
  }
  try {
    return warpcheck::golden::record_all(argv[1]);
  } catch (const warpcheck::EnvironmentError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
