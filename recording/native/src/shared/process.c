#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "control.h"
#include "events.h"
#include "functions.h"
#include "mailbox.h"
#include "modules.h"
#include "offer.h"
#include "threads.h"
#include "unfollowed.h"

#define SESSION_VARIABLE "KYMO_SESSION"

/* Where the recorder's lock cannot be looked at: without a heartbeat for so long it is taken for dead. */
#define HEARTBEAT_PATIENCE UINT64_C(10000000000)
#define LOOK_PERIOD UINT64_C(90000000)

/* So long is waited for the recorder's leave to go on as another user: it looks every few milliseconds. */
#define OWNER_PATIENCE UINT64_C(1000000000)

/* A program that has not joined and has made so many makes more. */
enum { MANY_CHILDREN = 4 };

/* After shared memory was not to be had. */
#define RETRY_AFTER UINT64_C(1000000000)

struct process *ky_process;

static struct lock *lock; /* in memory that a fork zeroes */
static uint32_t last_number; /* of this process or those it was forked from: where to look on */
static uint8_t last_generation;
static struct own_stat own_stat; /* where the arguments are, which stay there; zeroes: not known yet */
static bool constructed; /* the constructors of this library run, or have run */
static char session_directory[SESSION_PATH]; /* empty: there is none */

static bool is_told_session(void) {
  return session_directory[0] != 0;
}

uint64_t ky_clock(const struct process *process) {
  return clock_now(process->session->tsc);
}

static bool is_asked_to_stop(const struct process *process) {
  return load32(process->control + CONTROL_STOP) != 0;
}

enum recorder_state { RECORDER_ALIVE, RECORDER_DEAD, RECORDER_UNKNOWN };

/* The recorder has a file locked, and the kernel takes the lock from it only when it dies. */
static enum recorder_state recorder_state(const struct process *process) {
  size_t size = strlen(process->session->directory) + 16; /* a thread's stack may be small */
  char file[size];
  struct flock held = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  snprintf(file, size, "%s/alive", process->session->directory);
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return RECORDER_UNKNOWN;
  }
  int asked = fcntl(fd, F_GETLK, &held);
  close(fd);
  return asked != 0 ? RECORDER_UNKNOWN : held.l_type == F_UNLCK ? RECORDER_DEAD : RECORDER_ALIVE;
}

/* Looks now and then whether the recorder lives. One that is stopped, or has no processor, does. */
static void look_for_recorder(struct process *process) {
  uint64_t now = ky_nanos(CLOCK_MONOTONIC);
  uint64_t due = __atomic_load_n(&process->next_look, __ATOMIC_RELAXED);
  if (now < due || !__atomic_compare_exchange_n(&process->next_look, &due, now + LOOK_PERIOD, false,
                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    return;
  }
  uint64_t heartbeat = load64(process->control + CONTROL_HEARTBEAT);
  if (heartbeat != process->last_beat || process->last_change == 0) {
    process->last_beat = heartbeat;
    process->last_change = now;
    return;
  }
  enum recorder_state state = recorder_state(process);
  bool gone = state == RECORDER_DEAD
      || (state == RECORDER_UNKNOWN && now - process->last_change > HEARTBEAT_PATIENCE);
  if (gone && !is_asked_to_stop(process)) { /* one that ends says so before it gives up the lock */
    process->recorder_gone = true;
  }
}

bool ky_stop_requested(struct process *process) {
  if (is_asked_to_stop(process)) {
    return true;
  }
  look_for_recorder(process);
  return process->recorder_gone;
}

bool ky_await_recorder(struct process *process) {
  if (ky_stop_requested(process)) {
    return false;
  }
  ky_pause();
  return true;
}

void ky_lose_without_ring(struct process *process) {
  __atomic_fetch_add(
      (uint64_t *) (void *) (process->control + CONTROL_LOST), 1, __ATOMIC_RELAXED);
}

bool ky_say_no_memory(struct process *process, const char *what, size_t bytes) {
  const char *error = strerror(errno);
  process->no_rings_until = ky_nanos(CLOCK_MONOTONIC) + RETRY_AFTER;
  bool first = !__atomic_exchange_n(&process->failure_said, true, __ATOMIC_RELAXED);
  if (first) {
    ky_say("no memory for %s: directory=%s bytes=%zu error=%s;"
           " give it more room or record with a smaller --buffer", what, process->home, bytes, error);
  }
  return first;
}

void ky_say_no_ring(struct process *process, size_t bytes) {
  char text[256];
  const char *error = strerror(errno);
  if (ky_say_no_memory(process, "a thread's ring, its events are lost and counted", bytes)) {
    snprintf(text, sizeof text, "events of a thread of this process, and perhaps of others after it, are lost from here"
             " on and counted, because shared memory is full: tid=%ld bytes=%zu error=%s", syscall(SYS_gettid), bytes,
        error);
    ky_notice(process, text);
  }
}

bool ky_is_kept_out(int error) {
  return error == EACCES || error == EPERM;
}

bool ky_ask_for_home(struct process *process) {
  uint32_t wanted = (uint32_t) geteuid() + 1;
  uint64_t end = ky_nanos(CLOCK_MONOTONIC) + OWNER_PATIENCE;
  release32(process->control + CONTROL_OWNER_ASKED, wanted);
  uint32_t done;
  do {
    done = load32(process->control + CONTROL_OWNER_DONE);
  } while (done != wanted && done != OWNER_REFUSED && ky_nanos(CLOCK_MONOTONIC) < end
      && ky_await_recorder(process));
  return done == wanted;
}

void ky_say_kept_out(struct process *process) {
  char text[256];
  int error = errno;
  process->no_rings_until = ky_nanos(CLOCK_MONOTONIC) + RETRY_AFTER;
  if (!__atomic_exchange_n(&process->failure_said, true, __ATOMIC_RELAXED)) {
    snprintf(text, sizeof text, "threads of this process that begin from here on cannot be recorded, because it"
             " became another user or has another root directory: their events are counted as lost; user=%u"
             " error=%s", (unsigned) geteuid(), strerror(error));
    ky_notice(process, text);
  }
}

/* Where to look for a number that is free: a directory has a link from each one in it, on tmpfs. Elsewhere,
 * or when others come at the same time, it is not far from there. */
static uint32_t taken_numbers(const struct process *process) {
  struct stat session;
  bool known = stat(process->session->directory, &session) == 0 && session.st_nlink > 2;
  uint32_t homes = known ? (uint32_t) session.st_nlink - 2 : 0;
  return homes > last_number ? homes : last_number;
}

static bool claim_number(struct process *process) {
  for (uint32_t number = taken_numbers(process) + 1;; number++) {
    ky_path(process->home, process->session->directory, "/p", number);
    if (mkdir(process->home, 0700) == 0) {
      process->number = last_number = number;
      return true;
    }
    if (errno != EEXIST) {
      return false;
    }
  }
}

/* As /proc/PID/stat has the start of a process, which is not read: see define_command(). */
static uint64_t ticks_since_boot(void) {
  static uint64_t nanos; /* of a tick; asked once, for children, too */
  if (nanos == 0) {
    nanos = UINT64_C(1000000000) / (uint64_t) sysconf(_SC_CLK_TCK);
  }
  return ky_nanos(CLOCK_BOOTTIME) / nanos;
}

/* Without its magic number, which says that all is there. */
static bool open_control(struct process *process) {
  char file[sizeof process->home + 16];
  ky_path(file, process->home, "/control", NO_NUMBER);
  process->control = ky_shared_memory(file, CONTROL_SIZE, CONTROL_SIZE);
  if (process->control == NULL) {
    return false;
  }
  store32(process->control + CONTROL_PID, (uint32_t) getpid());
  store32(process->control + CONTROL_PROCESS, process->number);
  store64(process->control + CONTROL_BEGUN_BY, ticks_since_boot());
  store32(process->control + CONTROL_STATE, STATE_RUNNING);
  return true;
}

/* Makes the shared memory; what is there of it when that fails is removed with the session. */
static bool make_home(struct process *process) {
  bool made = claim_number(process) && open_control(process) && ky_definitions_open(process)
      && ky_mailbox_open(process);
  if (made) {
    release64(process->control + CONTROL_MAGIC, CONTROL_MAGIC_VALUE);
  }
  if (!made && ky_is_kept_out(errno)) {
    ky_unfollowed(process->session->directory, (long) getpid(), "it runs as another user", NULL);
  } else if (!made && errno != ENOENT) { /* that is a session that ended just now */
    ky_say("this process is not recorded, there is no shared memory: directory=%s error=%s",
        process->home, strerror(errno));
  }
  return made;
}

/* As the kernel has it in /proc/self/cmdline: what is written over the arguments' end goes on behind it. */
static uint32_t command_length(const struct own_stat *at) {
  const char *begin = (const char *) at->arguments;
  size_t length = at->arguments_end - at->arguments;
  if (length == 0 || begin[length - 1] == 0) {
    return (uint32_t) (length > 0 ? length - 1 : 0);
  }
  bool goes_on = at->environment == at->arguments_end && at->environment_end > at->environment;
  return (uint32_t) strnlen(begin, (goes_on ? at->environment_end : at->arguments_end) - at->arguments);
}

/* Forked children look where their parent has found it: a file of /proc costs a process that ends soon more
 * than its shared memory. */
static void define_command(struct definition *definition) {
  if (own_stat.arguments == 0 && !ky_stat(&own_stat)) {
    ky_definition_string(definition, "");
    return;
  }
  ky_definition_bytes(definition, (const char *) own_stat.arguments, command_length(&own_stat));
}

#ifdef __GLIBC__
/* Takes where the arguments are from what a constructor is given, unless the program has changed that
 * already: they lie one behind the other. */
static void find_command(int count, char *const *arguments, char *const *environment) {
  const char *end = count > 0 ? arguments[0] : NULL;
  for (int i = 0; i < count; i++) {
    if (arguments[i] != end) {
      return;
    }
    end += strlen(end) + 1;
  }
  const char *last = end;
  for (int i = 0; count > 0 && environment[i] == last; i++) {
    last += strlen(last) + 1;
  }
  if (count > 0) {
    own_stat.arguments_end = own_stat.environment = (uintptr_t) end;
    own_stat.environment_end = (uintptr_t) last;
    own_stat.arguments = (uintptr_t) arguments[0];
  }
}
#endif

void ky_define_process(struct process *process, const char *name) {
  struct definition *definition = ky_definition_begin(process, DEFINITION_PROCESS);
  ky_definition_u32(definition, process->number);
  ky_definition_u32(definition, (uint32_t) getpid());
  ky_definition_u32(definition, (uint32_t) getppid());
  if (name == NULL) {
    define_command(definition);
  } else {
    ky_definition_string(definition, name);
  }
  ky_definition_string(definition, "native");
  ky_definition_put(process, definition);
}

void ky_define_clock_pair(struct process *process) {
  uint64_t before = ky_clock(process);
  uint64_t monotonic = ky_nanos(CLOCK_MONOTONIC);
  uint64_t wall = ky_nanos(CLOCK_REALTIME);
  uint64_t after = ky_clock(process);
  if (process->first_nanos == 0) {
    process->first_clock = before;
    process->first_nanos = monotonic;
  }
  struct definition *definition = ky_definition_begin(process, DEFINITION_CLOCK_PAIR);
  ky_definition_u64(definition, before + (after - before) / 2);
  ky_definition_u64(definition, monotonic);
  ky_definition_u64(definition, wall);
  ky_definition_put(process, definition);
}

/* Reads what the environment says as long as it is known to be as the program was given it: programs
 * empty theirs, or write over it. A set-user-id program takes no orders from it. */
static void look_for_session(void) {
  const char *directory = secure_getenv(SESSION_VARIABLE);
  if (!is_told_session() && directory != NULL && strlen(directory) < sizeof session_directory) {
    strcpy(session_directory, directory);
  }
}

/* The session, read once for this process and those that it forks, and again when a recorder offers another
 * one; NULL if there is none. */
static const struct session *known_session(void) {
  static struct session *session;
  static bool loaded;
  if (ky_take_offer(session_directory, sizeof session_directory)) {
    session = NULL; /* the one before is still in use by who has just recorded */
    loaded = false;
    last_number = 0;
  }
  look_for_session();
  if (!loaded && is_told_session()) {
    if (session != NULL) { /* it was tried before */
      memset(session, 0, sizeof *session);
    } else {
      session = ky_allocate(sizeof *session); /* many pages, of which few are touched */
    }
    loaded = session != NULL && ky_session_load(session, session_directory);
  }
  return loaded ? session : NULL;
}

void ky_foresee_children(void) {
  static uint32_t children;
  const struct process *process = ky_process;
  if (process == NULL || process->number != 0 || __atomic_add_fetch(&children, 1, __ATOMIC_RELAXED) != MANY_CHILDREN
      || access(session_directory, X_OK) != 0) {
    return;
  }
  ky_lock(lock);
  bool known = known_session() != NULL;
  ky_unlock(lock);
  struct place program;
  if (known) {
    ky_place_of((uintptr_t) getauxval(AT_ENTRY), &program);
  }
}

static struct process *make_process(void) {
  struct process *process = ky_private_memory(sizeof *process);
  if (process == NULL || (process->session = known_session()) == NULL || !make_home(process)) {
    return NULL;
  }
  last_generation = last_generation == UINT8_MAX - 1 ? 1 : last_generation + 1;
  process->generation = last_generation;
  return process;
}

bool ky_join(void) {
  ky_lock(lock);
  struct process *process = ky_process;
  bool joined = process != NULL && process->number != 0 && !process->stopped;
  if (!joined) {
    bool forked = process != NULL && process->number == 0 && last_number != 0;
    process = make_process();
    joined = process != NULL;
    if (joined) {
      ky_control_begin(process, forked);
      ky_define_process(process, NULL);
      ky_define_clock_pair(process);
      __atomic_store_n(&ky_process, process, __ATOMIC_RELEASE);
    }
    ky_functions_begin(process);
    ky_events_begin(process);
  }
  ky_unlock(lock);
  return joined;
}

struct process *ky_joined(const struct guard *guard) {
  struct process *process = __atomic_load_n(&ky_process, __ATOMIC_ACQUIRE);
  bool over = process == NULL || process->stopped;
  if (over && !ky_is_offered()) {
    return NULL;
  }
  if (over || process->number == 0) { /* a number of 0: this is a child made by fork */
    if (!ky_join()) {
      return NULL;
    }
    process = ky_process;
  }
  if (process->stopped) {
    return NULL;
  }
  if (!process->wants_housekeeper && !ky_may_be_handler(guard)) {
    ky_start_housekeeper(process);
  }
  return process;
}

void ky_say_ended(struct process *process) {
  ky_keep_names(process, true);
  ky_define_clock_pair(process);
  store32(process->control + CONTROL_STATE, STATE_ENDED);
}

void ky_end(struct process *process) {
  ky_lock(lock);
  bool first = !process->stopped;
  process->stopped = true;
  if (first) {
    ky_functions_begin(NULL);
    ky_events_begin(NULL);
  }
  ky_unlock(lock);
  if (first) {
    __atomic_add_fetch(&ky_joinings_over, 1, __ATOMIC_RELAXED);
    if (process->number != 0) {
      ky_say_ended(process);
    }
  }
}

/* A library that is loaded before all programs does not know whether it is of use to this one. */
static bool is_preloaded(void) {
  const char *preloaded = secure_getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "libkymo") != NULL;
}

/* As a child made by fork: the first event joins. */
static void join_later(void) {
  struct process *process = ky_private_memory(sizeof *process);
  look_for_session();
  if (process == NULL || !is_told_session()) {
    ky_functions_begin(NULL);
  } else {
    __atomic_store_n(&ky_process, process, __ATOMIC_RELEASE);
    __atomic_store_n(&kymo_recording_, 1, __ATOMIC_RELEASE);
  }
}

bool ky_begun(void) {
  static bool begun;
  static bool works;
  if (!begun && environ == NULL && !constructed) {
    return false; /* code that runs before the C library is ready (.preinit_array) */
  }
  if (__atomic_exchange_n(&begun, true, __ATOMIC_ACQ_REL)) {
    return __atomic_load_n(&works, __ATOMIC_ACQUIRE);
  }
  lock = ky_private_memory(sizeof *lock);
  bool ready = lock != NULL && ky_events_init() && ky_functions_init() && ky_threads_init();
  __atomic_store_n(&works, ready, __ATOMIC_RELEASE);
  if (ready && is_preloaded()) {
    join_later();
  } else if (ready && ky_join()) {
    ky_start_housekeeper(ky_process);
  } else {
    ky_functions_begin(NULL);
  }
  return ready;
}

__attribute__((constructor(101))) static void begin(int count, char **arguments, char **environment) {
  struct guard guard;
  ky_guard_begin(&guard);
#ifdef __GLIBC__ /* which gives constructors what it gives the program */
  find_command(count, arguments, environment);
#else
  (void) count, (void) arguments, (void) environment;
#endif
  constructed = true;
  ky_begun();
  ky_guard_end(&guard);
}

/* After the program's own exit handlers; threads that still run are recorded further. */
__attribute__((destructor(101))) static void end(void) {
  struct guard guard;
  struct process *process = ky_process;
  ky_guard_begin(&guard);
  if (process != NULL && process->number != 0 && !process->stopped) {
    ky_dismiss_housekeeper(process);
    ky_say_ended(process);
  }
  ky_guard_end(&guard);
}
