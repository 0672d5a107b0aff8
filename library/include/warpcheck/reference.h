/* The interface between warpcheck and a function of the host that is the reference of an operation. */
#ifndef WARPCHECK_REFERENCE_H
#define WARPCHECK_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number with the largest error that a correct kernel can have in it. The fields after `error`
 * describe the sum that the number is: the terms of a sum may be added in any order. */
typedef struct warpcheck_real {
  double value;
  double error;
  double terms;        /* number of terms that are not exactly zero; 0: no sum */
  double magnitude;    /* sum of the magnitudes of the terms */
  double term_errors;  /* sum of the errors of the terms */
  double factor_terms; /* terms of the longest sum that is a factor of this product */
  int32_t exponent;    /* every term is a multiple of 2^exponent */
  int32_t accumulated; /* 1: made by an accumulation */
} warpcheck_real;

enum warpcheck_operation {
  WARPCHECK_ADD,
  WARPCHECK_SUBTRACT,
  WARPCHECK_ACCUMULATE, /* a term is added to a sum */
  WARPCHECK_MULTIPLY,
  WARPCHECK_DIVIDE,
  WARPCHECK_NEGATE,
  WARPCHECK_ABSOLUTE,
  WARPCHECK_MINIMUM,
  WARPCHECK_MAXIMUM,
  WARPCHECK_FLOOR,
  WARPCHECK_NEARBYINT,
  WARPCHECK_EXP,
  WARPCHECK_LOG,
  WARPCHECK_SQRT,
  WARPCHECK_RSQRT,
  WARPCHECK_TANH,
  WARPCHECK_ERF,
  WARPCHECK_EXP2,
  WARPCHECK_EXPM1,
  WARPCHECK_LOG2,
  WARPCHECK_LOG10,
  WARPCHECK_LOG1P,
  WARPCHECK_CBRT,
  WARPCHECK_SIN,
  WARPCHECK_COS,
  WARPCHECK_TAN,
  WARPCHECK_ASIN,
  WARPCHECK_ACOS,
  WARPCHECK_ATAN,
  WARPCHECK_SINH,
  WARPCHECK_COSH,
  WARPCHECK_ERFC,
  WARPCHECK_CEIL,
  WARPCHECK_TRUNC,
  WARPCHECK_POW,
  WARPCHECK_EQUAL, /* comparisons are 1 or 0; their error is 1 if both are correct */
  WARPCHECK_LESS,
  WARPCHECK_LESS_EQUAL,
  WARPCHECK_SELECT /* x, a comparison, chooses y or z */
};

/* The arithmetic of a kernel. */
typedef struct warpcheck_arithmetic {
  const void* own;
  void (*apply)(const void* own, enum warpcheck_operation operation, const warpcheck_real* x,
                const warpcheck_real* y, const warpcheck_real* z, warpcheck_real* result);
  int* is_uncertain; /* set to 1 if the function branches on a comparison whose error is 1: then any
                        value of its outputs is correct */
} warpcheck_arithmetic;

/* One evaluation of a reference. Tensors are dense, the last dimension fastest; all are in the order of the
 * operation. The elements of integer inputs are int64_t; those of the others, and of the outputs, are
 * warpcheck_real, or double if `arithmetic` is NULL. The function must set every element of the
 * outputs. */
typedef struct warpcheck_reference_call {
  const warpcheck_arithmetic* arithmetic;
  size_t inputs;
  const void* const* input;
  const uint8_t* is_integer; /* one entry for each input */
  size_t outputs;
  void* const* output;
  size_t extents;
  const int64_t* extent;
  size_t scalars;
  const double* scalar;
} warpcheck_reference_call;

#ifdef __cplusplus
}
#endif

#endif
