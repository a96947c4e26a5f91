/* Events of the program that FreshLttngTest records. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER steps

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./steps.h"

#if !defined(STEPS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define STEPS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    steps, step, LTTNG_UST_TP_ARGS(int, number, const char *, text, double, part),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(int, number, number)
        lttng_ust_field_integer_hex(unsigned long, address, 0xfedcba9876543210UL + number)
        lttng_ust_field_string(text, text)
        lttng_ust_field_float(double, part, part)))

#endif

#include <lttng/tracepoint-event.h>
