/* Wrappers of functions by which a program restricts its own system calls (seccomp), answers them itself, or forbids
 * itself to read the processor's counter. This library needs some calls that the program does not, and the counter, and
 * what is not allowed ends the program: so the recording of the process ends before, and from then on the library makes
 * no system call in it and reads no clock, nor in its children made by fork. */
#include "sandbox.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/guest.h"
#include "base/readable.h"
#include "control/housekeeper.h"
#include "filter.h"
#include "kymo.h"
#include "shared/definitions.h"
#include "shared/process.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH /* since Linux 5.11 */
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

typedef int process_control(int, unsigned long, unsigned long, unsigned long, unsigned long);

static process_control *real_prctl;

static __attribute__((constructor(102))) void find(void) {
  void *found = dlsym(RTLD_NEXT, "prctl");
  memcpy(&real_prctl, &found, sizeof found);
}

bool ky_restriction_is_deadly;

#define SYSTEM_CALLS \
  "this process is not recorded from here on: it is about to restrict its own system calls (seccomp) or to answer" \
  " them itself, and the recording needs some"
#define CLOCK \
  "this process is not recorded from here on: it is about to forbid itself to read the processor's counter, by" \
  " which the recording knows the time"

static void step_aside(const char *why) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL && process->number != 0 && !process->stopped) {
    ky_notice(process, why);
    ky_leave(process);
  }
  ky_guard_end(&guard);
  ky_stand_aside();
}

/* Programs also ask, without a filter, whether the kernel has filters. */
static bool restricts(uint64_t mode, uint64_t filter) {
  return mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0);
}

/* A filter outlives exec: another program with this library may then be ended, too. */
static void look_at_filter(uint64_t address) {
  const struct sock_fprog *filter = (const struct sock_fprog *) (uintptr_t) address;
  bool known = ky_stands_aside
      || (ky_is_readable(filter, sizeof *filter) && filter->len > 0
          && ky_is_readable(filter->filter, filter->len * sizeof *filter->filter));
  if (known && ky_filter_is_deadly(filter)) {
    ky_restriction_is_deadly = true;
  }
}

void ky_look_at_restriction(long number, uint64_t first, uint64_t second, uint64_t third) {
  bool control = number == SYS_prctl && first == PR_SET_SECCOMP && restricts(second, third);
  bool direct = number == SYS_seccomp
      && (first == SECCOMP_SET_MODE_STRICT || (first == SECCOMP_SET_MODE_FILTER && third != 0));
  bool answers = number == SYS_prctl && first == PR_SET_SYSCALL_USER_DISPATCH && second != 0;
  if ((control && second == SECCOMP_MODE_FILTER) || (direct && first == SECCOMP_SET_MODE_FILTER)) {
    look_at_filter(third);
  }
  bool timeless = number == SYS_prctl && first == PR_SET_TSC && second == PR_TSC_SIGSEGV;
  ky_restriction_is_deadly |= timeless; /* it outlives exec, too */
  if ((control || direct || answers || timeless) && !ky_stands_aside) {
    step_aside(timeless ? CLOCK : SYSTEM_CALLS);
  }
}

/* It has any number of arguments. */
KYMO_API int ky_prctl(int option, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth)
    __asm__("prctl");

int ky_prctl(int option, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth) {
  if (option == PR_SET_SECCOMP || option == PR_SET_SYSCALL_USER_DISPATCH || option == PR_SET_TSC) {
    ky_look_at_restriction(SYS_prctl, (uint64_t) option, second, third);
  }
  if (real_prctl == NULL) {
    find();
  }
  return real_prctl(option, second, third, fourth, fifth);
}
