/* Calls one function again and again, some thousand times a second, until a file is there. With a second
 * argument it writes wrong bytes into the memory that it shares with its recorder, as soon as a file is there whose
 * name goes on with ".damage":
 *   ring-1 OFFSET VALUE    into the ring of this thread, as a stray pointer may
 *   control OFFSET VALUE   into the page of the process */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sum;

__attribute__((noinline)) static void step(int n) {
  sum += n;
}

/* Until the recorder has looked: a thread's next event would write the right position again. */
__attribute__((no_instrument_function)) static void await_recorder(const char *ring) {
  volatile uint64_t *taken = (volatile uint64_t *) (ring + 128);
  uint64_t before = *taken;
  for (int i = 0; i < 60000 && *taken == before; i++) {
    usleep(1000);
  }
}

__attribute__((no_instrument_function)) static void damage(
    const char *file, unsigned long offset, uint64_t value) {
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  int found = 0;
  while (fgets(line, sizeof line, maps) != NULL) {
    char *name = strrchr(line, '/');
    if (name != NULL && strncmp(name + 1, file, strlen(file)) == 0 && strstr(line, "rw-s") != NULL) {
      char *memory = (char *) strtoul(line, NULL, 16);
      memcpy(memory + offset, &value, sizeof value);
      if (strcmp(file, "ring-1") == 0) {
        await_recorder(memory);
      }
      found++;
    }
  }
  fclose(maps);
  printf("damaged %d\n", found);
}

int main(int count, char **arguments) {
  long calls = 0;
  int damaged = count != 5;
  char go[4096];
  snprintf(go, sizeof go, "%s.damage", arguments[1]);
  puts("ready");
  fflush(stdout);
  while (access(arguments[1], F_OK) != 0) {
    for (int i = 0; i < 5; i++) {
      step(i);
      calls++;
    }
    usleep(1000);
    if (!damaged && access(go, F_OK) == 0) {
      damaged = 1;
      damage(arguments[2], strtoul(arguments[3], NULL, 0), strtoull(arguments[4], NULL, 0));
      fflush(stdout);
    }
  }
  printf("%ld\n", calls);
  return 7;
}
