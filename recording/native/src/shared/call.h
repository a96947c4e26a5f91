#ifndef KYMO_CALL_H
#define KYMO_CALL_H

#include <stdint.h>

/* A call of a function that a thread is executing. */
struct call {
  uintptr_t function; /* 0: none */
  uintptr_t site; /* the return address */
  uintptr_t frame; /* of the hook at the call's begin */
  uint32_t number; /* of the function in the recording */
  uint32_t slot; /* of its counter; 0: the call's begin and end are events */
  uint64_t begin; /* clock; 0: the call is not timed */
};

#endif
