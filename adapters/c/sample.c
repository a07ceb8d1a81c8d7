/*
 * A sample of the C ABI: every kernel in plain C, rounded correctly.
 *
 *     cc -std=c11 -O2 -ffp-contract=off -fno-fast-math -shared -fPIC -o libsample.so sample.c -lm
 *
 * float32 and float64 rely on the compiler's division and sqrt following IEEE 754, which holds
 * where FLT_EVAL_METHOD is 0 and no fast-math option is given. Integer quotients are truncated
 * towards zero. Where C leaves an integer quotient undefined, nothing is computed: a divisor of
 * zero is answered by the status UNDEFINED, the minimum divided by -1, which no value of the type
 * is, by OVERFLOWS.
 */
#include "onnx_kernels.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float and double must be computed in their own precision");

enum status { DONE = 0, UNDEFINED = 1, OVERFLOWS = 2 };

/* The formats of 16 bits, by the bits of their fraction; sign and exponent have the others. */
enum { FLOAT16 = 10, BFLOAT16 = 7 };

#define SIGN 0x8000u

/* What is added to an exponent to make the field that is stored. */
static int bias(int fraction)
{
    return (1 << (14 - fraction)) - 1;
}

/* The bits of infinity: the largest exponent field, no fraction. */
static unsigned infinity_bits(int fraction)
{
    return 0x7fffu >> fraction << fraction;
}

/* The number that these bits are; exact, as double has more of both exponent and fraction. */
static double widen(uint16_t bits, int fraction)
{
    const unsigned magnitude = bits & ~SIGN;
    const int field = (int)(magnitude >> fraction);
    double value;

    if (magnitude > infinity_bits(fraction)) {
        value = NAN;
    } else if (magnitude == infinity_bits(fraction)) {
        value = INFINITY;
    } else if (field == 0) {
        value = ldexp(magnitude, 1 - bias(fraction) - fraction);
    } else {
        const unsigned significand = magnitude - ((unsigned)(field - 1) << fraction);
        value = ldexp(significand, field - bias(fraction) - fraction);
    }
    return bits & SIGN ? -value : value;
}

/*
 * The bits of the format's value nearest to a double, ties to even.
 *
 * A quotient or root of two values of p bits that is first rounded to at least 2p + 2 bits is never
 * moved onto or across the middle between two values of p bits (or fewer, where they are
 * subnormal), so rounding it twice gives what rounding it once does: double has 53, float16 needs
 * 24 and bfloat16 18.
 */
static uint16_t narrow(double value, int fraction)
{
    const unsigned sign = signbit(value) ? SIGN : 0;
    const double magnitude = fabs(value);
    int field;
    double steps;

    if (isnan(value)) {
        return (uint16_t)(sign | infinity_bits(fraction) | 1u << (fraction - 1));
    }
    /* Also where infinity takes part: every value from the next power of two on is out of range. */
    if (magnitude >= ldexp(1, bias(fraction) + 1)) {
        return (uint16_t)(sign | infinity_bits(fraction));
    }
    field = magnitude == 0 ? 1 : ilogb(magnitude) + bias(fraction);
    if (field < 1) {
        field = 1;
    }
    /* Multiples of the distance between values here. Rounding up to the next power of two carries
       into the exponent field, up to infinity, as it should. */
    steps = nearbyint(ldexp(magnitude, bias(fraction) + fraction - field));
    return (uint16_t)(sign | (((unsigned)(field - 1) << fraction) + (unsigned)steps));
}

#define DIV_NARROW(type, fraction)                                                                 \
    int32_t onnx_div_##type(const uint16_t *a, const uint16_t *b, uint16_t *c, size_t n)           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            c[i] = narrow(widen(a[i], fraction) / widen(b[i], fraction), fraction);                \
        }                                                                                          \
        return DONE;                                                                               \
    }

#define SQRT_NARROW(type, fraction)                                                                \
    int32_t onnx_sqrt_##type(const uint16_t *x, uint16_t *y, size_t n)                             \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            y[i] = narrow(sqrt(widen(x[i], fraction)), fraction);                                  \
        }                                                                                          \
        return DONE;                                                                               \
    }

#define DIV_FLOAT(type, T)                                                                         \
    int32_t onnx_div_##type(const T *a, const T *b, T *c, size_t n)                                \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            c[i] = a[i] / b[i];                                                                    \
        }                                                                                          \
        return DONE;                                                                               \
    }

#define SQRT_FLOAT(type, T, root)                                                                  \
    int32_t onnx_sqrt_##type(const T *x, T *y, size_t n)                                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            y[i] = root(x[i]);                                                                     \
        }                                                                                          \
        return DONE;                                                                               \
    }

#define DIV_SIGNED(type, T, minimum)                                                               \
    int32_t onnx_div_##type(const T *a, const T *b, T *c, size_t n)                                \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (b[i] == 0) {                                                                       \
                return UNDEFINED;                                                                  \
            }                                                                                      \
            if (a[i] == (minimum) && b[i] == -1) {                                                 \
                return OVERFLOWS;                                                                  \
            }                                                                                      \
            c[i] = (T)(a[i] / b[i]);                                                               \
        }                                                                                          \
        return DONE;                                                                               \
    }

#define DIV_UNSIGNED(type, T)                                                                      \
    int32_t onnx_div_##type(const T *a, const T *b, T *c, size_t n)                                \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (b[i] == 0) {                                                                       \
                return UNDEFINED;                                                                  \
            }                                                                                      \
            c[i] = (T)(a[i] / b[i]);                                                               \
        }                                                                                          \
        return DONE;                                                                               \
    }

DIV_NARROW(float16, FLOAT16)
DIV_NARROW(bfloat16, BFLOAT16)
DIV_FLOAT(float32, float)
DIV_FLOAT(float64, double)
DIV_SIGNED(int8, int8_t, INT8_MIN)
DIV_SIGNED(int16, int16_t, INT16_MIN)
DIV_SIGNED(int32, int32_t, INT32_MIN)
DIV_SIGNED(int64, int64_t, INT64_MIN)
DIV_UNSIGNED(uint8, uint8_t)
DIV_UNSIGNED(uint16, uint16_t)
DIV_UNSIGNED(uint32, uint32_t)
DIV_UNSIGNED(uint64, uint64_t)

SQRT_NARROW(float16, FLOAT16)
SQRT_NARROW(bfloat16, BFLOAT16)
SQRT_FLOAT(float32, float, sqrtf)
SQRT_FLOAT(float64, double, sqrt)
