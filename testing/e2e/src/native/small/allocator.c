/* A program with an allocator of its own.
 * calls: main 1, use 100 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static char memory[1 << 22];
static size_t used;
#define QUIET __attribute__((no_instrument_function))
QUIET void *malloc(size_t size) {
  size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t) 15, __ATOMIC_RELAXED);
  if (at + size + 16 > sizeof memory) return NULL;
  memcpy(memory + at, &size, sizeof size);
  return memory + at + 16;
}
QUIET void free(void *unused) { (void) unused; }
QUIET void *calloc(size_t count, size_t size) { return malloc(count * size); }
QUIET void *realloc(void *old, size_t size) {
  void *fresh = malloc(size);
  size_t before;
  if (old != NULL && fresh != NULL) {
    memcpy(&before, (char *) old - 16, sizeof before);
    memcpy(fresh, old, before < size ? before : size);
  }
  return fresh;
}
static int use(void) { char *p = malloc(10); *p = 1; int one = *p; free(p); return one; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += use();
  return sum == 100 ? 0 : 1;
}
