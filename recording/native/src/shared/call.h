#ifndef KYMO_CALL_H
#define KYMO_CALL_H

#include <stdint.h>

/* Bytes from what a call has as its hook's frame to the caller's stack pointer. */
enum { HOOK_TO_CALLER = 2 * sizeof(void *) };

/* The frame of the hook that uses it. On x86-64 the frame's address lies at that distance from the caller's stack
 * pointer by itself; on ARM64 it lies at the other end of the frame. */
#if defined(__x86_64__)
#define HOOKS_FRAME __builtin_frame_address(0)
#else
#define HOOKS_FRAME ((void *) ((uintptr_t) __builtin_dwarf_cfa() - HOOK_TO_CALLER))
#endif

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
