/* How this process takes commands from outside (MailboxLayout of format/). The housekeeper waits for the bell and
 * answers. */
#ifndef KYMO_MAILBOX_H
#define KYMO_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

struct answer;
struct process;

/* Obeys a line, which it takes apart. */
typedef void obedience(struct process *process, char *line, struct answer *answer);

/* Makes the mailbox; false with errno if there is no memory for it. */
bool ky_mailbox_open(struct process *process);

/* How often the bell has been rung. */
uint32_t ky_bell(const struct process *process);

/* Wakes the housekeeper, which then looks for work. */
void ky_ring_bell(struct process *process);

/* Sleeps for at most `nanos` nanoseconds, and no longer than the bell's count is `seen`. */
void ky_await_bell(struct process *process, uint32_t seen, uint64_t nanos);

/* Answers the command that is waiting, if there is one. Within a guard. */
void ky_answer_mail(struct process *process, obedience *obey);

#endif
