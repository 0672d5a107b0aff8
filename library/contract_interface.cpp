// The functions of the C interface that check contracts.
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "base/diagnostic.hpp"
#include "library/checked_contract.hpp"
#include "library/include/warpcheck/warpcheck.h"

struct warpcheck_contract {
  warpcheck::library::CheckedContract own;
  std::string cases;  // the lines that the last call returned
};

namespace warpcheck::library {
namespace {

/// Runs the body. An exception becomes a status, and its text the error of the contract.
template <typename Body>
int guarded_call(warpcheck_contract* contract, const Body& body) {
  try {
    contract->own.error.clear();
    return body();
  } catch (const EnvironmentError& error) {
    contract->own.error = error.what();
    return WARPCHECK_UNSUPPORTED;
  } catch (const std::exception& error) {
    contract->own.error = error.what();
  }
  return WARPCHECK_ERROR;
}

warpcheck_check_options chosen_options(const warpcheck_check_options* options) {
  warpcheck_check_options chosen;
  warpcheck_default_check_options(&chosen);
  if (options == nullptr) return chosen;
  if (options->size != sizeof(chosen)) {
    throw request_error("the options are of another version of the library");
  }
  if (options->cases < 1) throw request_error("expected at least 1 case");
  return *options;
}

CheckedContract::Listener listener_of(warpcheck_listener listener, void* user) {
  if (listener == nullptr) return {};
  return [=](const warpcheck_finding& finding) { listener(user, &finding); };
}

}  // namespace
}  // namespace warpcheck::library

using namespace warpcheck::library;  // NOLINT(google-build-using-namespace)

extern "C" {

void warpcheck_default_check_options(warpcheck_check_options* options) {
  constexpr int64_t kCases = 100;
  *options = {sizeof(warpcheck_check_options), kCases, 0, 0, "virtual"};
}

int warpcheck_contract_open(const char* path, warpcheck_contract** contract) {
  *contract = new (std::nothrow) warpcheck_contract;
  if (*contract == nullptr) return WARPCHECK_ERROR;
  return guarded_call(*contract, [&] {
    (*contract)->own.open(path);
    return WARPCHECK_OK;
  });
}

int warpcheck_contract_open_ptx(const char* ptx, const char* file, const char* contract,
                                const char* replay, warpcheck_contract** opened) {
  *opened = new (std::nothrow) warpcheck_contract;
  if (*opened == nullptr) return WARPCHECK_ERROR;
  return guarded_call(*opened, [&] {
    (*opened)->own.open_ptx(ptx, file, contract, replay);
    return WARPCHECK_OK;
  });
}

int warpcheck_contract_set_reference(warpcheck_contract* contract, const char* operation,
                                     warpcheck_reference function, void* user) {
  return guarded_call(contract, [&] {
    contract->own.set_reference(operation, [=](const warpcheck_reference_call& call) {
      if (function(user, &call) != 0) throw std::runtime_error("failed");
    });
    return WARPCHECK_OK;
  });
}

void warpcheck_contract_close(warpcheck_contract* contract) {
  const std::unique_ptr<warpcheck_contract> owned(contract);
}

const char* warpcheck_contract_error(const warpcheck_contract* contract) {
  return contract->own.error.c_str();
}

size_t warpcheck_contract_variants(const warpcheck_contract* contract) {
  return contract->own.targets().size();
}

const char* warpcheck_contract_variant(const warpcheck_contract* contract, size_t i) {
  const auto& targets = contract->own.targets();
  return i < targets.size() ? targets[i].variant.contract.name.c_str() : nullptr;
}

int warpcheck_check(warpcheck_contract* contract, const warpcheck_check_options* options,
                    warpcheck_listener listener, void* user) {
  return guarded_call(contract, [&] {
    return contract->own.check(chosen_options(options), listener_of(listener, user));
  });
}

int warpcheck_run_case(warpcheck_contract* contract, const char* case_line,
                       const warpcheck_check_options* options, warpcheck_listener listener,
                       void* user) {
  return guarded_call(contract, [&] {
    return contract->own.run_case(case_line, chosen_options(options), listener_of(listener, user));
  });
}

const char* warpcheck_generate_case(warpcheck_contract* contract, const char* variant,
                                    uint64_t seed, int64_t index) {
  const int status = guarded_call(contract, [&] {
    contract->cases = contract->own.generate_case(variant, seed, index);
    return WARPCHECK_OK;
  });
  return status == WARPCHECK_OK ? contract->cases.c_str() : nullptr;
}

const char* warpcheck_simpler_cases(warpcheck_contract* contract, const char* case_line) {
  const int status = guarded_call(contract, [&] {
    contract->cases.clear();
    for (const std::string& line : contract->own.simpler_cases(case_line)) {
      contract->cases += line + "\n";
    }
    return WARPCHECK_OK;
  });
  return status == WARPCHECK_OK ? contract->cases.c_str() : nullptr;
}

const char* warpcheck_contract_verdict(const warpcheck_contract* contract, size_t i) {
  const auto& verdicts = contract->own.verdicts();
  return i < verdicts.size() ? verdicts[i].c_str() : nullptr;
}

const char* warpcheck_contract_json(const warpcheck_contract* contract) {
  return contract->own.json().c_str();
}

const char* warpcheck_contract_text(const warpcheck_contract* contract) {
  return contract->own.text().c_str();
}

}  // extern "C"
