#include "spawns.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

/* Spawns of as many threads at a time; further ones are as QEMU has them. */
#define MOST_SPAWNS 64

/* Of the C library's structure, with the error in it, which lies in the caller's frame. */
#define LEFT_BYTES 256

#define LARGEST_FRAME 4096

/* Descriptors that programs seldom choose. */
#define FIRST_DESCRIPTOR 200

/* What a child leaves in memory that both have. */
struct left {
  uint8_t is_changed[LEFT_BYTES];
  uint8_t bytes[LEFT_BYTES];
};

struct spawn {
  atomic_bool used;
  int ends[2]; /* of a pipe, which has no writer any more when the child is another program or has ended */
  uint8_t *place; /* where the structure is, for both of them */
  struct left *left;
};

static struct spawn spawns[MOST_SPAWNS];

static __thread struct spawn *own;

/* What was there when the child began; NULL: this is no child. */
static const uint8_t *before;

static void give_up(struct spawn *spawn) {
  for (int i = 0; i < 2; i++) {
    if (spawn->ends[i] >= 0) {
      close(spawn->ends[i]);
    }
  }
  if (spawn->left != NULL) {
    munmap(spawn->left, sizeof *spawn->left);
  }
  atomic_store(&spawn->used, false);
}

static bool move_up(int *end) {
  int moved = fcntl(*end, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  close(*end);
  *end = moved;
  return moved >= 0;
}

static bool prepare(struct spawn *spawn, uint64_t place) {
  spawn->place = (uint8_t *) (uintptr_t) place;
  spawn->left = NULL;
  if (pipe2(spawn->ends, O_CLOEXEC) != 0) {
    spawn->ends[0] = spawn->ends[1] = -1;
    return false;
  }
  bool moved = move_up(&spawn->ends[0]);
  moved &= move_up(&spawn->ends[1]);
  void *left = mmap(NULL, sizeof *spawn->left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  spawn->left = left == MAP_FAILED ? NULL : left;
  return moved && spawn->left != NULL;
}

/* The C library's clone puts a function and its argument on the child's stack. */
void ky_before_spawn(uint64_t stack, uint64_t below) {
  uint64_t argument;
  uint8_t end;
  if (own != NULL || ky_peek(&argument, stack + sizeof argument, sizeof argument) != sizeof argument || argument < below
      || argument - below > LARGEST_FRAME || ky_peek(&end, argument + LEFT_BYTES - 1, 1) != 1) {
    return;
  }
  for (size_t i = 0; i < MOST_SPAWNS && own == NULL; i++) {
    if (!atomic_exchange(&spawns[i].used, true)) {
      own = &spawns[i];
    }
  }
  if (own != NULL && !prepare(own, argument)) {
    give_up(own);
    own = NULL;
  }
}

/* Waits as the kernel does for a vfork: no signal ends it. */
void ky_after_spawn(bool made) {
  struct spawn *spawn = own;
  if (spawn == NULL || before != NULL) {
    return;
  }
  char nothing;
  close(spawn->ends[1]);
  spawn->ends[1] = -1;
  while (made && read(spawn->ends[0], &nothing, 1) < 0) {
  }
  for (size_t i = 0; i < LEFT_BYTES; i++) {
    if (spawn->left->is_changed[i]) {
      spawn->place[i] = spawn->left->bytes[i];
    }
  }
  give_up(spawn);
  own = NULL;
}

void ky_in_child(void) {
  static uint8_t bytes[LEFT_BYTES];
  for (size_t i = 0; i < MOST_SPAWNS; i++) {
    if (atomic_load(&spawns[i].used) && &spawns[i] != own) {
      give_up(&spawns[i]); /* of a thread that is not here; its own child is to have the only writer */
    }
  }
  before = NULL;
  if (own != NULL) {
    close(own->ends[0]);
    memcpy(bytes, own->place, sizeof bytes);
    before = bytes;
  }
}

void ky_child_ends(void) {
  for (size_t i = 0; i < LEFT_BYTES && own != NULL && before != NULL; i++) {
    own->left->is_changed[i] = own->place[i] != before[i];
    own->left->bytes[i] = own->place[i];
  }
}
