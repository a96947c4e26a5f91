/* Records events, and says on standard output how many. The first argument says what to do. */
#define _GNU_SOURCE
#include <errno.h>
#include <kymo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t tick;
static uint32_t work;
static uint32_t worked;
static uint32_t data;
static long count;

static void define(void) {
  const char *group = "own";
  tick = kymo_event_define(group, 7, "test", "", 1, "TICK", KYMO_INSTANT, "", "", "u64 i;");
  /* The end first, as happens where functions define their events on first use. */
  worked = kymo_event_define(group, 7, "test", "", 3, "WORKED", KYMO_END, "WORK", "", "");
  work = kymo_event_define(group, 7, "test", "", 2, "WORK", KYMO_BEGIN, "", "", "");
  data = kymo_event_define(group, 7, "test", "", 4, "DATA", KYMO_INSTANT, "", "", "u32 size; bytes b;");
}

static void ticks(long number) {
  for (long i = 0; i < number; i++) {
    kymo_event(tick, (uint64_t) i);
  }
}

static void *calls(void *unused) {
  for (long i = 0; i < count; i++) {
    kymo_enter_event(work);
    kymo_event(tick, (uint64_t) i);
    kymo_leave_event(worked);
  }
  return unused;
}

static void in_threads(long threads, void *(*run)(void *) ) {
  pthread_t *all = calloc((size_t) threads, sizeof *all);
  for (long i = 0; i < threads; i++) {
    if (pthread_create(&all[i], NULL, run, NULL) != 0) {
      abort();
    }
  }
  for (long i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
  }
  free(all);
}

static void *named(void *unused) {
  kymo_event(tick, 0);
  prctl(PR_SET_NAME, "renamed");
  kymo_event(tick, 1);
  return unused;
}

/* All sorts of everything. */
static void each(void) {
  for (long i = 0; i < count; i++) {
    kymo_event(tick, (uint64_t) i);
    kymo_enter_event(work);
    kymo_instant("hello");
    kymo_instant("cache/miss");
    kymo_leave_event(worked);
    kymo_counter("queue", -i);
    kymo_send("channel", (uint64_t) i);
    kymo_receive("channel", (uint64_t) i);
  }
}

static void sizes(void) {
  static unsigned char bytes[KYMO_MOST_DATA + 1];
  for (uint32_t size = 6; size <= KYMO_MOST_DATA; size = size * 2 - size / 3) {
    uint16_t rest = (uint16_t) (size - 6);
    memset(bytes, (int) size & 0xFF, sizeof bytes);
    memcpy(bytes, &size, 4);
    memcpy(bytes + 4, &rest, 2);
    kymo_event_data(data, bytes, size);
    count++;
  }
  kymo_event_data(data, bytes, KYMO_MOST_DATA);
  kymo_event_data(data, bytes, KYMO_MOST_DATA + 1);
  kymo_event_data(data, NULL, (size_t) 1 << 40);
  kymo_event_data(data, NULL, 0);
  count += 2;
}

static void forks(void) {
  ticks(count);
  for (int i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      ticks(count);
      kymo_instant("child");
      if (i == 2 && fork() == 0) { /* while nobody waits for it */
        ticks(count);
        _exit(0);
      }
      while (wait(NULL) > 0) {
      }
      exit(40 + i);
    }
    ticks(count);
    int status = 0;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 40 + i) {
      exit(99);
    }
  }
  if (fork() == 0) { /* records nothing, so it is no process of the recording */
    execl("/bin/true", "true", (char *) NULL);
    _exit(98);
  }
  if (vfork() == 0) {
    kymo_event(tick, 77); /* in the memory, and on the thread, of its parent */
    _exit(0);
  }
  while (wait(NULL) > 0) {
  }
  if (syscall(SYS_fork) == 0) { /* without a word to the C library */
    ticks(count);
    _exit(0);
  }
  wait(NULL);
}

static volatile sig_atomic_t handled;

static void handler(int signal) {
  kymo_enter_event(work);
  kymo_event(tick, (uint64_t) signal);
  kymo_leave_event(worked);
  /* Another handler may interrupt this one between reading and writing. */
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static void often(int which, int signal, int flags, void (*handle)(int)) {
  struct sigaction action;
  struct itimerval often = {{0, 150}, {0, 150}};
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART | flags;
  sigaction(signal, &action, NULL);
  setitimer(which, &often, NULL);
}

static void rarely(void) {
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
}

/* Handlers that record interrupt records, and each other, on the same stack and on one of their own. */
static void signals(void) {
  static char stack[1 << 16];
  stack_t own = {stack, 0, sizeof stack};
  long done = 0;
  sigaltstack(&own, NULL);
  often(ITIMER_REAL, SIGALRM, SA_NODEFER, handler);
  often(ITIMER_PROF, SIGPROF, SA_ONSTACK, handler);
  while (handled < count) {
    errno = 33;
    kymo_event(tick, 0);
    if (errno != 33) {
      exit(97);
    }
    done++;
  }
  rarely();
  printf("main=%ld\n", done);
}

static sigjmp_buf place;
static volatile sig_atomic_t inside;

static void jump(int unused) {
  (void) unused;
  if (inside) {
    handled++;
    siglongjmp(place, 1);
  }
}

/* A handler that never returns: at most the records that it interrupts are not there. */
static void jumps(void) {
  volatile long done = 0;
  sigsetjmp(place, 1);
  often(ITIMER_REAL, SIGALRM, 0, jump);
  inside = 1;
  while (handled < count) {
    kymo_event(tick, (uint64_t) done);
    done++;
  }
  inside = 0;
  rarely();
  kymo_instant("end");
  printf("main=%ld\n", (long) done);
}

static void *until_the_end(void *main_thread) {
  pthread_join(*(pthread_t *) main_thread, NULL);
  for (int i = 0; i < 100; i++) { /* the recorder looks more than once whether there is a process */
    kymo_flush();
  }
  ticks(count);
  return NULL;
}

static void main_ends(void) {
  static pthread_t self;
  pthread_t other;
  self = pthread_self();
  pthread_create(&other, NULL, until_the_end, &self);
  pthread_exit(NULL);
}

static void at_exit(void) {
  kymo_instant("atexit");
}

static void late(void *unused) {
  (void) unused;
  kymo_instant("destructor");
}

static void *has_destructor(void *key) {
  pthread_setspecific(*(pthread_key_t *) key, key);
  return NULL;
}

static void destructors(void) {
  pthread_key_t key;
  pthread_t thread;
  atexit(at_exit);
  pthread_key_create(&key, late);
  for (long i = 0; i < count; i++) {
    pthread_create(&thread, NULL, has_destructor, &key);
    pthread_join(thread, NULL);
  }
}

static void pauses(void) {
  ticks(count);
  kymo_stop();
  ticks(1000);
  kymo_instant("never");
  kymo_start();
  ticks(count);
  kymo_flush();
  kymo_done();
  ticks(1000);
  kymo_instant("never");
  printf("%d ", kymo_init(8, NULL));
  printf("%d ", kymo_init(0, "again"));
  printf("%d\n", kymo_event_on(tick));
  ticks(count);
}

static void *forever(void *unused) {
  kymo_enter_event(work);
  for (;;) {
    kymo_event(tick, 0);
  }
  return unused;
}

/* The process ends in the middle of everything. */
static void end(const char *how) {
  pthread_t thread;
  pthread_create(&thread, NULL, forever, NULL);
  kymo_enter_event(work);
  for (long i = 0; i < count; i++) {
    kymo_instant("counted");
  }
  if (strcmp(how, "exit") == 0) {
    exit(5);
  } else if (strcmp(how, "_exit") == 0) {
    _exit(6);
  } else if (strcmp(how, "abort") == 0) {
    abort();
  }
  kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  count = argc > 2 ? atol(argv[2]) : 0;
  long threads = argc > 3 ? atol(argv[3]) : 0;
  define();
  if (strcmp(what, "each") == 0) {
    each();
  } else if (strcmp(what, "threads") == 0) {
    in_threads(threads, calls);
  } else if (strcmp(what, "short") == 0) {
    for (long i = 0; i < threads; i += 20) {
      in_threads(20, calls);
    }
  } else if (strcmp(what, "named") == 0) {
    in_threads(1, named);
  } else if (strcmp(what, "data") == 0) {
    sizes();
  } else if (strcmp(what, "fork") == 0) {
    forks();
  } else if (strcmp(what, "signals") == 0) {
    signals();
    count = handled;
  } else if (strcmp(what, "jumps") == 0) {
    jumps();
    count = handled;
  } else if (strcmp(what, "main") == 0) {
    main_ends();
  } else if (strcmp(what, "destructors") == 0) {
    destructors();
  } else if (strcmp(what, "pauses") == 0) {
    pauses();
  } else {
    end(what);
  }
  printf("count=%ld\n", count);
  return 3;
}
