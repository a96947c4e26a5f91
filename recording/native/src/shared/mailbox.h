/* Where this process takes commands from outside: MailboxLayout of format/. The housekeeper sleeps on its
 * bell, and answers. */
#ifndef KYMO_MAILBOX_H
#define KYMO_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Makes it; false with errno if there is no memory for it. */
bool ky_mailbox_open(struct process *process);

/* How often it was rung. */
uint32_t ky_bell(const struct process *process);

/* Has the housekeeper look at once at what there is to do. */
void ky_ring_bell(struct process *process);

/* Sleeps for so many nanoseconds, or until somebody has rung since `seen` was asked. */
void ky_await_bell(struct process *process, uint32_t seen, uint64_t nanos);

/* Answers the line that is there, if there is one; within a guard. */
void ky_answer_mail(struct process *process);

#endif
