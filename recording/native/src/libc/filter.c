#include "filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

/* What this library calls to join a recording, beyond what any program with threads does by itself. */
static const int calls[] = {
#ifdef SYS_mkdir
    SYS_mkdir, SYS_unlink, SYS_access, SYS_open,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
    SYS_mkdirat, SYS_unlinkat, SYS_faccessat, SYS_openat, SYS_ftruncate, SYS_fallocate, SYS_mmap, SYS_munmap,
    SYS_mprotect, SYS_madvise, SYS_close, SYS_read, SYS_pread64, SYS_write, SYS_fstat, SYS_fcntl, SYS_clock_gettime,
    SYS_clock_nanosleep, SYS_futex, SYS_rt_sigprocmask, SYS_gettid, SYS_getpid, SYS_getppid, SYS_geteuid, SYS_prctl,
    SYS_prlimit64, SYS_clone, SYS_clone3, SYS_exit, SYS_set_robust_list, SYS_rseq, SYS_tgkill};

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The machine that filters are written for: two registers and 16 words. */
struct machine {
  uint32_t a;
  uint32_t x;
  uint32_t words[BPF_MEMWORDS];
};

static uint32_t load(const struct machine *machine, const struct sock_filter *rule, const struct seccomp_data *call) {
  uint32_t value = 0;
  switch (BPF_MODE(rule->code)) {
    case BPF_IMM: return rule->k;
    case BPF_MEM: return rule->k < BPF_MEMWORDS ? machine->words[rule->k] : 0;
    case BPF_LEN: return sizeof *call;
    default:
      if (rule->k <= sizeof *call - sizeof value) {
        memcpy(&value, (const char *) call + rule->k, sizeof value);
      }
      return value;
  }
}

static uint32_t compute(uint32_t a, uint32_t b, int operation) {
  switch (operation) {
    case BPF_ADD: return a + b;
    case BPF_SUB: return a - b;
    case BPF_MUL: return a * b;
    case BPF_DIV: return b == 0 ? 0 : a / b;
    case BPF_OR: return a | b;
    case BPF_AND: return a & b;
    case BPF_XOR: return a ^ b;
    case BPF_LSH: return b > 31 ? 0 : a << b;
    case BPF_RSH: return b > 31 ? 0 : a >> b;
    default: return -a;
  }
}

static bool holds(uint32_t a, uint32_t b, int comparison) {
  switch (comparison) {
    case BPF_JEQ: return a == b;
    case BPF_JGT: return a > b;
    case BPF_JGE: return a >= b;
    default: return (a & b) != 0;
  }
}

/* The filter's answer to a system call whose arguments are 0. What no filter contains counts as allowed: the kernel
 * refuses such a filter. */
static uint32_t answer(const struct sock_fprog *filter, int number) {
  struct machine machine = {0};
  struct seccomp_data call = {.nr = number, .arch = ARCHITECTURE};
  for (uint32_t at = 0; at < filter->len; at++) { /* jumps only go forward */
    const struct sock_filter *rule = filter->filter + at;
    uint32_t operand = BPF_SRC(rule->code) == BPF_X ? machine.x : rule->k;
    switch (BPF_CLASS(rule->code)) {
      case BPF_LD: machine.a = load(&machine, rule, &call); break;
      case BPF_LDX: machine.x = load(&machine, rule, &call); break;
      case BPF_ST: machine.words[rule->k % BPF_MEMWORDS] = machine.a; break;
      case BPF_STX: machine.words[rule->k % BPF_MEMWORDS] = machine.x; break;
      case BPF_ALU: machine.a = compute(machine.a, operand, BPF_OP(rule->code)); break;
      case BPF_JMP:
        at += BPF_OP(rule->code) == BPF_JA ? rule->k
            : holds(machine.a, operand, BPF_OP(rule->code)) ? rule->jt : rule->jf;
        break;
      case BPF_RET: return BPF_RVAL(rule->code) == BPF_A ? machine.a : rule->k;
      default: /* BPF_MISC */
        if (BPF_MISCOP(rule->code) == BPF_TAX) {
          machine.x = machine.a;
        } else {
          machine.a = machine.x;
        }
    }
  }
  return SECCOMP_RET_ALLOW;
}

bool ky_filter_is_deadly(const struct sock_fprog *filter) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    uint32_t action = answer(filter, calls[i]) & SECCOMP_RET_ACTION_FULL;
    if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG && action != SECCOMP_RET_ERRNO) {
      return true;
    }
  }
  return false;
}
