#include "shortage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "definitions.h"
#include "process.h"

void ky_say_no_ring(struct process *process, size_t bytes) {
  char text[256];
  const char *error = strerror(errno);
  if (ky_say_no_memory(process, "a thread's ring, its events are lost and counted", bytes)) {
    snprintf(text, sizeof text, "events of a thread of this process, and perhaps of others after it, are lost from here"
             " on and counted, because shared memory is full: tid=%ld bytes=%zu error=%s", syscall(SYS_gettid), bytes,
        error);
    ky_notice(process, text);
  }
}

void ky_say_kept_out(struct process *process) {
  char text[256];
  int error = errno;
  if (ky_fails(process)) {
    snprintf(text, sizeof text, "threads of this process that begin from here on cannot be recorded, because it"
             " became another user or has another root directory: their events are counted as lost; user=%u"
             " error=%s", (unsigned) geteuid(), strerror(error));
    ky_notice(process, text);
  }
}
