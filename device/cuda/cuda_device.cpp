#include "device/cuda/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/diagnostic.hpp"
#include "base/hash.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/image.hpp"
#include "device/cuda/jit_log.hpp"
#include "device/cuda/worker_pool.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::device::cuda {
namespace {

// The driver's assembler takes seconds for large modules; a job's timeout does not include it.
constexpr std::chrono::milliseconds kLoadTimeout{120'000};

class CudaProgram : public Program {
 public:
  explicit CudaProgram(std::string ptx)
      : ptx_(std::move(ptx)),
        key_(fnv1a(ptx_)),
        company_(ptx::uses_global_variables(ptx_) || ptx_.find("vprintf") != std::string::npos
                     ? Company::none
                     : Company::any) {}
  [[nodiscard]] const std::string& ptx() const { return ptx_; }
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] Request load_request() const { return {Request::Kind::load, key_, ptx_, 0, {}}; }

  /// The jobs that may run in the same process as the program's jobs. Module variables and printed
  /// output require a process without other jobs.
  [[nodiscard]] Company company() const { return company_; }

  /// Restricts company() after a fault beside other jobs. If the fault recurs when the job runs
  /// alone (`is_at_fault`), the program's jobs run alone. Otherwise jobs of another program may
  /// have caused the fault, or other jobs of this program.
  void reduce_company(bool is_at_fault) const {
    company_ = is_at_fault || company_ != Company::any ? Company::none : Company::own_program;
  }

 private:
  std::string ptx_;
  std::uint64_t key_;
  mutable std::atomic<Company> company_;
};

Parameter parameter(const Argument& argument, const Layout& layout) {
  const auto target_of = [&](const BufferAddress& address) -> std::uint64_t {
    return layout.buffers.at(address.buffer).begin + address.offset;
  };
  Parameter result;
  if (const auto* address = std::get_if<BufferAddress>(&argument)) {
    result.bytes.resize(sizeof(std::uint64_t));
    result.pointers = {{0, target_of(*address)}};
  } else if (const auto* value = std::get_if<ByteArgument>(&argument)) {
    result.bytes = value->bytes;
    for (const ByteArgument::Pointer& pointer : value->pointers) {
      result.pointers.push_back({pointer.offset, target_of(pointer.target)});
    }
  } else if (const auto* tensor = std::get_if<TensorMapArgument>(&argument)) {
    const auto encoded = encode(tensor->map);
    result.bytes.assign(encoded.begin(), encoded.end());
    result.pointers = {{0, target_of(tensor->target)}};
    result.is_tensor_map = true;
  } else {
    const auto& scalar = std::get<Scalar>(argument);
    result.bytes.assign(scalar.bytes.data(), scalar.bytes.data() + scalar.size);
  }
  return result;
}

Request run_request(const CudaProgram& program, const Job& job, const Layout& layout) {
  Request request{Request::Kind::run_singly, program.key(), {}, layout.bytes, {}};
  for (const Launch& launch : job.launches) {
    KernelCall call{launch.entry, launch.grid, launch.block, launch.shared_bytes, {}, {0, 0, 0}};
    if (launch.cluster) call.cluster = *launch.cluster;
    for (const Argument& argument : launch.arguments) {
      call.parameters.push_back(parameter(argument, layout));
    }
    request.calls.push_back(std::move(call));
  }
  return request;
}

std::string describe_call(const Job& job, std::uint64_t number) {
  if (number >= job.launches.size()) return "after the last launch";
  const Launch& launch = job.launches[number];
  return fmt::format(
      "in launch {} of {}: {}, grid {}x{}x{}, block {}x{}x{}, {} bytes of dynamic "
      "shared memory, {} arguments",
      number + 1, job.launches.size(), launch.entry, launch.grid.x, launch.grid.y, launch.grid.z,
      launch.block.x, launch.block.y, launch.block.z, launch.shared_bytes, launch.arguments.size());
}

Finding finding(FindingClass kind, std::string message) {
  Finding result;
  result.kind = kind;
  result.message = std::move(message);
  return result;
}

class CudaDevice : public Device {
 public:
  explicit CudaDevice(const Options& options)
      : timeout_(options.timeout), pool_(options.gpu, options.workers) {}

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::string description() const override {
    return pool_.gpus() == 1 ? pool_.description()
                             : fmt::format("{} x {}", pool_.gpus(), pool_.description());
  }

  [[nodiscard]] std::shared_ptr<const Program> load(const std::string& ptx,
                                                    const std::string& file) override {
    auto program = std::make_shared<const CudaProgram>(ptx);
    if (!load_beside_others(*program)) load_alone(*program, ptx, file);
    return program;
  }

  /// The memory of a job is far from that of others, so that no job changes the result of another
  /// one: a wild access faults. A fault ends all jobs of the process, and another job may have
  /// caused it. All these jobs, and the jobs that left findings, therefore run again, each in a
  /// process of its own.
  [[nodiscard]] Outcome run(const Program& program, const Job& job) override {
    const auto& loaded = dynamic_cast<const CudaProgram&>(program);
    const Layout layout = place(job.buffers);
    Request request = run_request(loaded, job, layout);
    const Company company = job.timed ? Company::none : loaded.company();
    WorkerProcess::Response response;
    Outcome outcome = run_once(loaded, job, layout, request, company, response);
    const auto passed = [&] {
      return response.receipt == Receipt::message && outcome.findings.empty() &&
             response.reply.status == Reply::Status::done;
    };
    if (company != Company::none && !outcome.stopped && !passed()) {
      const bool had_memory = response.reply.result != kOutOfMemory;
      outcome = run_once(loaded, job, layout, request, Company::none, response);
      if (had_memory && !outcome.stopped) loaded.reduce_company(!passed());
    }
    if (outcome.stopped) return outcome;
    if (auto findings = findings_of(response, job); !findings.empty()) {
      outcome.findings = std::move(findings);
    }
    return outcome;
  }

 private:
  /// Loads the program into a process that has other jobs, where this program's own jobs find it.
  /// Returns false if that failed, which may be the effect of another job.
  [[nodiscard]] bool load_beside_others(const CudaProgram& program) {
    if (program.company() == Company::none) return false;
    WorkerPool::Lease worker(pool_, program.key(), program.company());
    const auto response = worker.request(program.load_request(), kLoadTimeout);
    const bool received = response.receipt == Receipt::message;
    if (!received || is_sticky(response.reply.result)) worker.discard();
    return received && response.reply.status == Reply::Status::done;
  }

  void load_alone(const CudaProgram& program, const std::string& ptx, const std::string& file) {
    WorkerPool::Lease worker(pool_, program.key(), Company::none);
    const auto response = worker.request(program.load_request(), kLoadTimeout);
    if (response.receipt == Receipt::message && response.reply.status == Reply::Status::rejected) {
      throw InputError(parse_jit_log(response.reply.text, ptx, file));
    }
    expect_loaded(response, worker);
  }

  /// Runs the job once. The outcome contains only the findings in the buffers.
  [[nodiscard]] Outcome run_once(const CudaProgram& program, const Job& job, const Layout& layout,
                                 Request& request, Company company,
                                 WorkerProcess::Response& response) {
    Outcome outcome;
    const bool alone = company == Company::none;
    request.kind = alone ? Request::Kind::run_singly : Request::Kind::run;
    WorkerPool::Lease worker(pool_, program.key(), company);  // may wait for other jobs
    if (job.stop.met()) {
      outcome.stopped = true;
      return outcome;
    }
    const std::span<std::byte> image = worker.image(layout.bytes);
    fill(image, layout, job.buffers);
    response = worker.request(request, timeout_of(job));
    if (response.receipt == Receipt::message &&
        response.reply.status == Reply::Status::unknown_program) {
      response = worker.request(program.load_request(), kLoadTimeout);
      if (alone) expect_loaded(response, worker);
      if (response.receipt == Receipt::message) response = worker.request(request, timeout_of(job));
    }
    const bool ended = response.receipt != Receipt::message || is_sticky(response.reply.result);
    if (ended) worker.discard();
    if (alone) outcome.printed = worker.take_output();
    outcome.seconds = response.reply.seconds;
    if (!ended && response.reply.status == Reply::Status::done) {
      outcome.findings = verify(image, layout, job.buffers);
    }
    outcome.buffers = contents(image, layout);
    return outcome;
  }

  [[nodiscard]] std::chrono::milliseconds timeout_of(const Job& job) const {
    return timeout_ / static_cast<std::int64_t>(job.budget_divisor);
  }

  static void expect_loaded(const WorkerProcess::Response& response, WorkerPool::Lease& worker) {
    const bool received = response.receipt == Receipt::message;
    if (received && response.reply.status == Reply::Status::done) return;
    if (!received || is_sticky(response.reply.result)) worker.discard();
    throw EnvironmentError(
        fmt::format("the NVIDIA driver cannot load the program: {}",
                    received ? response.reply.text
                    : response.receipt == Receipt::late
                        ? fmt::format("no reply within {} ms", kLoadTimeout.count())
                        : response.exit_reason));
  }

  [[nodiscard]] std::vector<Finding> findings_of(const WorkerProcess::Response& response,
                                                 const Job& job) const {
    if (response.receipt == Receipt::late) {
      return {finding(FindingClass::timeout, fmt::format("the launches did not end within {} ms",
                                                         timeout_of(job).count()))};
    }
    if (response.receipt == Receipt::closed) {
      return {finding(FindingClass::launch_failure, response.exit_reason)};
    }
    const Reply& reply = response.reply;
    if (reply.status == Reply::Status::done) return {};
    if (reply.status != Reply::Status::failed) throw EnvironmentError(reply.text);
    return {finding(finding_of(reply.result),
                    fmt::format("{} {}", reply.text, describe_call(job, reply.call)))};
  }

  std::chrono::milliseconds timeout_;
  WorkerPool pool_;
};

}  // namespace

std::unique_ptr<Device> open(const Options& options) {
  return std::make_unique<CudaDevice>(options);
}

bool available(const Options& options) {
  try {
    const WorkerPool pool(options.gpu, 1);
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

}  // namespace warpcheck::device::cuda
