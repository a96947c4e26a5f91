#include "identity.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/guest.h"
#include "shared/definitions.h"

static struct own_stat own_stat; /* where the arguments are, which do not move; zeroes: not known yet */

/* The length of what the kernel shows in /proc/self/cmdline: a program may write over the arguments' end. */
static uint32_t command_length(const struct own_stat *at) {
  const char *begin = (const char *) at->arguments;
  size_t length = at->arguments_end - at->arguments;
  if (length == 0 || begin[length - 1] == 0) {
    return (uint32_t) (length > 0 ? length - 1 : 0);
  }
  bool goes_on = at->environment == at->arguments_end && at->environment_end > at->environment;
  return (uint32_t) strnlen(begin, (goes_on ? at->environment_end : at->arguments_end) - at->arguments);
}

/* Forked children use the place that their parent has found: reading a file of /proc costs a short process more than
 * its shared memory. */
static void define_command(struct definition *definition) {
  if (own_stat.arguments == 0 && !ky_stat(&own_stat)) {
    ky_definition_string(definition, "");
    return;
  }
  ky_definition_bytes(definition, (const char *) own_stat.arguments, command_length(&own_stat));
}

void ky_find_command(int count, char *const *arguments, char *const *environment) {
#ifdef __GLIBC__ /* which passes the program's arguments to constructors */
  const char *end = count > 0 ? arguments[0] : NULL;
  for (int i = 0; i < count; i++) {
    if (arguments[i] != end) {
      return;
    }
    end += strlen(end) + 1;
  }
  const char *last = end;
  for (int i = 0; count > 0 && environment[i] == last; i++) {
    last += strlen(last) + 1;
  }
  if (count > 0) {
    own_stat.arguments_end = own_stat.environment = (uintptr_t) end;
    own_stat.environment_end = (uintptr_t) last;
    own_stat.arguments = (uintptr_t) arguments[0];
  }
#else
  (void) count, (void) arguments, (void) environment;
#endif
}

void ky_define_process(struct process *process, const char *name) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_PROCESS);
  ky_definition_u32(definition, process->number);
  ky_definition_u32(definition, (uint32_t) getpid());
  ky_definition_u32(definition, (uint32_t) getppid());
  if (name == NULL) {
    define_command(definition);
  } else {
    ky_definition_string(definition, name);
  }
  ky_definition_string(definition, "native");
  ky_definition_put(process, definition);
}

void ky_define_clock_pair(struct process *process) {
  uint64_t before = ky_clock(process);
  uint64_t monotonic = ky_nanos(CLOCK_MONOTONIC);
  uint64_t wall = ky_nanos(CLOCK_REALTIME);
  uint64_t after = ky_clock(process);
  if (process->first_nanos == 0) {
    process->first_clock = before;
    process->first_nanos = monotonic;
  }
  struct definition *definition = ky_definition_begin(process, DEFINITION_CLOCK_PAIR);
  ky_definition_u64(definition, before + (after - before) / 2);
  ky_definition_u64(definition, monotonic);
  ky_definition_u64(definition, wall);
  ky_definition_put(process, definition);
}
