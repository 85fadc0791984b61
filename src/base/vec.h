/* A growable array of any type: `struct { T *at; size_t n, cap; }`.
 *
 *     VEC(int) numbers = {0};
 *     vec_push(&numbers, 7);          numbers.at[0] == 7, numbers.n == 1
 *     vec_release(&numbers);
 *
 * Elements move when the array grows: keep indices, not addresses. */
#ifndef ASSAY_BASE_VEC_H
#define ASSAY_BASE_VEC_H

#include "base/arena.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, cap;                                                                             \
    }

#define vec_reserve(v, wanted)                                                                     \
    do {                                                                                           \
        size_t vec_wanted_ = (wanted);                                                             \
        if ((v)->cap < vec_wanted_) {                                                              \
            (v)->cap = (v)->cap * 2 > vec_wanted_ ? (v)->cap * 2 : vec_wanted_;                    \
            (v)->cap = (v)->cap < 8 ? 8 : (v)->cap;                                                \
            (v)->at = mem_resize((v)->at, (v)->cap * sizeof *(v)->at);                             \
        }                                                                                          \
    } while (0)

#define vec_push(v, ...)                                                                           \
    do {                                                                                           \
        vec_reserve((v), (v)->n + 1);                                                              \
        (v)->at[(v)->n++] = (__VA_ARGS__);                                                         \
    } while (0)

#define vec_release(v)                                                                             \
    do {                                                                                           \
        free((v)->at);                                                                             \
        (v)->at = NULL;                                                                            \
        (v)->n = (v)->cap = 0;                                                                     \
    } while (0)

/* Sorted by a comparison as qsort takes one. */
#define vec_sort(v, by)                                                                            \
    do {                                                                                           \
        if ((v)->n)                                                                                \
            qsort((v)->at, (v)->n, sizeof *(v)->at, by);                                           \
    } while (0)

/* `i` (a size_t) becomes the number of the first of n sorted elements that is not `before`, which
 * is said of the element `i`; n: all are. */
#define sorted_first(i, n, before)                                                                 \
    do {                                                                                           \
        size_t sorted_low_ = 0, sorted_high_ = (n);                                                \
        while (sorted_low_ < sorted_high_) {                                                       \
            (i) = sorted_low_ + (sorted_high_ - sorted_low_) / 2;                                  \
            if (before)                                                                            \
                sorted_low_ = (i) + 1;                                                             \
            else                                                                                   \
                sorted_high_ = (i);                                                                \
        }                                                                                          \
        (i) = sorted_low_;                                                                         \
    } while (0)

/* For such a comparison: less than 0, 0 or more, as a comes before b, with it or behind it. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

typedef VEC(const char *) string_list;

#endif
