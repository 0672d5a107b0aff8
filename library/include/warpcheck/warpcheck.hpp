// The C++17 layer over warpcheck.h: contracts, campaigns and cases. Header only.
//
//   warpcheck::Contract contract("sgemm.cu");
//   const warpcheck::Result result = contract.check();
//   if (!result.passed()) std::cerr << result.text;
#ifndef WARPCHECK_WARPCHECK_HPP
#define WARPCHECK_WARPCHECK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "warpcheck/reference.hpp"
#include "warpcheck/warpcheck.h"

namespace warpcheck {

/// The contract, its source, a case line or an option is wrong. The text has the places.
class ContractError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This machine cannot do it: nvcc is missing, or the library has no such device.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// See warpcheck_check_options.
struct Options {
  std::int64_t cases = 100;
  std::uint64_t seed = 0;
  std::uint32_t jobs = 0;
  std::string device = "virtual";
};

/// See warpcheck_finding.
struct KernelFinding {
  std::string variant;
  std::string kind;
  std::string message;
  std::string case_line;
  std::string file;
  std::uint32_t line = 0;
  std::string text;
  std::string json;
};

/// A bool with the text of the console, which the assertions of rapidcheck.hpp print if it is
/// false.
struct Passed {
  bool value = false;
  std::string text;

  operator bool() const { return value; }
};

struct Result {
  int status = WARPCHECK_ERROR;       // exit status of `warpcheck check` for this result
  std::vector<std::string> verdicts;  // one verdict for each variant
  std::string text;                   // the console text

  /// False also for mistrusted and unsupported variants.
  [[nodiscard]] Passed passed() const { return {status == WARPCHECK_OK, text}; }

  /// True if a variant passed, but could not have failed: its data hid every defect or, in a
  /// campaign, no case executed a line. A case of one special value can have such data.
  [[nodiscard]] bool mistrusted() const {
    return std::find(verdicts.begin(), verdicts.end(), "mistrusted") != verdicts.end();
  }
};

/// One case of a variant, by its line: "scale operation=scale count=65 off_x=1 factor=0.5 seed=42".
struct Case {
  std::string line;

  [[nodiscard]] std::string variant() const { return line.substr(0, line.find(' ')); }

  /// The number of a field. Empty if the line omits it, as it does with offsets of 0 and tight
  /// strides, or if it is not a number.
  [[nodiscard]] std::optional<double> value(const std::string& field) const {
    const std::size_t found = line.find(" " + field + "=");
    if (found == std::string::npos) return std::nullopt;
    const std::string text = line.substr(found + field.size() + 2);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || (*end != ' ' && *end != 0)) return std::nullopt;
    return number;
  }

  friend bool operator==(const Case& one, const Case& other) { return one.line == other.line; }
};

/// The variants of a `.cu` file, of a `.toml` beside it, or of a folder.
class Contract {
 public:
  using Listener = std::function<void(const KernelFinding&)>;

  /// Compiles the kernels. Throws ContractError and MachineError, as the other functions do.
  explicit Contract(const std::string& path) {
    warpcheck_contract* opened = nullptr;
    const int status = warpcheck_contract_open(path.c_str(), &opened);
    if (opened == nullptr) throw std::bad_alloc();
    contract_.reset(opened);
    throw_error(status);
  }

  /// Sets the C++ function that computes an operation, which the contract declares without `define`
  /// and `reference`. Its parameters are the inputs (`const Real*`, or `const long*` for integers),
  /// the outputs (`Real*`), the extents (`long`) and the scalars (`Real`), in the order of the
  /// contract; with `terms` in the operation, double instead of Real. Threads call it at the same
  /// time. The next run throws what it throws.
  template <class Function>
  void set_reference(const std::string& operation, Function function) {
    auto& reference = references_.emplace_back(std::make_unique<Reference>());
    reference->call = [function = std::move(function)](const warpcheck_reference_call& values) {
      detail::Signature<Function>::call(function, values);
    };
    throw_error(warpcheck_contract_set_reference(contract_.get(), operation.c_str(), compute,
                                                 reference.get()));
  }

  [[nodiscard]] std::vector<std::string> variants() const {
    return texts(warpcheck_contract_variant);
  }

  /// Runs a campaign over all variants. The listener may throw; its first exception is thrown at
  /// the end of the campaign.
  Result check(const Options& options = {}, const Listener& listener = {}) {
    return run(options, listener, [&](const warpcheck_check_options& chosen, Call& call) {
      return warpcheck_check(contract_.get(), &chosen, forward, &call);
    });
  }

  /// Runs one case, without shrinking it.
  Result run_case(const std::string& case_line, const Options& options = {},
                  const Listener& listener = {}) {
    return run(options, listener, [&](const warpcheck_check_options& chosen, Call& call) {
      return warpcheck_run_case(contract_.get(), case_line.c_str(), &chosen, forward, &call);
    });
  }

  /// See warpcheck_generate_case().
  [[nodiscard]] Case generate_case(const std::string& variant, std::uint64_t seed,
                                   std::int64_t index) {
    const char* line = warpcheck_generate_case(contract_.get(), variant.c_str(), seed, index);
    if (line == nullptr) throw_error(WARPCHECK_ERROR);
    return {line};
  }

  /// See warpcheck_simpler_cases(), in the order in which the shrinker tries them.
  [[nodiscard]] std::vector<Case> simpler_cases(const Case& problem) {
    const char* lines = warpcheck_simpler_cases(contract_.get(), problem.line.c_str());
    if (lines == nullptr) throw_error(WARPCHECK_ERROR);
    std::vector<Case> simpler;
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);) simpler.push_back({line});
    return simpler;
  }

 private:
  struct Call {
    const Listener& listener;
    std::exception_ptr thrown;
  };

  /// Catches all exceptions: none may pass through C code.
  static void forward(void* user, const warpcheck_finding* finding) {
    Call& call = *static_cast<Call*>(user);
    if (!call.listener || call.thrown) return;
    try {
      call.listener({finding->variant, finding->kind, finding->message, finding->case_line,
                     finding->file, finding->line, finding->text, finding->json});
    } catch (...) {
      call.thrown = std::current_exception();
    }
  }

  struct Reference {
    std::function<void(const warpcheck_reference_call&)> call;
    std::mutex mutex;
    std::exception_ptr thrown;
  };

  static int compute(void* user, const warpcheck_reference_call* values) {
    Reference& reference = *static_cast<Reference*>(user);
    try {
      reference.call(*values);
      return 0;
    } catch (...) {
      const std::lock_guard<std::mutex> lock(reference.mutex);
      reference.thrown = std::current_exception();
      return 1;
    }
  }

  void rethrow_from_references() {
    for (const auto& reference : references_) {
      if (reference->thrown) std::rethrow_exception(std::exchange(reference->thrown, nullptr));
    }
  }

  template <typename Body>
  Result run(const Options& options, const Listener& listener, const Body& body) {
    warpcheck_check_options chosen;
    warpcheck_default_check_options(&chosen);
    chosen.cases = options.cases;
    chosen.seed = options.seed;
    chosen.jobs = options.jobs;
    chosen.device = options.device.c_str();
    Call call{listener, nullptr};
    const int status = body(chosen, call);
    if (call.thrown) std::rethrow_exception(call.thrown);
    rethrow_from_references();
    throw_error(status);
    return {status, texts(warpcheck_contract_verdict), warpcheck_contract_text(contract_.get())};
  }

  /// A kernel that the device cannot execute has the status of a machine without nvcc, but no
  /// error.
  void throw_error(int status) const {
    const std::string error = warpcheck_contract_error(contract_.get());
    if (error.empty()) return;
    if (status == WARPCHECK_UNSUPPORTED) throw MachineError(error);
    throw ContractError(error);
  }

  template <typename Text>
  [[nodiscard]] std::vector<std::string> texts(const Text& text) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < warpcheck_contract_variants(contract_.get()); ++i) {
      all.emplace_back(text(contract_.get(), i));
    }
    return all;
  }

  struct Close {
    void operator()(warpcheck_contract* contract) const { warpcheck_contract_close(contract); }
  };
  std::vector<std::unique_ptr<Reference>> references_;  // references that contract_ calls
  std::unique_ptr<warpcheck_contract, Close> contract_;
};

}  // namespace warpcheck

#endif
