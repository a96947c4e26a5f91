/* How this library begins. */
#ifndef KYMO_LIBRARY_H
#define KYMO_LIBRARY_H

#include <stdbool.h>

/* Prepares this library once, even if a function is called before the constructors; false if there is no memory. Within
 * a guard. */
bool ky_begun(void);

#endif
