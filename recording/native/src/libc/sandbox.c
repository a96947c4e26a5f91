/* Wrappers of functions by which a program restricts its own system calls (seccomp). This library needs some that the
 * program does not, and one that is not allowed ends the program: so the recording of the process ends before, and from
 * then on the library makes no system call in it, nor in its children made by fork. */
#include "sandbox.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/guest.h"
#include "control/housekeeper.h"
#include "kymo.h"
#include "shared/definitions.h"
#include "shared/process.h"

typedef int process_control(int, unsigned long, unsigned long, unsigned long, unsigned long);

static process_control *real_prctl;

static __attribute__((constructor(102))) void find(void) {
  void *found = dlsym(RTLD_NEXT, "prctl");
  memcpy(&real_prctl, &found, sizeof found);
}

static void step_aside(void) {
  struct guard guard;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  if (process != NULL && process->number != 0 && !process->stopped) {
    ky_notice(process, "this process is not recorded from here on: it is about to restrict its own system calls"
                       " (seccomp), and the recording needs some");
    ky_leave(process);
  }
  ky_guard_end(&guard);
  ky_stand_aside();
}

/* Programs also ask, without a filter, whether the kernel has filters. */
static bool restricts(uint64_t mode, uint64_t filter) {
  return mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0);
}

void ky_look_at_restriction(long number, uint64_t first, uint64_t second, uint64_t third) {
  bool control = number == SYS_prctl && first == PR_SET_SECCOMP && restricts(second, third);
  bool direct = number == SYS_seccomp
      && (first == SECCOMP_SET_MODE_STRICT || (first == SECCOMP_SET_MODE_FILTER && third != 0));
  if ((control || direct) && !ky_stands_aside) {
    step_aside();
  }
}

/* It has any number of arguments. */
KYMO_API int ky_prctl(int option, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth)
    __asm__("prctl");

int ky_prctl(int option, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth) {
  if (option == PR_SET_SECCOMP) {
    ky_look_at_restriction(SYS_prctl, PR_SET_SECCOMP, second, third);
  }
  if (real_prctl == NULL) {
    find();
  }
  return real_prctl(option, second, third, fourth, fifth);
}
