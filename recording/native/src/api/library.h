/* How this library begins. */
#ifndef KYMO_LIBRARY_H
#define KYMO_LIBRARY_H

#include <stdbool.h>

/* Whether the C library is not ready yet: a program's code may run before (.preinit_array), even before threads have
 * memory of their own, when the loader has a program choose among implementations of a function (ifunc). */
bool ky_is_early(void);

/* Prepares this library once, even if a function is called before the constructors; false if there is no memory. Within
 * a guard. */
bool ky_begun(void);

#endif
