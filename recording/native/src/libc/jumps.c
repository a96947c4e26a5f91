/* Wrappers of functions of libc by which a program leaves calls without their hooks, or unloads code. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "api/library.h"
#include "base/guest.h"
#include "calls/calls.h"
#include "calls/functions.h"
#include "control/join.h"
#include "kymo.h"
#include "shared/process.h"

enum { LARGEST_FRAME = 4096 };

typedef void jump(struct __jmp_buf_tag[1], int);

static jump *real_longjmp;
static jump *real_short_longjmp;
static jump *real_siglongjmp;
static jump *real_checked_longjmp;
static int (*real_dlclose)(void *);
static bool understood;

#if defined(__aarch64__)
enum { STACK_POINTER = 13 };

static uintptr_t pointer_guard; /* which all stack pointers in jump buffers are encrypted with, by exclusive or */

/* It cannot be read, so a stack pointer that is known is encrypted. The function has one stack pointer all the time. */
static __attribute__((noinline)) uintptr_t find_guard(void) {
  jmp_buf here;
  uintptr_t pointer;
  if (_setjmp(here) != 0) {
    return 0;
  }
  __asm__ volatile("mov %0, sp" : "=r"(pointer) : : "memory");
  return (uintptr_t) here->__jmpbuf[STACK_POINTER] ^ pointer;
}
#endif

/* The stack pointer that a jump restores, encrypted: the seventh word, the fourteenth on ARM64. */
static uintptr_t stack_pointer(const struct __jmp_buf_tag *target) {
#if defined(__x86_64__)
  uintptr_t pointer = (uintptr_t) target->__jmpbuf[6];
  __asm__("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(pointer) : : "cc");
  return pointer;
#elif defined(__aarch64__)
  return (uintptr_t) target->__jmpbuf[STACK_POINTER] ^ pointer_guard;
#else
  (void) target;
  return 0;
#endif
}

/* A test, because another libc may store it elsewhere. */
static __attribute__((noinline)) bool is_understood(void) {
  jmp_buf here;
  uintptr_t frame = (uintptr_t) __builtin_frame_address(0);
  if (_setjmp(here) != 0) {
    return false;
  }
  uintptr_t pointer = stack_pointer(here);
  return pointer <= frame && frame - pointer < LARGEST_FRAME;
}

static bool contains(const stack_t *stack, uintptr_t address) {
  uintptr_t bottom = (uintptr_t) stack->ss_sp;
  return (stack->ss_flags & SS_DISABLE) == 0 && address >= bottom
      && address - bottom < stack->ss_size;
}

/* The innermost call that a jump does not leave; NULL if it leaves all calls. */
static const struct call *remaining(uintptr_t target) {
  stack_t own;
  if (sigaltstack(NULL, &own) != 0) {
    own.ss_flags = SS_DISABLE;
  }
  const struct call *call = ky_calls.top - 1;
  for (; call >= ky_calls.bottom; call--) {
    bool same_stack = contains(&own, call->frame) == contains(&own, target);
    bool left = same_stack ? call->frame + HOOK_TO_CALLER < target : contains(&own, call->frame);
    if (!left) {
      return call;
    }
  }
  return NULL;
}

static void leave_calls(const struct __jmp_buf_tag *target, const void *frame) {
  if (ky_calls.bottom == NULL || ky_calls.top == ky_calls.bottom || !understood) {
    return;
  }
  const struct call *last = remaining(stack_pointer(target));
  if (last == ky_calls.top - 1) {
    return;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_joined(&guard);
  if (process != NULL && ky_calls.generation == process->generation) {
    ky_calls_unwind(process, last, frame);
  }
  ky_guard_end(&guard);
}

static void *next(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor(102))) void find(void) {
  real_longjmp = (jump *) next("longjmp");
  real_short_longjmp = (jump *) next("_longjmp");
  real_siglongjmp = (jump *) next("siglongjmp");
  real_checked_longjmp = (jump *) next("__longjmp_chk");
  real_dlclose = (int (*)(void *)) next("dlclose");
#if defined(__aarch64__)
  pointer_guard = find_guard();
#endif
  understood = is_understood();
}

/* Before the constructors have run there is no other thread, and no handler. */
#define JUMP(name, real)                                     \
  KYMO_API void name(struct __jmp_buf_tag target[1], int value) __attribute__((noreturn)); \
  void name(struct __jmp_buf_tag target[1], int value) {     \
    leave_calls(target, __builtin_frame_address(0));         \
    if (real == NULL) {                                      \
      find();                                                \
    }                                                        \
    real(target, value);                                     \
    __builtin_unreachable();                                 \
  }

JUMP(longjmp, real_longjmp)
JUMP(_longjmp, real_short_longjmp)
JUMP(siglongjmp, real_siglongjmp)
JUMP(__longjmp_chk, real_checked_longjmp)

KYMO_API int dlclose(void *handle);

int dlclose(void *handle) {
  struct guard guard;
  if (real_dlclose == NULL) {
    find();
  }
  ky_guard_begin(&guard);
  bool known = ky_begun();
  if (known) {
    ky_functions_unloading();
  }
  ky_guard_end(&guard);
  int result = real_dlclose(handle);
  if (!known) {
    return result;
  }
  ky_guard_begin(&guard);
  ky_functions_unloaded();
  ky_guard_end(&guard);
  return result;
}
