/* silent nofile|full DIRECTORY: a child records in all ways without a ring, or without memory for it. Its parent counts
 * system calls, and says whether they are as many as the records. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <kymo.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RECORDS = 1000, FILLING = 300000, WAYS = 5 };

static const char *const ways[WAYS] = {"call", "event", "data", "raw", "lock"};

static struct {
  volatile pid_t thread; /* whose system calls count; 0: nobody's */
  volatile int way;
} *shared;

static uint32_t event;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int one_more(int n) {
  return n + 1;
}

KYMO_NOT_RECORDED static void record(int way, int i) {
  if (way == 0) {
    one_more(i);
  } else if (way == 1) {
    kymo_event(event, 1);
  } else if (way == 2) {
    kymo_event_data(event, "data", 4);
  } else if (way == 3) {
    void *room = kymo_record_begin(event, 4);
    if (room != NULL) {
      memcpy(room, "data", 4);
      kymo_record_end(room, 4);
    }
  } else {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

KYMO_NOT_RECORDED static void *work(void *unused) {
  for (int way = 0; way < WAYS; way++) {
    record(way, 0); /* finds out that there is no ring */
    shared->way = way;
    shared->thread = (pid_t) syscall(SYS_gettid);
    for (int i = 0; i < RECORDS; i++) {
      record(way, i);
    }
    shared->thread = 0;
  }
  return unused;
}

/* Takes all memory of a file system; nothing if there is none. */
KYMO_NOT_RECORDED static void fill(const char *directory) {
  static const char zeroes[4096];
  char file[4096];
  snprintf(file, sizeof file, "%s/filler", directory);
  int to = open(file, O_CREAT | O_WRONLY, 0600);
  while (write(to, zeroes, sizeof zeroes) > 0) {
  }
  close(to);
}

KYMO_NOT_RECORDED static int child(char **arguments) {
  event = kymo_event_define("cache", 0, "", "", 0, "miss", KYMO_INSTANT, "", "", "");
  one_more(0);
  bool full = strcmp(arguments[1], "full") == 0;
  if (full) {
    fill(arguments[2]);
    for (int i = 0; i < FILLING; i++) {
      record(1, i);
    }
  } else {
    struct rlimit none = {3, 3};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  if (full) {
    work(NULL);
  } else {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  return 3;
}

/* How often the counted thread stops at a system call, by way, until the child has ended; returns its status. */
KYMO_NOT_RECORDED static int count(pid_t traced, int stops[WAYS]) {
  int status = 0;
  waitpid(traced, &status, __WALL);
  ptrace(PTRACE_SETOPTIONS, traced, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE);
  ptrace(PTRACE_SYSCALL, traced, NULL, NULL);
  for (;;) {
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread == traced && !WIFSTOPPED(status)) {
      return status;
    }
    if (WIFSTOPPED(status)) {
      int number = WSTOPSIG(status);
      stops[shared->way] += number == (SIGTRAP | 0x80) && thread == shared->thread;
      bool own = number == SIGTRAP || number == SIGSTOP || number == (SIGTRAP | 0x80);
      ptrace(PTRACE_SYSCALL, thread, NULL, own ? 0 : number);
    }
  }
}

KYMO_NOT_RECORDED int main(int arguments, char **argument) {
  int stops[WAYS] = {0};
  if (arguments < 3) {
    return 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t pid = fork();
  if (pid == 0) {
    _exit(child(argument));
  }
  int status = count(pid, stops);
  for (int way = 0; way < WAYS; way++) {
    printf("%s %s\n", ways[way], stops[way] < RECORDS ? "silent" : "not silent");
  }
  return WEXITSTATUS(status);
}
