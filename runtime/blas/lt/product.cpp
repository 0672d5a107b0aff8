// A product as its descriptors state it.
#include <fmt/format.h>

#include "runtime/blas/lt/descriptors.hpp"

namespace warpcheck::runtime {
namespace {

// Compute capabilities whose 8-bit floating-point products exist, or accept matrices in any order.
constexpr int kFirstWith8BitFloats = 89;
constexpr int kFirstWithAnyOrders = 100;
constexpr std::int64_t kAlignmentOf8Bits = 16;

constexpr std::array kEpilogues = {
    CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_RELU,      CUBLASLT_EPILOGUE_RELU_AUX,
    CUBLASLT_EPILOGUE_BIAS,     CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
    CUBLASLT_EPILOGUE_DRELU,    CUBLASLT_EPILOGUE_GELU,      CUBLASLT_EPILOGUE_DRELU_BGRAD,
    CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
    CUBLASLT_EPILOGUE_DGELU,    CUBLASLT_EPILOGUE_BGRADA,    CUBLASLT_EPILOGUE_DGELU_BGRAD,
    CUBLASLT_EPILOGUE_BGRADB};

/// The type of a bias that the descriptor does not state.
cudaDataType default_bias_type(const MatmulTypes& types) {
  if (types.scale == CUDA_R_32F && types.d == CUDA_R_8I) return CUDA_R_32F;
  if (!is_8_bit_float(types.a)) return types.d;
  return types.c == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
}

Epilogue epilogue_of(const LtProduct& product, const MatmulTypes& types) {
  Epilogue epilogue;
  epilogue.kind = static_cast<cublasLtEpilogue_t>(product.epilogue);
  epilogue.bias = product.bias;
  epilogue.bias_type = product.bias_type < 0 ? default_bias_type(types)
                                             : static_cast<cudaDataType>(product.bias_type);
  epilogue.bias_stride = product.bias_stride;
  epilogue.aux = product.aux;
  epilogue.aux_type = product.aux_type < 0 ? types.d : static_cast<cudaDataType>(product.aux_type);
  epilogue.aux_leading = product.aux_leading;
  epilogue.aux_stride = product.aux_stride;
  epilogue.a_scale = product.scales[0];
  epilogue.b_scale = product.scales[1];
  epilogue.c_scale = product.scales[2];
  epilogue.d_scale = product.scales[3];
  epilogue.aux_scale = product.aux_scale;
  epilogue.d_amax = product.d_amax;
  epilogue.aux_amax = product.aux_amax;
  return epilogue;
}

cublasStatus_t check_implemented(const BlasCall& call, const LtProduct& product) {
  const bool has_scale_modes =
      std::any_of(std::begin(product.scale_modes), std::end(product.scale_modes),
                  [](std::int32_t mode) { return mode != 0; });
  if (has_scale_modes || product.out_scale != nullptr) {
    return call.unsupported("scales of blocks and vectors");
  }
  if (product.alpha_stride != 0)
    return call.unsupported("a factor for each row and matrix of a batch");
  if (product.fill != CUBLAS_FILL_MODE_FULL) return call.unsupported("a fill mode");
  if (product.transc != CUBLAS_OP_N) return call.not_supported("C is transposed");
  return CUBLAS_STATUS_SUCCESS;
}

/// Only matrices with 8-bit floating-point elements have a scale, and a largest magnitude that is
/// written.
cublasStatus_t check_scales(const BlasCall& call, const Matmul& matmul) {
  const Epilogue& epilogue = matmul.epilogue;
  const std::tuple<const char*, const void*, cudaDataType> scales[] = {
      {"a scale of A", epilogue.a_scale, matmul.types.a},
      {"a scale of B", epilogue.b_scale, matmul.types.b},
      {"a scale of C", epilogue.c_scale, matmul.types.c},
      {"a scale of D", epilogue.d_scale, matmul.types.d},
      {"the largest magnitude of D", epilogue.d_amax, matmul.types.d},
      {"a scale of the auxiliary matrix", epilogue.aux_scale, epilogue.aux_type},
      {"the largest magnitude of the auxiliary matrix", epilogue.aux_amax, epilogue.aux_type}};
  for (const auto& [name, pointer, type] : scales) {
    if (pointer == nullptr || is_8_bit_float(type)) continue;
    return call.invalid(
        fmt::format("the descriptor has {}, whose elements are {}: only those of 8 bits have one",
                    name, describe(type)));
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// GPUs before Blackwell multiply 8-bit floating-point matrices only if the elements of a sum are
/// consecutive in memory.
cublasStatus_t check_8_bits(const BlasCall& call, const Matmul& matmul) {
  if (!is_8_bit_float(matmul.types.a)) return CUBLAS_STATUS_SUCCESS;
  const int capability = call.runtime().gpu().capability;
  if (capability < kFirstWith8BitFloats) {
    return call.not_supported(
        fmt::format("a device of compute capability {}.{} has no 8-bit floating-point products",
                    capability / 10, capability % 10));
  }
  const bool a_is_consecutive = is_transposed(matmul.a) != matmul.a.row_major;
  const bool b_is_consecutive = is_transposed(matmul.b) == matmul.b.row_major;
  if (capability < kFirstWithAnyOrders && !(a_is_consecutive && b_is_consecutive)) {
    return call.not_supported(
        "before Blackwell, 8-bit floating-point matrices need a transposed A and a B that is not "
        "transposed");
  }
  if (matmul.a.leading % kAlignmentOf8Bits == 0 && matmul.b.leading % kAlignmentOf8Bits == 0) {
    return CUBLAS_STATUS_SUCCESS;
  }
  return call.not_supported(
      "the leading dimensions of 8-bit floating-point matrices are no multiples of 16");
}

cublasStatus_t check_shapes(const BlasCall& call, const LtMatmulArguments& arguments,
                            Matmul& matmul) {
  const LtProduct& product = product_of(arguments.product);
  const auto shape = [](const LtLayout& layout, int op) {
    const auto rows = static_cast<std::int64_t>(layout.rows);
    const auto columns = static_cast<std::int64_t>(layout.columns);
    return op == CUBLAS_OP_N ? std::pair(rows, columns) : std::pair(columns, rows);
  };
  const auto a = shape(layout_of(arguments.a), product.transa);
  const auto b = shape(layout_of(arguments.b), product.transb);
  const auto c = shape(layout_of(arguments.c), CUBLAS_OP_N);
  const auto d = shape(layout_of(arguments.d), CUBLAS_OP_N);
  if (a.first != d.first || b.second != d.second || a.second != b.first || c != d) {
    return call.invalid(fmt::format(
        "op(A) is {} x {}, op(B) is {} x {}, C is {} x {} and D is {} x {}: these do not match",
        a.first, a.second, b.first, b.second, c.first, c.second, d.first, d.second));
  }
  matmul.m = d.first;
  matmul.n = d.second;
  matmul.k = a.second;
  matmul.batch = layout_of(arguments.d).batch;
  for (const cublasLtMatrixLayout_t layout : {arguments.a, arguments.b, arguments.c}) {
    if (layout_of(layout).batch == matmul.batch) continue;
    return call.invalid("the matrices have different batch counts");
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t read_layout(const BlasCall& call, const char* name, const void* address,
                           cublasLtMatrixLayout_t layout, int op, MatrixArgument& matrix) {
  if (layout == nullptr) return call.invalid(fmt::format("the layout of {} is null", name));
  const LtLayout& from = layout_of(layout);
  if (from.order != CUBLASLT_ORDER_COL && from.order != CUBLASLT_ORDER_ROW) {
    return call.unsupported("an order other than CUBLASLT_ORDER_COL and CUBLASLT_ORDER_ROW");
  }
  if (from.plane_offset != 0) return call.unsupported("planar complex matrices");
  if (const auto status = call.check_choice("an operation", op, CUBLAS_OP_C)) return status;
  matrix = {name, address, static_cast<cudaDataType>(from.type), from.leading,
            static_cast<cublasOperation_t>(op)};
  matrix.row_major = from.order == CUBLASLT_ORDER_ROW;
  matrix.stride = from.batch_stride;
  matrix.is_array = from.batch_mode != 0;
  const std::uint64_t least = matrix.row_major ? from.columns : from.rows;
  if (from.leading >= static_cast<std::int64_t>(least)) return CUBLAS_STATUS_SUCCESS;
  return call.invalid(fmt::format("the leading dimension of {} is {}, expected {} or more, its {}",
                                  name, from.leading, least,
                                  matrix.row_major ? "columns" : "rows"));
}

cublasStatus_t read_product(const BlasCall& call, const LtMatmulArguments& arguments,
                            Matmul& matmul) {
  if (arguments.product == nullptr) return call.invalid("the descriptor of the product is null");
  const LtProduct& product = product_of(arguments.product);
  const std::tuple<const char*, cublasLtMatrixLayout_t, int, MatrixArgument*> matrices[] = {
      {"A", arguments.a, product.transa, &matmul.a},
      {"B", arguments.b, product.transb, &matmul.b},
      {"C", arguments.c, CUBLAS_OP_N, &matmul.c},
      {"D", arguments.d, CUBLAS_OP_N, &matmul.d}};
  for (const auto& [name, layout, op, matrix] : matrices) {
    if (const auto status = read_layout(call, name, nullptr, layout, op, *matrix)) return status;
  }
  if (const auto status = check_implemented(call, product)) return status;
  if (const auto status = check_shapes(call, arguments, matmul)) return status;
  matmul.types = {static_cast<cublasComputeType_t>(product.compute),
                  static_cast<cudaDataType>(product.scale),
                  matmul.a.type,
                  matmul.b.type,
                  matmul.c.type,
                  matmul.d.type};
  if (const auto status = check_types(call, matmul.types, true)) return status;
  if (const auto status = check_8_bits(call, matmul)) return status;
  matmul.epilogue = epilogue_of(product, matmul.types);
  if (const auto status = check_scales(call, matmul)) return status;
  const bool is_known =
      std::find(kEpilogues.begin(), kEpilogues.end(), matmul.epilogue.kind) != kEpilogues.end();
  if (!is_known) return call.invalid(fmt::format("there is no epilogue {}", product.epilogue));
  const bool is_real = matmul.types.scale == CUDA_R_32F || matmul.types.scale == CUDA_R_64F ||
                       matmul.types.scale == CUDA_R_16F;
  if (matmul.epilogue.kind != CUBLASLT_EPILOGUE_DEFAULT && !is_real) {
    return call.not_supported("an epilogue with complex numbers or integers");
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace warpcheck::runtime
