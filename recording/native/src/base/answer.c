#include "answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ky_say_to(struct answer *answer, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  uint32_t size = length < 0 ? 0 : (uint32_t) length < sizeof text ? (uint32_t) length : sizeof text - 1;
  if (size > answer->room - answer->size) {
    return false;
  }
  memcpy(answer->text + answer->size, text, size);
  answer->size += size;
  return true;
}
