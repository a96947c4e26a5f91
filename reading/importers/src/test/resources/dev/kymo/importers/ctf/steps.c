#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "steps.h"

int main(void) {
  for (int i = 0; i < 300; i++) {
    lttng_ust_tracepoint(steps, step, i - 150, i % 3 ? "of \"many\"" : "one", i / 7.0);
  }
  return 0;
}
