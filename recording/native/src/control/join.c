#include "join.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/layout.h"
#include "base/modules.h"
#include "base/private.h"
#include "base/unfollowed.h"
#include "calls/budget.h"
#include "calls/functions.h"
#include "control.h"
#include "events/events.h"
#include "housekeeper.h"
#include "identity.h"
#include "membership.h"
#include "offer.h"
#include "shared/definitions.h"
#include "shared/mailbox.h"

#define SESSION_VARIABLE "KYMO_SESSION"

/* After these children, a program that has not joined is expected to make more. */
enum { MANY_CHILDREN = 4 };

static uint32_t last_number; /* of this process or its ancestors: the search for a free number begins there */
static uint8_t last_generation;
static char session_directory[SESSION_PATH]; /* empty: there is none */

static bool is_told_session(void) {
  return session_directory[0] != 0;
}

/* An estimate of how many numbers are taken: on tmpfs a directory has a link from each directory in it. On other file
 * systems, or when other processes join at the same time, the first free number is near. */
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

/* The current time in the unit of a process's start in /proc/PID/stat, which is not read for the reason at
 * define_command() in identity.c. */
static uint64_t ticks_since_boot(void) {
  static uint64_t nanos; /* of a tick; asked once, also for children */
  if (nanos == 0) {
    nanos = UINT64_C(1000000000) / (uint64_t) sysconf(_SC_CLK_TCK);
  }
  return ky_nanos(CLOCK_BOOTTIME) / nanos;
}

/* Without its magic number, which is stored when everything is there. */
static bool open_control(struct process *process) {
  char file[sizeof process->home + 16];
  ky_path(file, process->home, "/control", NO_NUMBER);
  process->control = ky_shared_memory(file, CONTROL_SIZE, CONTROL_SIZE);
  if (process->control == NULL) {
    return false;
  }
  store32_relaxed(process->control + CONTROL_PID, (uint32_t) getpid());
  store32_relaxed(process->control + CONTROL_PROCESS, process->number);
  store64_relaxed(process->control + CONTROL_BEGUN_BY, ticks_since_boot());
  store32_relaxed(process->control + CONTROL_STATE, STATE_RUNNING);
  return true;
}

/* Makes the shared memory. If that fails, the part that was made is removed with the session. */
static bool make_home(struct process *process) {
  bool made = claim_number(process) && open_control(process) && ky_definitions_open(process)
      && ky_mailbox_open(process);
  if (made) {
    store64_release(process->control + CONTROL_MAGIC, CONTROL_MAGIC_VALUE);
  }
  if (!made && ky_is_kept_out(errno)) {
    ky_unfollowed(process->session->directory, (long) getpid(), "it runs as another user", NULL);
  } else if (!made && errno != ENOENT) { /* ENOENT: the session has just ended */
    ky_say("this process is not recorded, there is no shared memory: directory=%s error=%s",
        process->home, strerror(errno));
  }
  return made;
}

/* Reads the environment before the program can change it: programs empty their environment, or write over it. A
 * set-user-id program ignores it. */
static void look_for_session(void) {
  const char *directory = secure_getenv(SESSION_VARIABLE);
  if (!is_told_session() && directory != NULL && strlen(directory) < sizeof session_directory) {
    strcpy(session_directory, directory);
  }
}

/* The session, which is read once for this process and its forked children, and again when a recorder offers another
 * one; NULL if there is none. */
static const struct session *known_session(void) {
  static struct session *session;
  static bool loaded;
  if (ky_take_offer(session_directory, sizeof session_directory)) {
    session = NULL; /* threads that have just recorded still use the previous one */
    loaded = false;
    last_number = 0;
  }
  look_for_session();
  if (!loaded && is_told_session()) {
    if (session != NULL) { /* an earlier attempt failed */
      memset(session, 0, sizeof *session);
    } else {
      session = ky_allocate(sizeof *session); /* many pages, few of which are used */
    }
    loaded = session != NULL && ky_session_load(session, session_directory);
  }
  return loaded ? session : NULL;
}

void ky_foresee_children(void) {
  static uint32_t children;
  const struct process *process = ky_process;
  if (process == NULL || process->number != 0 || ky_stands_aside
      || __atomic_add_fetch(&children, 1, __ATOMIC_RELAXED) != MANY_CHILDREN
      || access(session_directory, X_OK) != 0) {
    return;
  }
  ky_membership_lock();
  bool known = known_session() != NULL;
  ky_membership_unlock();
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
  process->packet_closed = ky_budget_packet;
  return process;
}

bool ky_join(void) {
  if (ky_stands_aside) {
    return false;
  }
  ky_membership_lock();
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
  ky_membership_unlock();
  return joined;
}

struct process *ky_joined(const struct guard *guard) {
  struct process *process = __atomic_load_n(&ky_process, __ATOMIC_ACQUIRE);
  bool over = process == NULL || process->stopped;
  if (over && !ky_is_offered()) {
    return NULL;
  }
  if (over || process->number == 0) { /* number 0: this is a child made by fork */
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

void ky_join_later(void) {
  struct process *process = ky_private_memory(sizeof *process);
  look_for_session();
  if (process == NULL || !is_told_session()) {
    ky_functions_begin(NULL);
  } else {
    __atomic_store_n(&ky_process, process, __ATOMIC_RELEASE);
    __atomic_store_n(&kymo_recording_, 1, __ATOMIC_RELEASE);
  }
}
