/* Memory that a program names, and that it may have no right to read: where the kernel answers EFAULT, this library
 * must not end the program. */
#ifndef KYMO_READABLE_H
#define KYMO_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Each makes a system call for each page, which the process must allow. Also for signal handlers and children made by
 * vfork. */
bool ky_is_readable(const void *memory, size_t size);
bool ky_is_text(const char *text);
bool ky_is_list(char *const *list); /* texts up to a NULL */

#endif
