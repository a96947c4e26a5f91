#include "mailbox.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/answer.h"
#include "base/guest.h"
#include "base/layout.h"
#include "process.h"

enum {
  LONGEST_LINE = MAILBOX_ANSWER - MAILBOX_LINE - 1,
  LONGEST_ANSWER = MAILBOX_SIZE - MAILBOX_ANSWER
};

bool ky_mailbox_open(struct process *process) {
  size_t length = strlen(process->home) + 16; /* a thread's stack may be small */
  char file[length];
  ky_path(file, process->home, "/mailbox", NO_NUMBER);
  process->mailbox = ky_shared_memory(file, MAILBOX_SIZE, MAILBOX_ANSWER);
  if (process->mailbox != NULL) {
    store64_release(process->mailbox + MAILBOX_MAGIC, MAILBOX_MAGIC_VALUE);
  }
  return process->mailbox != NULL;
}

uint32_t ky_bell(const struct process *process) {
  return load32_acquire(process->mailbox + MAILBOX_BELL);
}

void ky_ring_bell(struct process *process) {
  uint32_t *bell = (uint32_t *) (void *) (process->mailbox + MAILBOX_BELL);
  __atomic_add_fetch(bell, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* The futex is not private, because clients are other processes. */
void ky_await_bell(struct process *process, uint32_t seen, uint64_t nanos) {
  struct timespec at_most = {(time_t) (nanos / 1000000000), (long) (nanos % 1000000000)};
  syscall(SYS_futex, process->mailbox + MAILBOX_BELL, FUTEX_WAIT, seen, &at_most, NULL, 0);
}

void ky_answer_mail(struct process *process, obedience *obey) {
  uint8_t *mailbox = process->mailbox;
  uint32_t request = load32_acquire(mailbox + MAILBOX_REQUESTS);
  if (request == load32_acquire(mailbox + MAILBOX_ANSWERS)) {
    return;
  }
  store32_release(mailbox + MAILBOX_ACCEPTED, request);
  char line[LONGEST_LINE + 1];
  struct answer answer = {.from = load32_acquire(mailbox + MAILBOX_FROM)};
  uint32_t size = load32_acquire(mailbox + MAILBOX_LINE_SIZE);
  size = size < LONGEST_LINE ? size : LONGEST_LINE;
  memcpy(line, mailbox + MAILBOX_LINE, size);
  line[size] = 0;
  answer.text = (char *) mailbox + MAILBOX_ANSWER;
  answer.room = ky_take_pages(mailbox + MAILBOX_ANSWER, LONGEST_ANSWER) ? LONGEST_ANSWER : 0;
  obey(process, line, &answer);
  store32_relaxed(mailbox + MAILBOX_NEXT, answer.next);
  store32_relaxed(mailbox + MAILBOX_ANSWER_SIZE, answer.size);
  store32_release(mailbox + MAILBOX_ANSWERS, request);
}
