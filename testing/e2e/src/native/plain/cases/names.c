/* A library that has functions of the C library's and of others' names, which it uses itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

int names(void);

static int closed;

int __attribute__((visibility("hidden"))) close(int descriptor) {
  closed += descriptor;
  return 0;
}

int kymo_unknown(int number);

int kymo_unknown(int number) {
  return number + 1;
}

int names(void) {
  close(1000);
  return closed + kymo_unknown(1);
}
