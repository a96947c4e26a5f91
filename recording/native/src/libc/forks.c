/* Wrappers of functions that make children without the handlers of pthread_atfork. They matter only where the system
 * does not zero private memory in children; everywhere else they go straight on to the C library, but for system calls
 * that restrict others, or that only processes with one thread may make. */
#include <dlfcn.h>
#include <linux/sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/private.h"
#include "kymo.h"
#include "sandbox.h"
#include "spaces.h"

typedef long system_call(long, ...);

__attribute__((used)) static system_call *real_syscall;
static pid_t (*real_fork)(void);

__attribute__((used)) static __attribute__((constructor(102))) void find(void) {
  real_syscall = (system_call *) dlsym(RTLD_NEXT, "syscall");
  real_fork = (pid_t (*)(void)) dlsym(RTLD_NEXT, "_Fork");
}

/* Whether a system call makes a child with a copy of this thread's memory and stack. */
static bool makes_copy(long number, uint64_t first, uint64_t second) {
#ifdef SYS_fork
  if (number == SYS_fork) {
    return true;
  }
#endif
#ifdef SYS_clone3
  if (number == SYS_clone3) {
    const struct clone_args *how = (const struct clone_args *) (uintptr_t) first;
    return how != NULL && (how->flags & CLONE_VM) == 0 && how->stack == 0;
  }
#endif
  return number == SYS_clone && (first & CLONE_VM) == 0 && second == 0;
}

/* Looks at a system call before it is made; returns whether make() is to make it. */
__attribute__((used)) static bool look_at(long number, uint64_t first, uint64_t second, uint64_t third) {
  ky_look_at_restriction(number, first, second, third);
  return number == SYS_unshare || number == SYS_setns || makes_copy(number, first, second);
}

__attribute__((used)) static long make(long number, long a, long b, long c, long d, long e) {
  if (number == SYS_unshare || number == SYS_setns) {
    return ky_change_spaces(number, a, b);
  }
  long child = real_syscall(number, a, b, c, d, e);
  if (child == 0) {
    ky_zero_private_memory();
  }
  return child;
}

KYMO_API pid_t _Fork(void);

pid_t _Fork(void) {
  if (real_fork == NULL) { /* a C library before 2.34 does not have it, and then nobody calls it */
    find();
  }
  pid_t child = real_fork();
  if (child == 0) {
    ky_zero_private_memory();
  }
  return child;
}

/* It has any number of arguments, and may return twice on one stack (vfork), so all that is not a copy goes on to the
 * C library's by a jump. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    "  .cfi_startproc\n"
    "  endbr64\n"
    "  mov real_syscall(%rip), %rax\n"
    "  test %rax, %rax\n"
    "  jz 1f\n"
    "  cmp $" TEXT(SYS_seccomp) ", %edi\n"
    "  je 1f\n"
    "  cmp $" TEXT(SYS_prctl) ", %edi\n"
    "  je 1f\n"
    "  cmp $" TEXT(SYS_unshare) ", %edi\n"
    "  je 1f\n"
    "  cmp $" TEXT(SYS_setns) ", %edi\n"
    "  je 1f\n"
    "  cmpb $0, ky_zeroes_itself(%rip)\n"
    "  jne 1f\n"
    "  jmp *%rax\n"
    "1:\n"
    "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  sub $8, %rsp\n"
    "  .cfi_adjust_cfa_offset 56\n"
    "  cmpq $0, real_syscall(%rip)\n"
    "  jne 2f\n"
    "  call find\n"
    "2:\n"
    "  mov 48(%rsp), %rdi\n  mov 40(%rsp), %rsi\n  mov 32(%rsp), %rdx\n  mov 24(%rsp), %rcx\n"
    "  call look_at\n"
    "  add $8, %rsp\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
    "  .cfi_adjust_cfa_offset -56\n"
    "  test %al, %al\n"
    "  jnz make\n"
    "  jmp *real_syscall(%rip)\n"
    "  .cfi_endproc\n"
    ".size syscall, .-syscall\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    "  .cfi_startproc\n"
    "  hint #34\n" /* bti c: it may be called by way of a register */
    "  adrp x16, real_syscall\n  ldr x16, [x16, #:lo12:real_syscall]\n"
    "  cbz x16, 1f\n"
    "  cmp w0, #" TEXT(SYS_seccomp) "\n"
    "  b.eq 1f\n"
    "  cmp w0, #" TEXT(SYS_prctl) "\n"
    "  b.eq 1f\n"
    "  cmp w0, #" TEXT(SYS_unshare) "\n"
    "  b.eq 1f\n"
    "  cmp w0, #" TEXT(SYS_setns) "\n"
    "  b.eq 1f\n"
    "  adrp x17, ky_zeroes_itself\n  ldrb w17, [x17, #:lo12:ky_zeroes_itself]\n"
    "  cbnz w17, 1f\n"
    "  br x16\n"
    "1:\n"
    "  stp x29, x30, [sp, #-80]!\n"
    "  .cfi_def_cfa_offset 80\n  .cfi_offset 29, -80\n  .cfi_offset 30, -72\n"
    "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"
    "  cbnz x16, 2f\n"
    "  bl find\n"
    "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n"
    "2:\n"
    "  bl look_at\n"
    "  and w17, w0, #255\n"
    "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"
    "  ldp x29, x30, [sp], #80\n"
    "  .cfi_def_cfa_offset 0\n  .cfi_restore 29\n  .cfi_restore 30\n"
    "  cbnz w17, make\n"
    "  adrp x16, real_syscall\n  ldr x16, [x16, #:lo12:real_syscall]\n"
    "  br x16\n"
    "  .cfi_endproc\n"
    ".size syscall, .-syscall\n");
#endif
