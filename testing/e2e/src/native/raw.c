/* Fills in records by itself, and says on standard output how many. The first argument says what to do. */
#define _GNU_SOURCE
#include <errno.h>
#include <kymo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t data;
static uint32_t tick;
static long count;
static long ended;

static void define(void) {
  data = kymo_event_define("raw", 9, "test", "", 1, "DATA", KYMO_INSTANT, "", "", "u64 n; bytes b;");
  tick = kymo_event_define("raw", 9, "test", "", 2, "TICK", KYMO_INSTANT, "", "", "u64 n;");
}

/* A number, and so many bytes that are all alike. */
static void fill(unsigned char *room, uint64_t n, uint32_t bytes) {
  uint16_t length = (uint16_t) bytes;
  memcpy(room, &n, sizeof n);
  memcpy(room + 8, &length, sizeof length);
  for (uint32_t i = 0; i < bytes; i++) {
    ((volatile unsigned char *) room)[10 + i] = (unsigned char) n;
  }
}

static void whole(uint64_t n, uint32_t bytes) {
  void *room = kymo_record_begin(data, 10 + bytes);
  if (room != NULL) {
    fill(room, n, bytes);
    kymo_record_end(room, 10 + bytes);
    ended++;
  }
}

static void each(void) {
  unsigned char *room;
  for (long n = 1; n <= count; n++) {
    errno = 33;
    room = kymo_record_begin(data, 500);
    fill(room, (uint64_t) n, (uint32_t) n % 400);
    memset(room + 10 + n % 400, 0xEE, (size_t) (490 - n % 400)); /* not of the record */
    if (n % 3 == 0) {
      kymo_record_drop(room);
    } else {
      kymo_record_end(room, 10 + (size_t) n % 400);
    }
    kymo_event(tick, (uint64_t) n);
    if (errno != 33 || (uintptr_t) room % 8 != 0) {
      exit(97);
    }
    if (n == count / 2) {
      usleep(2600 * 1000); /* a record then says the whole clock */
    }
  }
  kymo_record_end(NULL, 8);
  kymo_record_drop(NULL);
  kymo_record_end(room, 8);
  kymo_record_drop(&room);
  room = kymo_record_begin(data, KYMO_MOST_DATA + 1); /* lost */
  printf("%d ", room == NULL);
  room = kymo_record_begin(data, 10);
  fill(room, 7, 0);
  kymo_record_end(room, 11); /* lost */
  kymo_record_end(kymo_record_begin(data, 0), 0);
}

static volatile sig_atomic_t handled;

static void records(int signal) {
  kymo_event(tick, (uint64_t) signal);
  handled++;
}

static void records_itself(int signal) {
  (void) signal;
  whole(0x55, 50);
  handled++;
}

static void often(void (*handle)(int) ) {
  struct sigaction action;
  struct itimerval often = {{0, 150}, {0, 150}};
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
}

static void signals(void (*handle)(int) ) {
  struct itimerval never = {{0, 0}, {0, 0}};
  long done = 0;
  often(handle);
  while (handled < count) {
    void *room = kymo_record_begin(data, 2010);
    if (room != NULL) {
      fill(room, 0xAA, 2000);
      kymo_record_end(room, 2010);
    }
    done++;
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("main=%ld handled=%ld ", done, (long) handled);
}

/* Something else is recorded before the end. */
static void between(void) {
  void *room = kymo_record_begin(data, 10);
  kymo_event(tick, 1);
  kymo_event(tick, 2);
  fill(room, 1, 0);
  kymo_record_end(room, 10);
  kymo_event(tick, 3);
  room = kymo_record_begin(data, 100);
  for (uint64_t n = 0; n < 1000; n++) {
    kymo_event(tick, 100 + n);
  }
  fill(room, 2, 90);
  kymo_record_end(room, 100);
}

static __attribute__((noinline)) void forget(int depth) {
  volatile char stack[200];
  stack[0] = (char) depth;
  if (depth == 0) {
    kymo_record_begin(data, 100);
  } else {
    forget(depth - 1 + stack[1] * 0);
  }
}

static void *forgets(void *unused) {
  forget(5);
  return unused;
}

static void forgotten(void) {
  pthread_t thread;
  forget(5);
  whole(1, 5);
  forget(0);
  kymo_event(tick, 1);
  forget(9);
  whole(2, 5);
  pthread_create(&thread, NULL, forgets, NULL);
  pthread_join(thread, NULL);
  whole(3, 5);
}

static void forks(void) {
  unsigned char *room = kymo_record_begin(data, 110);
  memset(room, 0x11, 110);
  pid_t child = fork();
  if (child == 0) {
    memset(room, 0xEE, 110);
    kymo_record_end(room, 110);
    kymo_event(tick, 77);
    whole(8, 20);
    exit(0);
  }
  waitpid(child, NULL, 0);
  fill(room, 5, 100);
  kymo_record_end(room, 110);
  whole(6, 20);
}

static void killed(void) {
  whole(1, 30);
  unsigned char *room = kymo_record_begin(data, 110);
  fill(room, 2, 100);
  kymo_flush();
  kill(getpid(), SIGKILL);
}

/* Not ended before the end of standard input. */
static void begun(void) {
  char byte;
  whole(1, 30);
  unsigned char *room = kymo_record_begin(data, 110);
  fill(room, 2, 100);
  printf("%d\n", (int) getpid());
  fflush(stdout);
  if (read(0, &byte, 1) > 0) {
    exit(96);
  }
  kymo_record_end(room, 110);
}

static void *stream(void *unused) {
  for (long n = 0; n < count; n++) {
    void *room = kymo_record_begin(data, 1010);
    if (room != NULL) {
      fill(room, (uint64_t) n, 1000);
      kymo_record_end(room, 1010);
      __atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
    }
  }
  return unused;
}

static void numbered(void) {
  for (long n = 1; n <= count; n++) {
    whole((uint64_t) n, 10);
  }
}

static void streams(int threads) {
  pthread_t all[8];
  for (int i = 0; i < threads; i++) {
    pthread_create(&all[i], NULL, stream, NULL);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
  }
}

/* ---- The program's own numbers and buffers ---- */

static _Thread_local uint32_t own_number;
static pthread_barrier_t together;

static uint32_t number(void) {
  kymo_event(tick, 4711); /* lost */
  errno = 44;
  return own_number;
}

static size_t buffer(void) {
  static const size_t sizes[] = {0, 1 << 20, 200 * 1024, 1, 0};
  return sizes[own_number % 5];
}

static void *worker(void *argument) {
  own_number = (uint32_t) (uintptr_t) argument;
  prctl(PR_SET_NAME, "worker");
  errno = 33;
  kymo_event(tick, own_number);
  if (errno != 33) {
    exit(95);
  }
  pthread_barrier_wait(&together);
  return NULL;
}

static void rings(void) {
  char file[4096];
  struct stat found;
  for (int i = 1; i < 20; i++) {
    snprintf(file, sizeof file, "%s/p1/ring-%d", getenv("KYMO_SESSION"), i);
    if (stat(file, &found) == 0) {
      printf("%ld ", (long) found.st_size - 4096);
    }
  }
}

static void threads(void) {
  pthread_t thread;
  kymo_thread_functions(number, buffer);
  pthread_barrier_init(&together, NULL, 2);
  for (int round = 0; round < 2; round++) { /* the second time there are rings for all of them */
    for (uintptr_t i = 0; i < 4; i++) {
      pthread_create(&thread, NULL, worker, (void *) (i + 10 * (uintptr_t) round));
      pthread_barrier_wait(&together);
      pthread_join(thread, NULL);
    }
  }
  kymo_thread_functions(NULL, NULL);
  pthread_create(&thread, NULL, worker, (void *) 99);
  pthread_barrier_wait(&together);
  pthread_join(thread, NULL);
  rings();
}

/* Each function, where nothing is recorded. */
static void quiet(void) {
  for (int i = 0; i < 2; i++) {
    errno = 33;
    kymo_instant("never");
    kymo_counter("never", 1);
    kymo_send("never", 1);
    kymo_receive("never", 1);
    kymo_start();
    kymo_stop();
    kymo_flush();
    kymo_done();
    kymo_thread_functions(number, buffer);
    uint32_t event = kymo_event_define("raw", 9, "", "", 3, "NEVER", KYMO_INSTANT, "", "", "");
    void *room = kymo_record_begin(data, 10);
    kymo_record_end(room, 10);
    kymo_record_drop(room);
    kymo_event(data, 1);
    kymo_event_data(data, "12345678", 8);
    kymo_enter_event(data);
    kymo_leave_event(data);
    printf("%u %d %d ", event, room == NULL, kymo_event_on(data));
    if (errno != 33) {
      exit(94);
    }
  }
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  count = argc > 2 ? atol(argv[2]) : 0;
  if (strcmp(what, "init") == 0) {
    int flags = atoi(argv[2]);
    kymo_instant("before");
    printf("%d ", kymo_init(flags, "named"));
    kymo_instant("after");
    fflush(stdout);
    if (fork() == 0) {
      kymo_instant("child");
      exit(0);
    }
    wait(NULL);
    puts("fine");
    return 0;
  }
  if (strcmp(what, "quiet") == 0) {
    if (count > 0) {
      kymo_instant("before");
    }
    kymo_done();
    quiet();
    puts("fine");
    return 0;
  }
  define();
  if (strcmp(what, "each") == 0) {
    each();
  } else if (strcmp(what, "signals") == 0) {
    signals(records);
  } else if (strcmp(what, "handlers") == 0) {
    signals(records_itself);
  } else if (strcmp(what, "between") == 0) {
    between();
  } else if (strcmp(what, "forgotten") == 0) {
    forgotten();
  } else if (strcmp(what, "forks") == 0) {
    forks();
  } else if (strcmp(what, "killed") == 0) {
    killed();
  } else if (strcmp(what, "begun") == 0) {
    begun();
  } else if (strcmp(what, "streams") == 0) {
    streams(4);
    printf("ended=%ld ", ended);
  } else if (strcmp(what, "numbered") == 0) {
    numbered();
  } else if (strcmp(what, "threads") == 0) {
    threads();
  } else {
    return 1;
  }
  puts("fine");
  return 0;
}
