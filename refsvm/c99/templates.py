"""The C text around the formulas: the head, the checks, the decisions and the predictions.

    $name     the prefix of the public names
    pairs     the decision values, one for each pair of classes
    decide    computes them; it returns 0 for an x that is refused, otherwise 1

What the checks are for: FLT_EVAL_METHOD, computing with more digits than a double has (1 widens a
float only, and none is computed with here); the next ones, doubles that are none; then options by
which a compiler takes arithmetic for algebra, and constants for floats. clang tells nothing of the
parts of -ffast-math, but takes them back when it is told to; so do it and gcc with a * b + c
rounded once instead of twice.
"""

HEAD_OF_MODEL = """\
/* A support vector machine for two classes, written by refsvm's export.
 *
 *     double ${name}_decision(const double *x)
 *         the decision value
 *     int ${name}_predict(const double *x)
 *         +1 where the decision value is >= 0, otherwise -1
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN, and 0.
"""

HEAD_OF_REGRESSION = """\
/* A support vector machine for regression, written by refsvm's export.
 *
 *     double ${name}_decision(const double *x)
 *         the decision value f
 *     double ${name}_predict(const double *x)
 *         the value predicted, which is f
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN for both.
"""

HEAD_OF_ONE_CLASS = """\
/* A support vector machine of one class, written by refsvm's export.
 *
 *     double ${name}_decision(const double *x)
 *         the decision value, the score less rho
 *     int ${name}_predict(const double *x)
 *         +1 where the decision value is >= 0, otherwise -1: an outlier
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN, and 0.
"""

HEAD_OF_BALL = """\
/* The smallest ball around most examples, written by refsvm's export.
 *
 *     double ${name}_decision(const double *x)
 *         the squared radius less the squared distance of x from the centre
 *     int ${name}_predict(const double *x)
 *         +1 where the decision value is >= 0, otherwise -1: outside
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN, and 0.
"""

HEAD_OF_TWO = """\
/* A support vector machine for two classes, written by refsvm's export.
 *
 *     double ${name}_decision(const double *x)
 *         the decision value, above 0 for the class ${name}_labels[0]
 *     int ${name}_predict(const double *x)
 *         the place in ${name}_labels of the class of x
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN, and -1.
"""

HEAD_OF_MANY = """\
/* A support vector machine for several classes, written by refsvm's export.
 *
 *     void ${name}_decisions(const double *x, double *pairs)
 *         the decision values of the ${name}_pairs pairs of classes, in the order 0,1  0,2 ..
 *         1,2 ..: each above 0 for the first of its two classes
 *     int ${name}_predict(const double *x)
 *         the place in ${name}_labels of the class of x: the one with the most votes
 *
 * An x that refsvm refuses, because a feature or a kernel value is not finite: NaN, and -1.
"""

HEAD_END = """\
 * For any other the answers are refsvm's, to the last bit. x holds ${name}_features numbers$made.
 *
 *     cc -std=c99 -ffp-contract=off -c ${name}.c
 *
 * No library is needed. The tables take $size bytes; numbers stand in hexadecimal: 0x1.8p+1 is
 * 1.5 times 2^1, exactly. Nothing is allocated, and nothing changes between two calls, so that
 * several threads may call at a time. The processor must round to nearest, and must not flush
 * small numbers to zero; what else the bits need is checked below.
 */
"""

CHECKS_IN_C = """\
#include <float.h>
#include <stddef.h>

#if defined(__TINYC__) && !defined(FLT_EVAL_METHOD) \\
    && (defined(__x86_64__) || defined(__aarch64__))
/* tcc computes with doubles there, and does not say so */
#elif !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1)
#error "not C99, or doubles are computed with more digits than they have (FLT_EVAL_METHOD)"
#endif
#if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128 || DBL_MANT_DIG != 53 \\
    || DBL_MAX_EXP != 1024 || DBL_MIN_EXP != -1021
#error "float and double are not the binary32 and binary64 of IEEE 754"
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) \\
    || defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST)
#error "options such as -ffast-math change the bits"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0
#error "-ffinite-math-only leaves out the tests for what is not finite"
#endif
typedef char ${name}_literals_must_be_doubles[sizeof 1.0 == sizeof(double) ? 1 : -1];
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(precise, on)
#pragma STDC FENV_ACCESS ON
#pragma clang diagnostic pop
#pragma clang fp reassociate(off)
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
"""

DECLARE_ONE = """\
double ${name}_decision(const double *x);
int ${name}_predict(const double *x);
"""

DECLARE_REGRESSION = """\
double ${name}_decision(const double *x);
double ${name}_predict(const double *x);
"""

DECLARE_MANY = """\
void ${name}_decisions(const double *x, double *pairs);
int ${name}_predict(const double *x);
"""

IS_FINITE = """\
static int is_finite(double value)
{
    return -DBL_MAX <= value && value <= DBL_MAX;
}
"""

ALL_FINITE = """\
static int all_finite(const double *x)
{
    for (size_t k = 0; k < ${name}_features; k++)
        if (!is_finite(x[k]))
            return 0;
    return 1;
}
"""

NOT_A_NUMBER = """\
static double not_a_number(void)
{
    const double zero = 0.0;
    return zero / zero;
}
"""

DECIDE_BY_WEIGHTS = """\
/* the decision values of the pairs; 0 if x is refused, otherwise 1 */
static int decide(const double *x, double *pairs)
{
    if (!all_finite(x))
        return 0;
    for (size_t p = 0; p < ${name}_pairs; p++)
        pairs[p] = dot(x, p) + offsets[p];
    return 1;
}
"""

DECIDE_BY_CENTRE = """\
/* the decision value; 0 if x is refused, otherwise 1 */
static int decide(const double *x, double *pairs)
{
    if (!all_finite(x))
        return 0;
    pairs[0] = offsets[0] - squared_distance(x, 0);
    return 1;
}
"""

DECIDE_CONSTANT = """\
/* there is no support vector: the same value for all; 0 if x is refused, otherwise 1 */
static int decide(const double *x, double *pairs)
{
    if (!all_finite(x))
        return 0;
    pairs[0] = 0.0 + offsets[0];
    return 1;
}
"""

DECIDE_WITHOUT_X = """\
/* there is no support vector: the same value for all */
static int decide(const double *x, double *pairs)
{
    (void)x;
    pairs[0] = 0.0 + offsets[0];
    return 1;
}
"""

DECIDE_ONE = """\
/* the one decision value; 0 if x is refused, otherwise 1 */
static int decide(const double *x, double *pairs)
{
    double total = 0.0;
    if (!all_finite(x))
        return 0;
    for (size_t v = 0; v < ${name}_vectors; v++) {
        const double value = kernel(x, v);
        if (!is_finite(value))
            return 0;
        total += coefs[v][0] * value;
    }
    pairs[0] = $decision;
    return 1;
}
"""

PLACE_OF = """\
/* the place of the classes p < q among the pairs */
static size_t place_of(size_t p, size_t q)
{
    return p * (2 * ${name}_classes - p - 3) / 2 + q - 1;
}
"""

DECIDE_MANY = """\
/* the decision values of the pairs; 0 if x is refused, otherwise 1 */
static int decide(const double *x, double *pairs)
{
    size_t v = 0;
    if (!all_finite(x))
        return 0;
    for (size_t p = 0; p < ${name}_pairs; p++)
        pairs[p] = 0.0;
    for (size_t c = 0; c < ${name}_classes; c++) {
        for (size_t end = v + counts[c]; v < end; v++) {
            const double value = kernel(x, v);
            if (!is_finite(value))
                return 0;
            for (size_t p = 0; p < c; p++)
                pairs[place_of(p, c)] += coefs[v][p] * value;
            for (size_t q = c + 1; q < ${name}_classes; q++)
                pairs[place_of(c, q)] += coefs[v][q - 1] * value;
        }
    }
    for (size_t p = 0; p < ${name}_pairs; p++)
        pairs[p] += offsets[p];
    return 1;
}
"""

SUM_AND_OFFSET = "total + offsets[0]"
INSIDE_BALL = "offsets[0] - ((own_kernel(x) - 2.0 * total) + $norm2)"

DECISION = """\
double ${name}_decision(const double *x)
{
    double f = 0.0;
    return decide(x, &f) ? f : not_a_number();
}
"""

DECISIONS = """\
void ${name}_decisions(const double *x, double *pairs)
{
    if (!decide(x, pairs))
        for (size_t p = 0; p < ${name}_pairs; p++)
            pairs[p] = not_a_number();
}
"""

PREDICT_SIGN = """\
int ${name}_predict(const double *x)
{
    double f = 0.0;
    if (!decide(x, &f))
        return 0;
    return f >= 0.0 ? 1 : -1;
}
"""

PREDICT_VALUE = """\
double ${name}_predict(const double *x)
{
    return ${name}_decision(x);
}
"""

PREDICT_PLACE = """\
int ${name}_predict(const double *x)
{
    double pairs[${name}_pairs];
    int votes[${name}_classes] = {0};
    size_t pair = 0, best = 0;
    if (!decide(x, pairs))
        return -1;
    for (size_t p = 0; p < ${name}_classes; p++)
        for (size_t q = p + 1; q < ${name}_classes; q++)
            votes[pairs[pair++] > 0.0 ? p : q]++;
    for (size_t c = 1; c < ${name}_classes; c++)
        if (votes[c] > votes[best])
            best = c;
    return (int)best;
}
"""

WITHOUT_LABELS = {  # head, declarations and functions, by what a model is for
    "two classes": (HEAD_OF_MODEL, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
    "regression": (HEAD_OF_REGRESSION, DECLARE_REGRESSION, [DECISION, PREDICT_VALUE]),
    "one class": (HEAD_OF_ONE_CLASS, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
    "ball": (HEAD_OF_BALL, DECLARE_ONE, [DECISION, PREDICT_SIGN]),
}
