/* Functions that count their own calls: functions MODE N. Prints "function calls" a line, for those of this
 * process and, where it says so, of its children. Built with -finstrument-functions; it knows nothing of
 * Kymo. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))

enum { LEAF, MIDDLE, DEEP, THREAD, HANDLER, THROWS, TRIES, BODY, STEP, YIELDS, RESUMES, CHILD, COUNT };

static const char *const names[] = {"leaf", "middle", "deep", "thread", "handler", "throws", "tries",
    "body", "step", "yields", "resumes", "child"};
static long counts[COUNT];
static jmp_buf out;
static sigjmp_buf signal_out;
static volatile sig_atomic_t jumping;

static QUIET void called(int function) {
  __atomic_fetch_add(&counts[function], 1, __ATOMIC_RELAXED);
}

FUNCTION int leaf(int i) {
  called(LEAF);
  return i + 1;
}

FUNCTION int middle(int i) {
  called(MIDDLE);
  return leaf(i) + leaf(i + 1);
}

FUNCTION void deep(int depth, int how) {
  called(DEEP);
  if (depth > 0) {
    deep(depth - 1, how);
  } else if (how == 1) {
    longjmp(out, 1);
  } else if (how == 2) {
    exit(5);
  } else if (how == 3) {
    _exit(6);
  } else if (how == 4) {
    abort();
  } else if (how == 5) {
    kill(getpid(), SIGKILL);
    pause();
  }
  __asm__ volatile("" ::: "memory"); /* keeps it from becoming a loop */
}

FUNCTION int tries(int n) {
  volatile int caught = 0;
  called(TRIES);
  for (volatile int i = 0; i < n; i++) {
    if (setjmp(out) == 0) {
      deep(3, 1);
    } else {
      caught++;
    }
  }
  return caught;
}

FUNCTION void handler(int signal) {
  (void) signal;
  called(HANDLER);
  leaf(0);
  if (jumping) {
    siglongjmp(signal_out, 1);
  }
}

FUNCTION void throws(void) {
  called(THROWS);
  raise(SIGUSR1);
}

static QUIET void handle(int signal, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, NULL);
}

static QUIET void jumps(int n) {
  static char other_stack[64 * 1024];
  stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  tries(n);
  jumping = 1;
  for (volatile int round = 0; round < 2; round++) {
    handle(SIGUSR1, round == 0 ? 0 : SA_ONSTACK);
    for (volatile int i = 0; i < n; i++) {
      if (sigsetjmp(signal_out, 1) == 0) {
        throws();
      }
    }
    sigaltstack(&stack, NULL);
  }
  middle(1);
}

static QUIET void signals(int n) {
  struct itimerval every = {{0, 100}, {0, 100}};
  struct itimerval never = {{0, 0}, {0, 0}};
  handle(SIGALRM, SA_RESTART);
  setitimer(ITIMER_REAL, &every, NULL);
  while (__atomic_load_n(&counts[HANDLER], __ATOMIC_RELAXED) < n) {
    middle(1);
  }
  setitimer(ITIMER_REAL, &never, NULL);
}

FUNCTION void *thread(void *argument) {
  called(THREAD);
  for (long i = 0; i < (long) argument; i++) {
    middle((int) i);
  }
  if ((long) argument % 2 == 1) {
    pthread_exit(NULL);
  }
  return NULL;
}

static QUIET void threads(int n, int count) {
  pthread_t all[64];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
  for (int done = 0; done < count;) {
    int some = count - done < 64 ? count - done : 64;
    for (int i = 0; i < some; i++) {
      pthread_create(&all[i], &small, thread, (void *) (long) (n + i));
    }
    for (int i = 0; i < some; i++) {
      pthread_join(all[i], NULL);
    }
    done += some;
  }
}

enum { CONTEXTS = 3 };
static ucontext_t loop;
static ucontext_t contexts[CONTEXTS];
static int done[CONTEXTS];

FUNCTION int step(int i) {
  called(STEP);
  return i;
}

FUNCTION void yields(int i) {
  called(YIELDS);
  swapcontext(&contexts[i], &loop);
}

FUNCTION void body(int i, int n) {
  called(BODY);
  for (int k = 0; k < n; k++) {
    step(k);
    yields(i);
  }
  done[i] = 1;
}

FUNCTION void resumes(int i) {
  called(RESUMES);
  swapcontext(&loop, &contexts[i]);
}

static QUIET void stacks(int n) {
  static char memory[CONTEXTS][64 * 1024];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < CONTEXTS; i++) {
      getcontext(&contexts[i]);
      contexts[i].uc_stack.ss_sp = memory[i];
      contexts[i].uc_stack.ss_size = sizeof memory[i];
      contexts[i].uc_link = &loop;
      done[i] = 0;
      makecontext(&contexts[i], (void (*)(void)) body, 2, i, n);
    }
    for (int i = 0, left = CONTEXTS; left > 0; i = (i + 1) % CONTEXTS) {
      if (!done[i]) {
        resumes(i);
        left -= done[i];
      }
    }
  }
}

FUNCTION void child(int n) {
  called(CHILD);
  for (int i = 0; i < n; i++) {
    middle(i);
  }
}

/* What children count is lost to this process. */
static QUIET void made(pid_t pid, int n) {
  if (pid == 0) {
    child(n);
    _exit(0);
  }
  if (pid < 0) {
    return; /* QEMU does not have every way */
  }
  waitpid(pid, NULL, 0);
  counts[CHILD]++;
  counts[MIDDLE] += n;
  counts[LEAF] += 2L * n;
}

/* Past the C library. */
static QUIET pid_t raw_fork(void) {
#ifdef SYS_fork
  return (pid_t) syscall(SYS_fork);
#else
  return (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
}

static QUIET void forks(int n) {
  made(fork(), n);
  made(raw_fork(), n);
  pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/true", "true", (char *) NULL);
    _exit(1);
  }
  waitpid(pid, NULL, 0);
  pid = vfork();
  if (pid == 0) {
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  pid = fork();
  if (pid == 0) {
    pid_t inner = fork();
    made(inner, n);
    exit(0);
  }
  waitpid(pid, NULL, 0);
  counts[CHILD]++;
  counts[MIDDLE] += n;
  counts[LEAF] += 2L * n;
}

/* Further ways to make a child that the C library's handlers do not see. */
static QUIET void bare(int n) {
  unsigned long long how[8] = {0, 0, 0, 0, SIGCHLD}; /* struct clone_args */
  made((pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), n);
  made((pid_t) syscall(SYS_clone3, how, sizeof how), n);
#if __GLIBC_PREREQ(2, 34)
  made(_Fork(), n);
#endif
}

__attribute__((constructor)) QUIET static void before(void) {
  leaf(1);
}

static QUIET void say(void) {
  for (int i = 0; i < COUNT; i++) {
    printf("%s %ld\n", names[i], counts[i]);
  }
  fflush(stdout);
}

/* Not static: a stripped program has its name, too. */
__attribute__((destructor)) void after(void) {
  leaf(1);
  say();
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 10;
  if (strcmp(mode, "calls") == 0) {
    for (int i = 0; i < n; i++) {
      middle(i);
    }
  } else if (strcmp(mode, "jumps") == 0) {
    jumps(n);
  } else if (strcmp(mode, "signals") == 0) {
    signals(n);
  } else if (strcmp(mode, "threads") == 0) {
    threads(n, atoi(argv[3]));
  } else if (strcmp(mode, "stacks") == 0) {
    stacks(n);
  } else if (strcmp(mode, "forks") == 0) {
    forks(n);
  } else if (strcmp(mode, "bare") == 0) {
    bare(n);
  } else if (strcmp(mode, "deep") == 0) {
    deep(n, atoi(argv[3]));
  }
  return 3;
}
