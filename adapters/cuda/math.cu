/*
 * CUDA's own functions behind the C ABI: each operator is the function of CUDA's math library that
 * has its name, and Div, Reciprocal and Sqrt are its division and square root.
 *
 *     nvcc -O2 -arch=native -shared -Xcompiler -fPIC -I adapters/c \
 *         -o libcuda-math.so adapters/cuda/math.cu
 *     nvcc -O2 -arch=native -shared -Xcompiler -fPIC -I adapters/c --use_fast_math \
 *         -o libcuda-fast-math.so adapters/cuda/math.cu
 *     onnx-conformance atlas --type float32 --c-abi ./libcuda-math.so --c-abi ./libcuda-fast-math.so
 *
 * With --use_fast_math the compiler takes its intrinsics (`__expf`, `__fdividef`, ..) and flushes
 * subnormal numbers of float32. float16 and bfloat16 have the functions that cuda_fp16.h and
 * cuda_bf16.h have. CUDA's documentation ("Mathematical Functions" of the CUDA C++ Programming
 * Guide) states an error for each function; that is what can be checked here.
 */
#include "onnx_kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

/* Statuses of functions other than 0. */
enum status { NO_MEMORY = 1, NOT_COMPUTED = 2 };

/* Memory of the device that one call after the other uses; it only grows. */
struct Memory {
    void *bytes = nullptr;
    size_t size = 0;

    bool holds(size_t wanted)
    {
        if (wanted <= size) {
            return true;
        }
        cudaFree(bytes);
        size = cudaMalloc(&bytes, wanted) == cudaSuccess ? wanted : 0;
        return size == wanted;
    }
};

template <typename T, typename Function>
__global__ void each(Function function, const T *a, const T *b, T *c, size_t n)
{
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < n) {
        c[at] = function(a[at], b ? b[at] : a[at]);
    }
}

/* Computes a function of n elements of one operand or of two. */
template <typename T, typename Function, typename Bits>
int32_t computed(Function function, const Bits *a, const Bits *b, Bits *c, size_t n)
{
    static_assert(sizeof(T) == sizeof(Bits), "elements are given as their bits");
    static thread_local Memory memory[3];
    const size_t size = n * sizeof(T);
    if (n == 0) {
        return 0;
    }
    for (Memory &one : memory) {
        if (!one.holds(size)) {
            return NO_MEMORY;
        }
    }
    T *const operands[2] = {(T *)memory[0].bytes, b ? (T *)memory[1].bytes : nullptr};
    T *const result = (T *)memory[2].bytes;
    const unsigned threads = 256;
    if (cudaMemcpy(operands[0], a, size, cudaMemcpyHostToDevice) != cudaSuccess
        || (b && cudaMemcpy(operands[1], b, size, cudaMemcpyHostToDevice) != cudaSuccess)) {
        return NOT_COMPUTED;
    }
    each<T><<<(unsigned)((n + threads - 1) / threads), threads>>>(
        function, operands[0], operands[1], result, n);
    if (cudaGetLastError() != cudaSuccess
        || cudaMemcpy(c, result, size, cudaMemcpyDeviceToHost) != cudaSuccess) {
        return NOT_COMPUTED;
    }
    return 0;
}

} // namespace

/* The functor and the function of one operator on one type, whose operands are x and y. */
#define FUNCTION(op, name, bits, type, value, parameters, arguments)                                \
    struct op##_##name {                                                                           \
        __device__ type operator()(type x, [[maybe_unused]] type y) const { return value; }        \
    };                                                                                             \
    extern "C" int32_t onnx_##op##_##name parameters { return computed<type> arguments; }

#define ONE(op, name, bits, type, value)                                                           \
    FUNCTION(op, name, bits, type, value, (const bits *x, bits *y, size_t n),                      \
             (op##_##name(), x, (const bits *)nullptr, y, n))

#define TWO(op, name, bits, type, value)                                                           \
    FUNCTION(op, name, bits, type, value, (const bits *a, const bits *b, bits *c, size_t n),       \
             (op##_##name(), a, b, c, n))

/* A function of float32, whose name ends with f, and of float64. */
#define ONE_OF_BOTH(op, function)                                                                  \
    ONE(op, float32, float, float, function##f(x))                                                 \
    ONE(op, float64, double, double, function(x))

/* An intrinsic of float16 and bfloat16. */
#define ONE_OF_16_BITS(op, function)                                                               \
    ONE(op, float16, uint16_t, __half, function(x))                                                \
    ONE(op, bfloat16, uint16_t, __nv_bfloat16, function(x))

ONE_OF_BOTH(acos, acos)
ONE_OF_BOTH(acosh, acosh)
ONE_OF_BOTH(asin, asin)
ONE_OF_BOTH(asinh, asinh)
ONE_OF_BOTH(atan, atan)
ONE_OF_BOTH(atanh, atanh)
ONE_OF_BOTH(cos, cos)
ONE_OF_BOTH(cosh, cosh)
ONE_OF_BOTH(erf, erf)
ONE_OF_BOTH(exp, exp)
ONE_OF_BOTH(log, log)
ONE_OF_BOTH(sin, sin)
ONE_OF_BOTH(sinh, sinh)
ONE_OF_BOTH(sqrt, sqrt)
ONE_OF_BOTH(tan, tan)
ONE_OF_BOTH(tanh, tanh)
ONE(reciprocal, float32, float, float, 1.0f / x)
ONE(reciprocal, float64, double, double, 1.0 / x)
TWO(div, float32, float, float, x / y)
TWO(div, float64, double, double, x / y)
TWO(pow, float32, float, float, powf(x, y))
TWO(pow, float64, double, double, pow(x, y))

ONE_OF_16_BITS(cos, hcos)
ONE_OF_16_BITS(exp, hexp)
ONE_OF_16_BITS(log, hlog)
ONE_OF_16_BITS(reciprocal, hrcp)
ONE_OF_16_BITS(sin, hsin)
ONE_OF_16_BITS(sqrt, hsqrt)
ONE_OF_16_BITS(tanh, htanh)
TWO(div, float16, uint16_t, __half, __hdiv(x, y))
TWO(div, bfloat16, uint16_t, __nv_bfloat16, __hdiv(x, y))
