/* Compiling one file for a processor that not every machine has (GCC and Clang on x86-64). */

#include <math.h>
#include <stdint.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define ON_X86 1
#else
#define ON_X86 0
#endif

#define AS_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define BEGIN_TARGET(which)                                                                        \
    AS_PRAGMA(clang attribute push(__attribute__((target(which))), apply_to = function))
#define END_TARGET AS_PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(which) AS_PRAGMA(GCC push_options) AS_PRAGMA(GCC target(which))
#define END_TARGET AS_PRAGMA(GCC pop_options)
#endif
