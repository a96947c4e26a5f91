/* ARM64's counter as libkymo reads it: clock CODE-OF-TICKS CODE-OF-FREQUENCY DIRECTORY. The codes are machine code, in
 * hexadecimal digits, of which Kymo's Java makes functions; the directory has a session. Prints what was read. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/session.h"

enum { CODE = 65536, ROUNDS = 1000000 };

static uint64_t (*made(const char *digits))(void) {
  uint8_t *code = mmap(NULL, CODE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t size = strlen(digits) / 2;
  for (size_t i = 0; i < size; i++) {
    char byte[] = {digits[2 * i], digits[2 * i + 1], 0};
    code[i] = (uint8_t) strtoul(byte, NULL, 16);
  }
  mprotect(code, CODE, PROT_READ | PROT_EXEC);
  __builtin___clear_cache((char *) code, (char *) code + size);
  return (uint64_t (*)(void)) (void *) code;
}

int main(int count, char **arguments) {
  static struct session session;
  if (count != 4) {
    return 2;
  }
  printf("session %d\n", ky_session_load(&session, arguments[3]) && session.tsc);
  uint64_t (*ticks)(void) = made(arguments[1]);
  uint64_t frequency = made(arguments[2])();
  uint64_t before = monotonic_now();
  uint64_t begin = clock_now(true);
  uint64_t after = monotonic_now();
  uint64_t last = begin;
  uint64_t backward = 0;
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t now = i % 2 == 0 ? ticks() : clock_now(true);
    backward += now < last;
    last = now;
  }
  uint64_t least = monotonic_now() - after;
  last = clock_now(true);
  uint64_t most = monotonic_now() - before;
  printf("frequency %" PRIu64 "\nticks %" PRIu64 "\nbackward %" PRIu64 "\n", frequency, last - begin, backward);
  printf("least %" PRIu64 "\nmost %" PRIu64 "\n", least, most); /* nanoseconds that passed */
  return 0;
}
