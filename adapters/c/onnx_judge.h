/*
 * The C interface of the judge of onnx-conformance: does what an implementation of ONNX computed conform?
 *
 *     cargo build --release -p onnx-conformance-judge-c
 *     cc -std=c11 -o program program.c -Ltarget/release -lonnx_judge -lm
 *
 * It makes libonnx_judge.so (.dylib, .dll) and libonnx_judge.a in target/release; a program that takes the latter links
 * -lpthread -ldl -lm besides. adapters/c/judge.c is a whole program.
 *
 * onnx_judge takes a model of one operator, its inputs and what an implementation returned for them, and judges exactly
 * from the inputs. Nothing is run, read or written. Functions may be called by several threads at a time; a judgement is
 * of one thread at a time. No call ends the process, whatever it is given, as long as the addresses are what they should be.
 */
#ifndef ONNX_JUDGE_H
#define ONNX_JUDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor: its elements in row-major order, little-endian, as in the field raw_data of ONNX's TensorProto. */
typedef struct onnx_judge_tensor {
    const void *data;
    size_t size;          /* in bytes */
    int32_t element_type; /* by its number in TensorProto.DataType: 1 float, 7 int64, 10 float16, 11 double, .. */
    const int64_t *shape;
    size_t rank;
} onnx_judge_tensor;

/* A judgement, to be freed by onnx_judgement_free. What its functions return lives as long as it. */
typedef struct onnx_judgement onnx_judgement;

/* What onnx_judge returns. */
enum {
    ONNX_JUDGE_OK = 0,       /* there is a judgement, whatever it says */
    ONNX_JUDGE_ARGUMENT = 1, /* an address is NULL, or there are more inputs than the model has */
    ONNX_JUDGE_MODEL = 2,    /* the bytes hold no model */
    ONNX_JUDGE_TENSOR = 3,   /* a tensor's type, shape and size do not fit */
    ONNX_JUDGE_PROFILE = 4,  /* there is no such profile */
    ONNX_JUDGE_INTERNAL = 5  /* a defect of the judge */
};

/*
 * Judges outputs of a model, which are in the order of the graph's outputs; the inputs are those of the graph that are no
 * initialisers, in their order, of which trailing ones may be left out. `profile` is the name of an accuracy profile, such
 * as "onnx-exact"; NULL is "exact". Where it does not return ONNX_JUDGE_OK, *judgement is NULL, and why is written to
 * `error`, where that is not NULL, as a string of at most error_size bytes with its zero byte.
 */
int32_t onnx_judge(const void *model, size_t model_size, const onnx_judge_tensor *inputs, size_t input_count,
                   const onnx_judge_tensor *outputs, size_t output_count, const char *profile,
                   onnx_judgement **judgement, char *error, size_t error_size);

/* "pass", "fail", or "out_of_domain" where nothing decides. */
const char *onnx_judgement_verdict(const onnx_judgement *judgement);
/* The verdict and why, and the worst elements, in lines. */
const char *onnx_judgement_text(const onnx_judgement *judgement);
/* Elements that were compared, that do not conform, and that nothing decides. */
uint64_t onnx_judgement_elements(const onnx_judgement *judgement);
uint64_t onnx_judgement_mismatches(const onnx_judgement *judgement);
uint64_t onnx_judgement_undecided(const onnx_judgement *judgement);

/* The worst elements that differ from what is expected, those that do not conform first; at most 8 of an output. */
size_t onnx_judgement_worst_count(const onnx_judgement *judgement);
const char *onnx_judgement_worst_text(const onnx_judgement *judgement, size_t place);
/* Its output and coordinates, of which the first `rank` are written; returns how many there are. */
size_t onnx_judgement_worst_index(const onnx_judgement *judgement, size_t place, size_t *output, int64_t *index,
                                  size_t rank);

void onnx_judgement_free(onnx_judgement *judgement);

#ifdef __cplusplus
}
#endif

#endif
