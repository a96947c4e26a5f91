#include "private.h"

#include <stdint.h>
#include <sys/mman.h>

#include "guest.h"

struct piece {
  struct piece *next;
  void *memory;
  size_t size;
};

bool ky_zeroes_itself;
bool ky_has_zeroed;

static struct piece *pieces; /* if this process zeroes them itself; only grows, at its head */

/* Whether madvise() obeys. What does not obey accepts any advice, also one that Linux refuses: to zero shared memory. */
static bool advice_is_obeyed(void) {
  enum { UNKNOWN, YES, NO };
  static uint32_t known;
  uint32_t answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == UNKNOWN) {
    void *shared = mmap(NULL, PAGE, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    answer = shared == MAP_FAILED || madvise(shared, PAGE, MADV_WIPEONFORK) != 0 ? YES : NO;
    if (shared != MAP_FAILED) {
      munmap(shared, PAGE);
    }
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == YES;
}

static bool keep(void *memory, size_t size) {
  struct piece *piece = ky_allocate(sizeof *piece);
  if (piece == NULL) {
    return false;
  }
  *piece = (struct piece) {__atomic_load_n(&pieces, __ATOMIC_RELAXED), memory, size};
  while (!__atomic_compare_exchange_n(
      &pieces, &piece->next, piece, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return true;
}

void *ky_private_memory(size_t size) {
  void *memory = ky_reserved(size);
  if (memory == NULL) {
    return NULL;
  }
  bool zeroed = madvise(memory, size, MADV_WIPEONFORK) == 0; /* fails before Linux 4.14 */
  if (zeroed && !advice_is_obeyed()) {
    ky_zeroes_itself = true;
    zeroed = keep(memory, size);
  }
  if (!zeroed) {
    munmap(memory, size);
    memory = NULL;
  }
  return memory;
}

void ky_zero_private_memory(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  for (const struct piece *piece = pieces; piece != NULL; piece = piece->next) {
    mmap(piece->memory, piece->size, PROT_READ | PROT_WRITE, flags, -1, 0);
    ky_has_zeroed = true;
  }
}
