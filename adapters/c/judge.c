/*
 * Judges two results of a square root: one that is right, and one that is off by an ULP.
 *
 *     judge sqrt.onnx
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx_judge.h"

static void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *bytes = malloc(1 << 20);
    *size = bytes == NULL ? 0 : fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* The verdict on one result; 0 where it is the one that is wanted. */
static int judged(const void *model, size_t size, const float *x, const float *y, const char *wanted) {
    const int64_t shape[] = {3};
    const onnx_judge_tensor input = {x, 3 * sizeof *x, 1, shape, 1};
    const onnx_judge_tensor output = {y, 3 * sizeof *y, 1, shape, 1};
    onnx_judgement *judgement = NULL;
    char error[256];
    if (onnx_judge(model, size, &input, 1, &output, 1, "exact", &judgement, error, sizeof error) != ONNX_JUDGE_OK) {
        fprintf(stderr, "error: %s\n", error);
        return 1;
    }
    const char *verdict = onnx_judgement_verdict(judgement);
    const int is_other = strcmp(verdict, wanted) != 0;
    printf("%s\n", onnx_judgement_text(judgement));
    for (size_t place = 0; place < onnx_judgement_worst_count(judgement); ++place) {
        size_t at = 0;
        int64_t index = 0;
        const size_t rank = onnx_judgement_worst_index(judgement, place, &at, &index, 1);
        printf("output %zu, element %lld of rank %zu\n", at, (long long)index, rank);
    }
    onnx_judgement_free(judgement);
    return is_other;
}

int main(int count, char **arguments) {
    size_t size = 0;
    void *model = count == 2 ? read_file(arguments[1], &size) : NULL;
    if (model == NULL) {
        fprintf(stderr, "usage: judge sqrt.onnx\n");
        return 2;
    }
    const float x[] = {2.0f, 4.0f, 9.0f};
    const float right[] = {1.41421354f, 2.0f, 3.0f};
    const float wrong[] = {1.41421354f, nextafterf(2.0f, 3.0f), 3.0f};
    int failed = judged(model, size, x, right, "pass");
    failed |= judged(model, size, x, wrong, "fail");
    /* What is wrong with a call is said. */
    onnx_judgement *none = NULL;
    char error[256] = "";
    failed |= onnx_judge(model, 3, NULL, 0, NULL, 0, NULL, &none, error, sizeof error) != ONNX_JUDGE_MODEL;
    failed |= none != NULL || strlen(error) == 0;
    onnx_judgement_free(none);
    free(model);
    return failed;
}
