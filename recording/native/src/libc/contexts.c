/* Wrappers for programs that switch stacks with ucontext.h. In the recording a context is like a virtual thread: a
 * thread of its own that runs on one of the program's threads. */
#include <dlfcn.h>
#include <stdio.h>
#include <ucontext.h>

#include "base/guest.h"
#include "calls/calls.h"
#include "control/join.h"
#include "kymo.h"
#include "shared/process.h"
#include "shared/ring.h"
#include "shared/threads.h"

enum { BUCKETS = 1024 };

/* A stack that a context was made for; all contexts that use the stack after each other share it. */
struct context {
  struct context *next;
  const void *stack;
  bool fresh; /* has not run yet */
  struct calls calls;
};

/* The state of a thread when it leaves a stack. */
struct stay {
  struct calls calls;
  uint32_t running;
};

static struct context *buckets[BUCKETS]; /* lists that only grow, at their head */
static int (*real_swapcontext)(ucontext_t *, const ucontext_t *);
static int (*real_setcontext)(const ucontext_t *);
__attribute__((used)) static void (*real_makecontext)(void);

static __attribute__((constructor(102))) void find(void) {
  real_swapcontext = (int (*)(ucontext_t *, const ucontext_t *)) dlsym(RTLD_NEXT, "swapcontext");
  real_setcontext = (int (*)(const ucontext_t *)) dlsym(RTLD_NEXT, "setcontext");
  real_makecontext = (void (*)(void)) dlsym(RTLD_NEXT, "makecontext");
}

static struct context **bucket_of(const void *stack) {
  return &buckets[((uintptr_t) stack >> 12) % BUCKETS];
}

static struct context *context_of(const void *stack) {
  struct context *context = __atomic_load_n(bucket_of(stack), __ATOMIC_ACQUIRE);
  while (context != NULL && context->stack != stack) {
    context = context->next;
  }
  return context;
}

/* The process if the calling thread is recorded, and is not writing a record. */
static struct process *recorded(const struct guard *guard) {
  struct process *process = ky_joined(guard);
  bool between = process != NULL && ky_ring != NULL && ky_ring->busy == NULL
      && ky_ring->generation == process->generation;
  return between ? process : NULL;
}

static void run(struct process *process, uint32_t running) {
  ky_ring_switch(process, ky_ring, running, ky_clock(process));
}

/* Called when a context is made. */
__attribute__((used)) static void made(const ucontext_t *target) {
  struct guard guard;
  ky_guard_begin(&guard);
  if (real_makecontext == NULL) {
    find();
  }
  struct context *context = context_of(target->uc_stack.ss_sp);
  if (context == NULL && recorded(&guard) != NULL) {
    context = ky_allocate(sizeof *context);
    if (context != NULL) {
      struct context **bucket = bucket_of(target->uc_stack.ss_sp);
      *context = (struct context) {
          __atomic_load_n(bucket, __ATOMIC_RELAXED), target->uc_stack.ss_sp, true, ky_calls};
      context->calls.bottom = NULL;
      while (!__atomic_compare_exchange_n(
          bucket, &context->next, context, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
      }
    }
  } else if (context != NULL) {
    context->fresh = true;
  }
  ky_guard_end(&guard);
}

/* A context is about to run for the first time. A context that has run returns into its own swapcontext, which records
 * the switch. */
static __attribute__((noinline)) void enter(const ucontext_t *target) {
  struct guard guard;
  struct context *context = context_of(target->uc_stack.ss_sp);
  if (context == NULL || !context->fresh) {
    return;
  }
  ky_guard_begin(&guard);
  struct process *process = recorded(&guard);
  if (process != NULL && ky_calls_of_context(&context->calls)) {
    char name[64];
    snprintf(name, sizeof name, "context %p", context->stack);
    context->fresh = false;
    context->calls.top = context->calls.bottom;
    context->calls.beyond = 0;
    context->calls.generation = process->generation;
    context->calls.joinings_over = ky_joinings_over;
    ky_calls = context->calls;
    run(process, ky_new_context(process, name));
  }
  ky_guard_end(&guard);
}

static __attribute__((noinline)) struct stay leave(void) {
  return (struct stay) {ky_calls, ky_ring == NULL ? 0 : ky_ring->running};
}

/* Not inlined: the thread may differ from the one before the switch, and so may the addresses of its variables. */
static __attribute__((noinline)) void come_back(const struct stay *stay) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = recorded(&guard);
  ky_calls = stay->calls;
  if (process != NULL && stay->running != 0) {
    run(process, stay->running);
  }
  ky_guard_end(&guard);
}

KYMO_API int swapcontext(ucontext_t *from, const ucontext_t *to);

int swapcontext(ucontext_t *from, const ucontext_t *to) {
  if (real_swapcontext == NULL) {
    find();
  }
  struct stay stay = leave();
  enter(to);
  int result = real_swapcontext(from, to);
  come_back(&stay);
  return result;
}

KYMO_API int setcontext(const ucontext_t *to);

int setcontext(const ucontext_t *to) {
  if (real_setcontext == NULL) {
    find();
  }
  enter(to);
  return real_setcontext(to);
}

/* It has any number of arguments, which are passed on unchanged. */
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl makecontext\n"
    ".type makecontext, @function\n"
    "makecontext:\n"
    "  .cfi_startproc\n"
    "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  push %rax\n"
    "  .cfi_adjust_cfa_offset 56\n"
    "  call made\n"
    "  pop %rax\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
    "  .cfi_adjust_cfa_offset -56\n"
    "  jmp *real_makecontext(%rip)\n"
    "  .cfi_endproc\n"
    ".size makecontext, .-makecontext\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".globl makecontext\n"
    ".type makecontext, @function\n"
    "makecontext:\n"
    "  .cfi_startproc\n"
    "  hint #34\n" /* bti c: it may be called by way of a register */
    "  stp x29, x30, [sp, #-80]!\n"
    "  .cfi_def_cfa_offset 80\n  .cfi_offset 29, -80\n  .cfi_offset 30, -72\n"
    "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"
    "  bl made\n"
    "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"
    "  ldp x29, x30, [sp], #80\n"
    "  .cfi_def_cfa_offset 0\n  .cfi_restore 29\n  .cfi_restore 30\n"
    "  adrp x16, real_makecontext\n  ldr x16, [x16, #:lo12:real_makecontext]\n"
    "  br x16\n"
    "  .cfi_endproc\n"
    ".size makecontext, .-makecontext\n");
#endif
