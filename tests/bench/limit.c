/* How fast this processor makes kernel rows if nothing else held it back: two numbers on a line.

   The first is how many times a second it does  sum += (x - z) * (x - z)  on doubles, three
   roundings each and no fused multiply-add, with x in the first-level cache and all sums in
   registers. The second is how many values of exp it makes a second, by the usual reduction and a
   polynomial of degree 13. Both with the widest vectors that the compiler was told of, SUMS of them
   side by side: with few they wait for one another, with many they do not all stay in registers. */

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
#define LANES (BYTES / 8)
#define FEATURES (16384 / (SUMS * BYTES)) /* 16 kB in all */
#define BURSTS 200
#define ROUNDS 200

typedef double lanes __attribute__((vector_size(BYTES)));
typedef int64_t words __attribute__((vector_size(BYTES)));

static lanes x[FEATURES][SUMS];
static double z[FEATURES];
static lanes kept[SUMS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void distances(void) {
    lanes sum[SUMS];
    for (int k = 0; k < SUMS; k++) sum[k] = kept[k];
    for (int f = 0; f < FEATURES; f++)
#pragma GCC unroll 16
        for (int k = 0; k < SUMS; k++) {
            lanes difference = z[f] - x[f][k];
            sum[k] += difference * difference;
        }
    for (int k = 0; k < SUMS; k++) kept[k] = sum[k];
}

static lanes exponential(lanes v) {
    const double round = 6755399441055744.0; /* 1.5 2^52: adding it leaves a whole number */
    lanes shifted = v * 1.4426950408889634 + round, whole = shifted - round;
    lanes r = v - whole * 0.6931471803691238 - whole * 1.9082149292705877e-10;
    double factorial = 1.0 / 6227020800.0;
    lanes p = (lanes){0} + factorial;
#pragma GCC unroll 13
    for (int k = 13; k > 0; k--) {
        factorial *= k;
        p = p * r + factorial;
    }
    return (lanes)((words)p + ((words)shifted << 52));
}

static void exponentials(void) {
    for (int f = 0; f < FEATURES; f++)
#pragma GCC unroll 4
        for (int k = 0; k < SUMS; k++) kept[k] += exponential(x[f][k]);
}

static double rate(void (*work)(void)) {
    double least = 1e30;
    for (int burst = 0; burst < BURSTS; burst++) {
        double start = now();
        for (int i = 0; i < ROUNDS; i++) work();
        double seconds = now() - start;
        if (seconds < least) least = seconds;
    }
    return ROUNDS * (double)(FEATURES * SUMS * LANES) / least;
}

int main(void) {
    for (int f = 0; f < FEATURES; f++) {
        z[f] = 1.0 / (f + 2);
        for (int k = 0; k < SUMS; k++)
            for (int l = 0; l < LANES; l++) x[f][k][l] = -1.0 / (f + k + l + 1);
    }
    double of_distances = rate(distances), of_exponentials = rate(exponentials), sum = 0;
    for (int k = 0; k < SUMS; k++) sum += kept[k][0];
    printf("%.6g %.6g\n", of_distances, of_exponentials);
    return sum == 12345; /* so that nothing of this is left out */
}
