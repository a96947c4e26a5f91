/* Wrappers of functions that give a process name spaces of its own or others. The kernel refuses some of them to a
 * process with several threads, and one of these may be the housekeeper: then it ends, and begins again afterwards. */
#include "spaces.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/guest.h"
#include "control/housekeeper.h"
#include "kymo.h"
#include "shared/process.h"

typedef long system_call(long, ...);

static system_call *real_syscall;

static __attribute__((constructor(102))) void find(void) {
  void *found = dlsym(RTLD_NEXT, "syscall");
  memcpy(&real_syscall, &found, sizeof found);
}

static long without_housekeeper(long number, long first, long second) {
  struct guard guard;
  int error = errno;
  long result = -1;
  ky_guard_begin(&guard);
  struct process *process = ky_process;
  bool away = process != NULL && !ky_stands_aside && ky_send_housekeeper_away(process);
  if (away) {
    result = real_syscall(number, first, second);
    error = errno;
    ky_call_housekeeper_back(process);
  }
  ky_guard_end(&guard);
  errno = error;
  return result;
}

long ky_change_spaces(long number, long first, long second) {
  if (real_syscall == NULL) {
    find();
  }
  long result = real_syscall(number, first, second);
  bool alone = result == 0 || (errno != EINVAL && errno != EUSERS);
  return alone ? result : without_housekeeper(number, first, second);
}

KYMO_API int unshare(int flags);

int unshare(int flags) {
  return (int) ky_change_spaces(SYS_unshare, flags, 0);
}

KYMO_API int setns(int space, int kind);

int setns(int space, int kind) {
  return (int) ky_change_spaces(SYS_setns, space, kind);
}
