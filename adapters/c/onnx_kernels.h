/*
 * The C ABI of onnx-conformance: kernels of ONNX operators in a shared library.
 *
 * Include this header, define the functions that you have, and compile a shared library:
 *
 *     cc -std=c11 -O2 -shared -fPIC -o libkernels.so kernels.c
 *     onnx-conformance run --c-abi ./libkernels.so
 *
 * A function that is not there counts as unsupported. Each works on n elements, which may be 0, in
 * memory that is aligned for its type; operands and result do not overlap. It writes every element
 * of the result and returns 0, or returns another status, by which it says that it has not computed
 * the result. float16 (IEEE 754 binary16) and bfloat16 elements are their bits in a uint16_t.
 */
#ifndef ONNX_KERNELS_H
#define ONNX_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Declared here are the functions of Div and Sqrt, for all types. Those of every other operator that computes
 * element by element, without attributes and on operands of the result's type, have the same form: one of Exp on float32 is
 *
 *     int32_t onnx_exp_float32(const float *x, float *y, size_t n);
 */

/* Div: c[i] = a[i] / b[i], integers truncated towards zero. */
int32_t onnx_div_float16(const uint16_t *a, const uint16_t *b, uint16_t *c, size_t n);
int32_t onnx_div_bfloat16(const uint16_t *a, const uint16_t *b, uint16_t *c, size_t n);
int32_t onnx_div_float32(const float *a, const float *b, float *c, size_t n);
int32_t onnx_div_float64(const double *a, const double *b, double *c, size_t n);
int32_t onnx_div_int8(const int8_t *a, const int8_t *b, int8_t *c, size_t n);
int32_t onnx_div_int16(const int16_t *a, const int16_t *b, int16_t *c, size_t n);
int32_t onnx_div_int32(const int32_t *a, const int32_t *b, int32_t *c, size_t n);
int32_t onnx_div_int64(const int64_t *a, const int64_t *b, int64_t *c, size_t n);
int32_t onnx_div_uint8(const uint8_t *a, const uint8_t *b, uint8_t *c, size_t n);
int32_t onnx_div_uint16(const uint16_t *a, const uint16_t *b, uint16_t *c, size_t n);
int32_t onnx_div_uint32(const uint32_t *a, const uint32_t *b, uint32_t *c, size_t n);
int32_t onnx_div_uint64(const uint64_t *a, const uint64_t *b, uint64_t *c, size_t n);

/* Sqrt: y[i] = the square root of x[i]. */
int32_t onnx_sqrt_float16(const uint16_t *x, uint16_t *y, size_t n);
int32_t onnx_sqrt_bfloat16(const uint16_t *x, uint16_t *y, size_t n);
int32_t onnx_sqrt_float32(const float *x, float *y, size_t n);
int32_t onnx_sqrt_float64(const double *x, double *y, size_t n);

#ifdef __cplusplus
}
#endif

#endif
