/* Reports threads that cannot be recorded, on standard error and in the recording. */
#ifndef KYMO_SHORTAGE_H
#define KYMO_SHORTAGE_H

#include <stddef.h>

struct process;

/* Says, once, that there is no memory for the calling thread's ring, or a part of it, with errno as the reason. Within
 * a guard. */
void ky_say_no_ring(struct process *process, size_t bytes);

/* Reports once, in the recording, that new threads can no longer be recorded; errno is the reason. */
void ky_say_kept_out(struct process *process);

#endif
