#include "workflows/bench/cublas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::bench {
namespace {

using campaign::Placement;
using contract::Layout;

// Declarations and values of cublasLt.h and library_types.h (cuBLAS reference manual).
using Handle = void*;
constexpr int kComputeOfDescription = 0;
constexpr int kTransposeFirst = 3;
constexpr int kTransposeSecond = 4;
constexpr int kFastSums = 25;  // CUBLASLT_MATMUL_DESC_FAST_ACCUM
constexpr int kMostWorkspace = 1;
constexpr int kOperationN = 0;
constexpr int kOperationT = 1;

std::optional<int> data_type(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return 2;
    case ScalarType::bf16:
      return 14;
    case ScalarType::f32:
    case ScalarType::tf32:
      return 0;
    case ScalarType::f64:
      return 1;
    case ScalarType::s8:
      return 3;
    case ScalarType::s32:
      return 10;
    case ScalarType::e4m3:
      return 28;
    case ScalarType::e5m2:
      return 29;
    default:
      return std::nullopt;
  }
}

bool is_eight_bit_float(ScalarType type) {
  return type == ScalarType::e4m3 || type == ScalarType::e5m2;
}

/// cublasComputeType_t.
int compute_type(const contract::Contract& contract) {
  switch (contract.accumulate) {
    case ScalarType::f16:
      return 64;
    case ScalarType::f64:
      return 70;
    case ScalarType::s32:
      return 72;
    default:
      return contract.type_a == ScalarType::tf32 ? 77 : 68;
  }
}

/// One and zero of the type of the scalars.
struct Scalars {
  alignas(8) std::array<std::byte, 8> one{};
  alignas(8) std::array<std::byte, 8> zero{};
};

template <typename T>
Scalars scalars_of(T one) {
  Scalars result;
  static_assert(sizeof(T) <= 8);
  __builtin_memcpy(result.one.data(), &one, sizeof one);
  return result;
}

Scalars scalars(ScalarType accumulate) {
  switch (accumulate) {
    case ScalarType::f16:
      return scalars_of(std::uint16_t{0x3C00});
    case ScalarType::f64:
      return scalars_of(1.0);
    case ScalarType::s32:
      return scalars_of(std::int32_t{1});
    default:
      return scalars_of(1.0F);
  }
}

/// A matrix in memory, which cuBLAS reads by columns, and the operation that the product applies to
/// it: none, or a transposition.
struct View {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t leading;
  int operation;
};

/// `by_rows`: the product takes the matrix as it lies, if it lies by rows.
View view(const Placement& place, bool by_rows) {
  return {place.line().extent, place.axes[*place.axis_of_lines()].extent, place.line_distance(),
          place.is_by_rows() == by_rows ? kOperationN : kOperationT};
}

}  // namespace

struct Cublas::Library {
  struct Algorithm {
    std::array<std::uint64_t, 8> data;
  };

  struct Heuristic {
    Algorithm algorithm;
    std::size_t workspace_bytes;
    int state;
    float waves;
    std::array<int, 4> reserved;
  };

  int (*create)(Handle* handle);
  int (*description_create)(Handle* description, int compute, int scale);
  int (*description_set)(Handle description, int attribute, const void* value, std::size_t bytes);
  int (*description_destroy)(Handle description);
  int (*layout_create)(Handle* layout, int type, std::uint64_t rows, std::uint64_t columns,
                       std::int64_t leading);
  int (*layout_destroy)(Handle layout);
  int (*preference_create)(Handle* preference);
  int (*preference_set)(Handle preference, int attribute, const void* value, std::size_t bytes);
  int (*preference_destroy)(Handle preference);
  int (*heuristic)(Handle handle, Handle description, Handle a, Handle b, Handle c, Handle d,
                   Handle preference, int requested, Heuristic* results, int* count);
  int (*matmul)(Handle handle, Handle description, const void* alpha, const void* a,
                Handle layout_a, const void* b, Handle layout_b, const void* beta, const void* c,
                Handle layout_c, void* d, Handle layout_d, const Algorithm* algorithm,
                void* workspace, std::size_t workspace_bytes, void* stream);
  Handle handle = nullptr;
};

namespace {

void* open_library() {
  if (const char* chosen = std::getenv("WARPCHECK_LIBCUBLASLT"); chosen != nullptr) {
    return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
  }
  for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  }
  return dlopen("/usr/local/cuda/lib64/libcublasLt.so", RTLD_NOW | RTLD_LOCAL);
}

template <typename Entry>
void bind(void* library, const char* name, Entry& entry) {
  entry = reinterpret_cast<Entry>(dlsym(library, name));
  if (entry == nullptr) throw EnvironmentError(fmt::format("cuBLAS has no function {}", name));
}

}  // namespace

Cublas::Cublas() : library_(std::make_unique<Library>()) {
  void* const library = open_library();
  if (library == nullptr) throw EnvironmentError("libcublasLt.so cannot be opened");
  bind(library, "cublasLtCreate", library_->create);
  bind(library, "cublasLtMatmulDescCreate", library_->description_create);
  bind(library, "cublasLtMatmulDescSetAttribute", library_->description_set);
  bind(library, "cublasLtMatmulDescDestroy", library_->description_destroy);
  bind(library, "cublasLtMatrixLayoutCreate", library_->layout_create);
  bind(library, "cublasLtMatrixLayoutDestroy", library_->layout_destroy);
  bind(library, "cublasLtMatmulPreferenceCreate", library_->preference_create);
  bind(library, "cublasLtMatmulPreferenceSetAttribute", library_->preference_set);
  bind(library, "cublasLtMatmulPreferenceDestroy", library_->preference_destroy);
  bind(library, "cublasLtMatmulAlgoGetHeuristic", library_->heuristic);
  bind(library, "cublasLtMatmul", library_->matmul);
  if (const int status = library_->create(&library_->handle); status != 0) {
    throw EnvironmentError(fmt::format("cublasLtCreate: status {}", status));
  }
}

Cublas::~Cublas() = default;

namespace {

/// The descriptions of one product, destroyed with it.
template <typename Library>
class Product : public CublasProduct {
 public:
  Product(const Library& library, const contract::Contract& contract,
          const campaign::Layouts& layouts, DeviceAddress workspace)
      : library_(library),
        scalars_(scalars(contract.accumulate)),
        swapped_(layouts.output().is_by_rows()),
        workspace_(workspace) {
    // A D by rows is, by columns, the transpose: the product of B and A, transposed.
    const View a = view(layouts.at("A"), swapped_);
    const View b = view(layouts.at("B"), swapped_);
    const Placement& d = layouts.output();
    describe(contract, swapped_ ? b.operation : a.operation, swapped_ ? a.operation : b.operation);
    add_layout(swapped_ ? contract.type_b : contract.type_a, swapped_ ? b : a);
    add_layout(swapped_ ? contract.type_a : contract.type_b, swapped_ ? a : b);
    add_layout(contract.type_c, view(d, swapped_));
  }
  ~Product() override {
    for (const Handle layout : layouts_) {
      if (layout != nullptr) library_.layout_destroy(layout);
    }
    if (description_ != nullptr) library_.description_destroy(description_);
  }

  /// False if the library has no algorithm.
  [[nodiscard]] bool choose_algorithm() {
    Handle preference = nullptr;
    library_.preference_create(&preference);
    const std::size_t bytes = Cublas::kWorkspaceBytes;
    library_.preference_set(preference, kMostWorkspace, &bytes, sizeof bytes);
    int count = 0;
    const int status =
        library_.heuristic(library_.handle, description_, layouts_[0], layouts_[1], layouts_[2],
                           layouts_[2], preference, 1, &chosen_, &count);
    library_.preference_destroy(preference);
    return status == 0 && count > 0;
  }

  void launch(DeviceAddress a, DeviceAddress b, DeviceAddress d) override {
    // NOLINTBEGIN(performance-no-int-to-ptr): addresses of the device
    auto* const to = reinterpret_cast<void*>(d);
    const int status =
        library_.matmul(library_.handle, description_, scalars_.one.data(),
                        reinterpret_cast<void*>(swapped_ ? b : a), layouts_[0],
                        reinterpret_cast<void*>(swapped_ ? a : b), layouts_[1],
                        scalars_.zero.data(), to, layouts_[2], to, layouts_[2], &chosen_.algorithm,
                        reinterpret_cast<void*>(workspace_), Cublas::kWorkspaceBytes, nullptr);
    // NOLINTEND(performance-no-int-to-ptr)
    if (status != 0) throw std::runtime_error(fmt::format("cublasLtMatmul: status {}", status));
  }

 private:
  void describe(const contract::Contract& contract, int first, int second) {
    library_.description_create(&description_, compute_type(contract),
                                *data_type(contract.accumulate));
    library_.description_set(description_, kTransposeFirst, &first, sizeof first);
    library_.description_set(description_, kTransposeSecond, &second, sizeof second);
    // The contract's bound admits the sums of the tensor cores, so cuBLAS may use them, too.
    const std::int8_t fast = 1;
    if (is_eight_bit_float(contract.type_a)) {
      library_.description_set(description_, kFastSums, &fast, sizeof fast);
    }
  }
  void add_layout(ScalarType type, const View& view) {
    Handle& layout = layouts_.at(count_++);
    library_.layout_create(&layout, *data_type(type), static_cast<std::uint64_t>(view.rows),
                           static_cast<std::uint64_t>(view.columns), view.leading);
  }

  const Library& library_;
  Scalars scalars_;
  bool swapped_;
  DeviceAddress workspace_;
  Handle description_ = nullptr;
  std::array<Handle, 3> layouts_{};
  std::size_t count_ = 0;
  typename Library::Heuristic chosen_{};
};

/// The reason why cuBLAS has no such case; empty if it may have one.
std::string unlike_cublas(const contract::Contract& contract, const campaign::Case& line) {
  if (line.number("batch") != 1.0) return "a batch";
  for (const ScalarType type : {contract.type_a, contract.type_b, contract.type_c}) {
    if (!data_type(type)) return fmt::format("no type {}", name(type));
  }
  return {};
}

}  // namespace

std::unique_ptr<CublasProduct> Cublas::product(const contract::Contract& contract,
                                               const campaign::Case& line,
                                               const campaign::Layouts& layouts,
                                               DeviceAddress workspace, std::string& reason) const {
  reason = unlike_cublas(contract, line);
  if (!reason.empty()) return nullptr;
  auto product = std::make_unique<Product<Library>>(*library_, contract, layouts, workspace);
  if (product->choose_algorithm()) return product;
  reason = "cuBLAS has no such product";
  return nullptr;
}

}  // namespace warpcheck::workflows::bench
