#include "kymo.h"
#include <stdio.h>
#include <string.h>

uint32_t kymo_event_define(const char *subsystem, uint16_t subsystem_id, const char *category,
    const char *color, uint16_t id, const char *name, int kind, const char *begin,
    const char *description, const char *fields) {
  printf("define %s %d [%s] [%s] %d %s %d [%s] [%s] [%s]\n", subsystem, subsystem_id, category,
      color, id, name, kind, begin, description, fields);
  return strcmp(name, "OFF") == 0 ? 0 : 100u + id;
}

int kymo_event_on(uint32_t number) {
  return number != 105;
}

void kymo_event(uint32_t number, uint64_t argument) {
  printf("event %u %lld\n", number, (long long) argument);
}

void kymo_event_data(uint32_t number, const void *data, size_t size) {
  size_t i;
  printf("data %u %u", number, (unsigned) size);
  for (i = 0; data != 0 && i < size && i < 40; i++) {
    printf(" %02x", ((const unsigned char *) data)[i]);
  }
  printf("\n");
}

void kymo_enter_event(uint32_t number) {
  printf("enter %u\n", number);
}

void kymo_leave_event(uint32_t number) {
  printf("leave %u\n", number);
}
