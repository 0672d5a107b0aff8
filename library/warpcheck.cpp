// The functions of the C interface.
#include "library/include/warpcheck/warpcheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "library/session.hpp"

struct warpcheck_session {
  warpcheck::library::LibrarySession own;
};

namespace warpcheck::library {
namespace {

/// Runs the body. An exception becomes WARPCHECK_ERROR with its text.
template <typename Body>
auto guarded(warpcheck_session* session, const Body& body, decltype(body()) failed) {
  try {
    session->own.error.clear();
    return body();
  } catch (const std::exception& error) {
    session->own.error = error.what();
  }
  return failed;
}

std::string text_or(const char* text, const char* other) { return text == nullptr ? other : text; }

std::string name_of(warpcheck_session* session, const char* name) {
  return name == nullptr ? session->own.next_name() : name;
}

Dim3 dim3_of(const std::uint32_t* extent) {
  return extent == nullptr ? Dim3{} : Dim3{extent[0], extent[1], extent[2]};
}

std::string text_of(const device::RangeError& error, std::size_t bytes) {
  if (error.kind == device::RangeError::Kind::unknown) return "no allocation has this address";
  const std::string range =
      fmt::format("bytes {} to {} of {}", error.offset,
                  error.offset + static_cast<std::ptrdiff_t>(bytes), error.allocation);
  return error.kind == device::RangeError::Kind::freed
             ? range + ", which is freed"
             : fmt::format("{}, which has {}", range, error.allocated);
}

int status_of(warpcheck_session* session, const std::optional<device::RangeError>& error,
              std::size_t bytes) {
  if (!error) return WARPCHECK_OK;
  session->own.error = text_of(*error, bytes);
  return WARPCHECK_ERROR;
}

int refused(warpcheck_session* session, const char* reason) {
  session->own.error = reason;
  return WARPCHECK_ERROR;
}

std::uint64_t allocate(warpcheck_session* session, std::size_t bytes, const char* name,
                       device::MemoryKind kind) {
  return guarded(
      session,
      [&] {
        const auto address = session->own.device().allocate({bytes, kind, name_of(session, name)});
        if (!address) session->own.error = fmt::format("no memory for {} bytes", bytes);
        return address.value_or(0);
      },
      std::uint64_t{0});
}

}  // namespace
}  // namespace warpcheck::library

using namespace warpcheck::library;  // NOLINT(google-build-using-namespace)

extern "C" {

const char* warpcheck_version() { return WARPCHECK_VERSION; }

void warpcheck_default_options(warpcheck_options* options) {
  constexpr std::uint64_t kMemory = std::uint64_t{16} << 30;
  *options = {sizeof(warpcheck_options), kMemory, 0, 0, 0.0, 0, 1, 0, 0};
}

warpcheck_session* warpcheck_create(const warpcheck_options* options) {
  warpcheck_options chosen;
  warpcheck_default_options(&chosen);
  if (options != nullptr && options->size != sizeof(chosen)) return nullptr;
  if (options != nullptr) chosen = *options;
  try {
    return new warpcheck_session{LibrarySession(chosen)};
  } catch (const std::exception&) {
    return nullptr;
  }
}

void warpcheck_destroy(warpcheck_session* session) {
  const std::unique_ptr<warpcheck_session> owned(session);
}

const char* warpcheck_error(const warpcheck_session* session) { return session->own.error.c_str(); }

uint64_t warpcheck_allocate(warpcheck_session* session, size_t bytes, const char* name) {
  return allocate(session, bytes, name, warpcheck::device::MemoryKind::device);
}

void* warpcheck_allocate_host(warpcheck_session* session, size_t bytes, const char* name) {
  return reinterpret_cast<void*>(
      allocate(session, bytes, name, warpcheck::device::MemoryKind::host_visible));
}

int warpcheck_free(warpcheck_session* session, uint64_t address) {
  using warpcheck::device::FreeResult;
  if (session->own.adopted.contains(address)) return refused(session, "this memory is adopted");
  switch (session->own.device().free(address)) {
    case FreeResult::freed:
      return WARPCHECK_OK;
    case FreeResult::freed_before:
      return refused(session, "this address was freed before");
    case FreeResult::not_the_start:
      return refused(session, "this address is not the start of an allocation");
    case FreeResult::unknown:
      break;
  }
  return refused(session, "no allocation has this address");
}

int warpcheck_adopt(warpcheck_session* session, void* first, size_t bytes, const char* name) {
  if (first == nullptr || bytes == 0) return refused(session, "no bytes to adopt");
  return guarded(
      session,
      [&] {
        warpcheck::device::Session& device = session->own.device();
        const auto address = reinterpret_cast<std::uint64_t>(first);
        if (device.containing(address) || device.containing(address + bytes - 1)) {
          return refused(session, "the device has memory at this address");
        }
        const std::string text = name_of(session, name);
        using warpcheck::device::MemoryKind;
        if (!device.allocate({bytes, MemoryKind::host_visible, text, first})) {
          return refused(session, "too many bytes");
        }
        session->own.adopted.insert(address);
        return WARPCHECK_OK;
      },
      WARPCHECK_ERROR);
}

int warpcheck_disown(warpcheck_session* session, void* first) {
  const auto address = reinterpret_cast<std::uint64_t>(first);
  if (session->own.adopted.erase(address) == 0) {
    return refused(session, "no adopted memory begins at this address");
  }
  (void)session->own.device().free(address);
  return WARPCHECK_OK;
}

int warpcheck_write(warpcheck_session* session, uint64_t to, const void* from, size_t bytes) {
  return status_of(session,
                   session->own.device().write(to, {static_cast<const std::byte*>(from), bytes}),
                   bytes);
}

int warpcheck_read(warpcheck_session* session, void* to, uint64_t from, size_t bytes,
                   size_t* undefined) {
  return status_of(
      session, session->own.device().read(from, {static_cast<std::byte*>(to), bytes}, undefined),
      bytes);
}

int warpcheck_load(warpcheck_session* session, const char* ptx, const char* file,
                   uint32_t* module) {
  return guarded(
      session,
      [&] {
        *module = session->own.load(ptx, text_or(file, "kernel.ptx"));
        return WARPCHECK_OK;
      },
      WARPCHECK_ERROR);
}

long warpcheck_parameters(warpcheck_session* session, uint32_t module, const char* kernel,
                          size_t* sizes, size_t count) {
  return guarded(
      session,
      [&] {
        const auto parameters = session->own.kernel(module, text_or(kernel, "")).parameters;
        for (std::size_t i = 0; i < std::min(count, parameters.size()); ++i) {
          sizes[i] = parameters[i].bytes;
        }
        return static_cast<long>(parameters.size());
      },
      -1L);
}

const char* warpcheck_parameter_type(warpcheck_session* session, uint32_t module,
                                     const char* kernel, size_t i) {
  return guarded(
      session, [&] { return session->own.parameter_type(module, text_or(kernel, ""), i).c_str(); },
      static_cast<const char*>(nullptr));
}

int warpcheck_launch(warpcheck_session* session, uint32_t module, const char* kernel,
                     const uint32_t grid[3], const uint32_t block[3], size_t shared_bytes,
                     const void* const* arguments, size_t argument_count) {
  return guarded(
      session,
      [&] {
        return session->own.launch({module,
                                    text_or(kernel, ""),
                                    dim3_of(grid),
                                    dim3_of(block),
                                    shared_bytes,
                                    {arguments, argument_count}});
      },
      WARPCHECK_ERROR);
}

const char* warpcheck_json(const warpcheck_session* session) { return session->own.json().c_str(); }

const char* warpcheck_text(const warpcheck_session* session) { return session->own.text().c_str(); }

}  // extern "C"
