#ifndef KYMO_INSTRUCTIONS_ARGUMENTS_H
#define KYMO_INSTRUCTIONS_ARGUMENTS_H

#include <stddef.h>
#include <string.h>

/* An argument's value; NULL if it is another argument. */
static inline const char *ky_value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

#endif
