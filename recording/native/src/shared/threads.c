#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/guest.h"
#include "base/layout.h"
#include "base/private.h"
#include "counts.h"
#include "definitions.h"
#include "kymo.h"
#include "process.h"
#include "recorder.h"
#include "shortage.h"

enum {
  SMALLEST_SUB_BUFFER = 8 * 1024,
  LARGEST_SUB_BUFFER = 64 * 1024 * 1024, /* the recorder's maximum */
  /* With more threads than these, new rings are smaller. */
  FULL_SIZE_RINGS = 16,
  NAMES_AT_ONCE = 16,
  RINGS_AT_ONCE = 16
};

/* In memory that a fork zeroes. */
struct registry {
  struct lock lock;
  struct ring *all;
  struct ring *free;
  struct ring *next_name;
  uint8_t *spare; /* pages for the private parts of rings */
  uint32_t spares;
};

_Thread_local struct ring *ky_ring;
_Thread_local bool ky_own_work;
__attribute__((weak)) bool ky_waits; /* true in the library with wrappers of the thread library */
/* The recording in which there was no ring for this thread at its last attempt; 0: there was. */
static _Thread_local uint8_t without_ring __attribute__((tls_model("initial-exec")));
static _Thread_local int ending; /* rounds of destructors of this thread so far */

static uint32_t (*thread_number)(void);
static size_t (*thread_buffer)(void);

static struct registry *registry;
static pthread_key_t key;
static thread_end *when_thread_ends;

/* A thread as the recording shows it: with the program's own number, if there is one. */
struct thread {
  uint32_t number;
  uint32_t waits; /* track of what it waits for; 0 if there is none */
  uint32_t tid;
  bool numbered;
  uint32_t own_number;
};

static struct thread thread_of(const struct ring *ring) {
  return (struct thread) {ring->thread, ring->waits, ring->tid, ring->numbered, ring->own_number};
}

static void define_track(struct process *process, uint32_t number, uint32_t kind, uint64_t id, uint32_t tid,
    const char *name) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_THREAD);
  ky_definition_u32(definition, number);
  ky_definition_u32(definition, kind);
  ky_definition_u64(definition, id);
  ky_definition_u32(definition, tid);
  ky_definition_string(definition, name);
  ky_definition_put(process, definition);
}

/* Defines a thread and, if there is one, its track for waits; both have the thread's number as id. */
static void define(struct process *process, const struct thread *thread, const char *name) {
  char numbered[THREAD_NAME + 16];
  if (thread->numbered) {
    snprintf(numbered, sizeof numbered, "%s %u", name, thread->own_number);
    name = numbered;
  }
  uint64_t id = thread->waits == 0 ? 0 : thread->number;
  define_track(process, thread->number, THREAD_PLATFORM, id, thread->tid, name);
  if (thread->waits != 0) {
    define_track(process, thread->waits, THREAD_STATES, id, 0, name);
  }
}

static void keep_own_name(struct process *process, struct ring *ring) {
  char name[THREAD_NAME] = "";
  prctl(PR_GET_NAME, name);
  ky_lock(&registry->lock, REGISTRY_LOCK);
  bool renamed = strcmp(name, ring->name) != 0;
  strcpy(ring->name, name);
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  if (renamed) {
    struct thread thread = thread_of(ring);
    define(process, &thread, name);
  }
}

static void give_back(struct process *process, struct ring *ring) {
  keep_own_name(process, ring);
  ky_counters_retire(process, ring);
  ky_lock(&registry->lock, REGISTRY_LOCK);
  thread_store_relaxed(ring, 0);
  ring->next_free = registry->free;
  registry->free = ring;
  ky_unlock(&registry->lock, REGISTRY_LOCK);
}

/* A thread ends. Other destructors may still record, so this one waits for the last round of destructors. */
static void thread_ends(void *unused) {
  if (++ending < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, unused);
    return;
  }
  struct guard guard;
  ky_guard_begin(&guard);
  struct ring *ring = ky_ring;
  struct process *process = ky_process;
  if (ring != NULL && !ky_stands_aside && ring->thread != 0 && process != NULL && process->number != 0
      && ring->generation == process->generation) {
    if (ring->raw != NULL) {
      ky_ring_abandon(ring);
    }
    ring->busy = NULL;
    ky_ring_write_deferred(process, ring);
    when_thread_ends(process, __builtin_frame_address(0));
    give_back(process, ring);
  }
  ky_ring = NULL;
  ky_guard_end(&guard);
}

/* A free ring of the right size; NULL if there is none. */
static struct ring *take_free(struct process *process, uint32_t asked) {
  ky_lock(&registry->lock, REGISTRY_LOCK);
  struct ring **link = &registry->free;
  while (*link != NULL
      && ((*link)->generation != process->generation || (*link)->asked != asked)) {
    link = &(*link)->next_free;
  }
  struct ring *ring = *link;
  if (ring != NULL) {
    *link = ring->next_free;
  }
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  return ring;
}

static uint32_t usual_sub_buffer(const struct process *process, uint32_t ring) {
  uint32_t shared_by = ring / FULL_SIZE_RINGS > 0 ? ring / FULL_SIZE_RINGS : 1;
  uint32_t sub_buffer = process->session->buffer_size / shared_by / RING_SUB_BUFFER_COUNT & ~4095u;
  return sub_buffer < SMALLEST_SUB_BUFFER ? SMALLEST_SUB_BUFFER : sub_buffer;
}

static uint8_t *ring_memory(struct process *process, uint32_t number, uint32_t sub_buffer) {
  size_t length = strlen(process->home) + 16; /* a thread's stack may be small */
  char file[length];
  ky_path(file, process->home, "/ring-", number);
  size_t size = ring_size(sub_buffer);
  uint8_t *memory = ky_shared_memory(file, size, RING_FIRST);
  if (memory == NULL && ky_is_kept_out(errno) && ky_ask_for_home(process)) {
    memory = ky_shared_memory(file, size, RING_FIRST);
  }
  if (memory == NULL && (ky_is_kept_out(errno) || errno == ENOENT)) {
    ky_say_kept_out(process);
  } else if (memory == NULL) {
    ky_say_no_ring(process, size);
  }
  return memory;
}

/* Maps memory for several rings at once, because each mapping takes two system calls. */
static struct ring *new_ring(void) {
  uint8_t *ring = NULL;
  ky_lock(&registry->lock, REGISTRY_LOCK);
  if (registry->spares == 0) {
    registry->spare = ky_private_memory(RINGS_AT_ONCE * PAGE);
    registry->spares = registry->spare == NULL ? 0 : RINGS_AT_ONCE;
  }
  if (registry->spares > 0) {
    ring = registry->spare + --registry->spares * PAGE;
  }
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  return (struct ring *) (void *) ring;
}

static struct ring *create(struct process *process, uint32_t asked) {
  if (ky_nanos(CLOCK_MONOTONIC) < process->no_rings_until) {
    return NULL;
  }
  struct ring *ring = new_ring();
  if (ring == NULL) {
    return NULL;
  }
  uint32_t number = __atomic_add_fetch(&process->last_ring, 1, __ATOMIC_RELAXED);
  uint32_t sub_buffer = asked != 0 ? asked : usual_sub_buffer(process, number);
  uint8_t *memory = ring_memory(process, number, sub_buffer);
  if (memory == NULL) {
    return NULL;
  }
  ring->number = number;
  ky_ring_init(ring, memory, sub_buffer, process);
  ring->asked = asked;
  ky_lock(&registry->lock, REGISTRY_LOCK);
  ring->next = registry->all;
  registry->all = ring;
  process->rings = number + 1 > process->rings ? number + 1 : process->rings;
  store32_relaxed(process->control + CONTROL_RINGS, process->rings);
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  return ring;
}

/* A payload has 24 bits: after 16 million threads all further threads share the last number. */
static uint32_t next_thread(struct process *process) {
  uint32_t number = __atomic_add_fetch(&process->last_thread, 1, __ATOMIC_RELAXED);
  return number < MAX_PAYLOAD ? number : MAX_PAYLOAD;
}

/* Size in bytes of a sub-buffer of a ring of at least `bytes` bytes, a power of two so that threads can share rings; 0:
 * the usual size. */
static uint32_t sub_buffer_for(size_t bytes) {
  uint32_t size = SMALLEST_SUB_BUFFER;
  while (size < LARGEST_SUB_BUFFER && (size_t) size * RING_SUB_BUFFER_COUNT < bytes) {
    size *= 2;
  }
  return bytes == 0 ? 0 : size;
}

/* Asks the program what it wants for the calling thread; false if this is an event that it records while being
 * asked. */
static bool ask_program(struct thread *thread, uint32_t *sub_buffer) {
  static _Thread_local bool asking __attribute__((tls_model("initial-exec")));
  uint32_t (*number)(void) = __atomic_load_n(&thread_number, __ATOMIC_ACQUIRE);
  size_t (*size)(void) = __atomic_load_n(&thread_buffer, __ATOMIC_ACQUIRE);
  if (asking) {
    return false;
  }
  asking = true;
  thread->numbered = number != NULL;
  thread->own_number = number == NULL ? 0 : number();
  *sub_buffer = size == NULL ? 0 : sub_buffer_for(size());
  asking = false;
  return true;
}

void kymo_thread_functions(uint32_t (*number)(void), size_t (*buffer)(void)) {
  __atomic_store_n(&thread_number, number, __ATOMIC_RELEASE);
  __atomic_store_n(&thread_buffer, buffer, __ATOMIC_RELEASE);
}

uint32_t ky_new_context(struct process *process, const char *name) {
  uint32_t number = next_thread(process);
  define_track(process, number, THREAD_VIRTUAL, 0, 0, name);
  return number;
}

/* The calling thread is the ring's owner from now on. */
static void own(struct ring *ring, const struct thread *thread, const char name[THREAD_NAME]) {
  ky_lock(&registry->lock, REGISTRY_LOCK);
  ring->tid = thread->tid;
  ring->numbered = thread->numbered;
  ring->own_number = thread->own_number;
  strcpy(ring->name, name);
  ring->waits = thread->waits;
  ring->tag = (uint32_t) ring->generation << 24 | thread->waits;
  ring->running = thread->number;
  thread_store_relaxed(ring, thread->number);
  ky_unlock(&registry->lock, REGISTRY_LOCK);
}

bool ky_has_no_ring(void) {
  static _Thread_local uint8_t times __attribute__((tls_model("initial-exec")));
  const struct process *process = ky_process;
  return without_ring != 0 && process != NULL && without_ring == process->generation
      && (++times != 0 || ky_nanos(CLOCK_MONOTONIC_COARSE) < process->no_rings_until);
}

struct ring *ky_own_ring(struct process *process) {
  struct ring *ring = ky_ring;
  if (ring != NULL && ring->generation == process->generation) {
    return ring;
  }
  if (ending >= PTHREAD_DESTRUCTOR_ITERATIONS) {
    return NULL; /* nobody would take the ring back */
  }
  struct thread thread = {0, 0, (uint32_t) syscall(SYS_gettid), false, 0};
  uint32_t asked = 0;
  if (!ask_program(&thread, &asked)) {
    return NULL; /* the program records while it is asked */
  }
  ring = take_free(process, asked);
  if (ring == NULL) {
    ring = create(process, asked);
  }
  without_ring = ring == NULL ? process->generation : 0;
  if (ring == NULL) {
    return NULL;
  }
  char name[THREAD_NAME] = "";
  prctl(PR_GET_NAME, name);
  thread.number = next_thread(process);
  thread.waits = ky_waits ? next_thread(process) : 0;
  define(process, &thread, name);
  own(ring, &thread, name);
  ky_ring = ring;
  pthread_setspecific(key, ring);
  return ring;
}

/* Reads a thread's current name; false if the thread is ending. */
static bool read_name(uint32_t tid, char name[THREAD_NAME + 8]) {
  char file[64];
  if (tid == (uint32_t) syscall(SYS_gettid)) { /* opening files in /proc makes the end of a process expensive */
    return prctl(PR_GET_NAME, name) == 0;
  }
  snprintf(file, sizeof file, "/proc/self/task/%u/comm", tid);
  ptrdiff_t length = ky_read(file, name, THREAD_NAME + 8);
  bool whole = length >= 2 && length <= THREAD_NAME;
  name[whole ? length - 1 : 0] = 0; /* without its newline */
  return whole;
}

static void keep_name(struct process *process, struct ring *ring) {
  char name[THREAD_NAME + 8];
  ky_lock(&registry->lock, REGISTRY_LOCK);
  struct thread thread = thread_of(ring);
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  if (thread.number == 0 || !read_name(thread.tid, name)) {
    return;
  }
  ky_lock(&registry->lock, REGISTRY_LOCK);
  bool renamed = ring->thread == thread.number && strcmp(name, ring->name) != 0;
  if (renamed) {
    strcpy(ring->name, name);
  }
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  if (renamed) {
    define(process, &thread, name);
  }
}

void ky_keep_names(struct process *process, bool all) {
  ky_lock(&registry->lock, REGISTRY_LOCK);
  struct ring *ring = all || registry->next_name == NULL ? registry->all : registry->next_name;
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  for (int i = 0; ring != NULL && (all || i < NAMES_AT_ONCE); i++) {
    if (ring->generation == process->generation) {
      keep_name(process, ring);
    }
    ring = ring->next;
  }
  if (!all) {
    registry->next_name = ring;
  }
}

struct ring *ky_rings(void) {
  ky_lock(&registry->lock, REGISTRY_LOCK);
  struct ring *all = registry->all;
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  return all;
}

void ky_name_of(const struct ring *ring, char name[THREAD_NAME + 16]) {
  ky_lock(&registry->lock, REGISTRY_LOCK);
  if (ring->numbered) {
    snprintf(name, THREAD_NAME + 16, "%s %u", ring->name, ring->own_number);
  } else {
    strcpy(name, ring->name);
  }
  ky_unlock(&registry->lock, REGISTRY_LOCK);
}

uint32_t ky_waits_of(uint32_t tid) {
  uint32_t waits = 0;
  ky_lock(&registry->lock, REGISTRY_LOCK);
  for (const struct ring *ring = registry->all; ring != NULL && waits == 0; ring = ring->next) {
    bool is_its = ring->thread != 0 && ring->tid == tid && ring->generation == ky_process->generation;
    waits = is_its ? ring->waits : 0;
  }
  ky_unlock(&registry->lock, REGISTRY_LOCK);
  return waits;
}

bool ky_threads_init(thread_end *ends) {
  when_thread_ends = ends;
  registry = ky_private_memory(sizeof *registry);
  return registry != NULL && pthread_key_create(&key, thread_ends) == 0;
}
