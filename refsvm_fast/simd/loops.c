/* The table of loops.h. This file knows no processor: the file that includes it says in VECTOR how
many bytes are computed side by side, in TABLE what the table is called and in NAME what users call
it; without these it is the baseline. COUNTED(..) is count_bits(..) with instructions that only some
of the table's processors have; it returns 0, having done nothing, where this one has not. */

#include <math.h>
#include <stdint.h>

#include "loops.h"

#ifndef TABLE
#define TABLE refsvm_loops_baseline
#define NAME "baseline"
#ifndef BASELINE
#define BASELINE 16 /* tests have 64, too: as many lanes as AVX-512 on any processor */
#endif
#define VECTOR BASELINE
#endif

#include "vectors.h"
#include "sums.h"
#include "exp_tanh.h"
#include "selection.h"
#include "packing.h"

const Loops TABLE = {
    NAME, LANES,
    products, squares, two_products, weigh,
    exps, tanhs, powers, sums_of_powers, count_bits, mark, largest,
    update_pair, update_single, partner, best_alone, first_outside,
    gather_columns, subtract_rows, subtract, add_squares, step, dots, survey, side_by_side,
    nonzero_places, count_below, next_below, differ_exactly, count_equal, rough_sum,
};
