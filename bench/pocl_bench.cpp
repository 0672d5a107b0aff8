// Runs the tiled16 product in OpenCL by PoCL, which compiles it to the machine code of the CPU and
// checks nothing.
#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpcheck {
namespace {

void require(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " returned " + std::to_string(status));
}

cl_device_id pocl_device() {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  require(clGetPlatformIDs(platforms.size(), platforms.data(), &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count; ++i) {
    std::array<char, 256> name{};
    require(
        clGetPlatformInfo(platforms.at(i), CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr),
        "clGetPlatformInfo");
    if (std::string(name.data()) != "Portable Computing Language") continue;
    cl_device_id device = nullptr;
    require(clGetDeviceIDs(platforms.at(i), CL_DEVICE_TYPE_CPU, 1, &device, nullptr),
            "clGetDeviceIDs");
    return device;
  }
  throw std::runtime_error("OpenCL finds no PoCL");
}

/// A product of n x n matrices on one thread.
class Product {
 public:
  explicit Product(std::size_t n) : n_(n) {
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    cl_device_id device = pocl_device();
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    require(status, "clCreateContext");
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, &status);
    require(status, "clCreateCommandQueueWithProperties");
    std::ifstream in(WARPCHECK_SOURCE_DIR "/bench/sgemm_tiled.cl");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const char* source = text.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
    require(status, "clCreateProgramWithSource");
    require(clBuildProgram(program_, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    kernel_ = clCreateKernel(program_, "sgemm_tiled", &status);
    require(status, "clCreateKernel");
    std::vector<float> twos(n * n, 2.0F);
    for (cl_mem& matrix : matrices_) {
      matrix = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              n * n * sizeof(float), twos.data(), &status);
      require(status, "clCreateBuffer");
    }
    const auto size = static_cast<cl_int>(n);
    for (cl_uint i = 0; i < 3; ++i) {
      require(clSetKernelArg(kernel_, i, sizeof(cl_mem), &matrices_.at(i)), "clSetKernelArg");
      require(clSetKernelArg(kernel_, 3 + i, sizeof size, &size), "clSetKernelArg");
    }
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() {
    for (cl_mem matrix : matrices_) clReleaseMemObject(matrix);
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  void run() {
    const std::array<std::size_t, 2> global{n_, n_};
    const std::array<std::size_t, 2> local{16, 16};
    require(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, global.data(), local.data(), 0,
                                   nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    require(clFinish(queue_), "clFinish");
  }

  [[nodiscard]] bool is_right() {
    std::vector<float> result(n_ * n_);
    require(clEnqueueReadBuffer(queue_, matrices_[2], CL_TRUE, 0, result.size() * sizeof(float),
                                result.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    for (const float element : result) {
      if (element != 4.0F * static_cast<float>(n_)) return false;
    }
    return true;
  }

 private:
  std::size_t n_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::array<cl_mem, 3> matrices_{};
};

/// CPU time of all threads of this process, seconds: PoCL runs kernels on a thread of its own.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void pocl(benchmark::State& state) {
  try {
    Product product(static_cast<std::size_t>(state.range(0)));
    product.run();  // compiles the kernel for this size of a group
    for ([[maybe_unused]] const auto _ : state) {
      const double start = cpu_seconds();
      product.run();
      state.SetIterationTime(cpu_seconds() - start);
    }
    if (!product.is_right()) state.SkipWithError("the product is wrong");
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
  const double size = static_cast<double>(state.range(0));
  state.counters["multiply_adds"] =
      benchmark::Counter(size * size * size, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(pocl)
    ->Name("pocl/tiled16")
    ->Arg(96)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpcheck
