/* Every way to end. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "cases.h"

CASE(returns) {
  return calls(5);
}

CASE(exits) {
  calls(3);
  exit(6);
}

CASE(exits_at_once) {
  fputs("lost", stdout); /* stays in the buffer */
  _exit(7);
}

CASE(exits_as_c99) {
  _Exit(calls(8));
}

static void quickly(void) {
  say("quickly %d\n", calls(4));
}

CASE(exits_quickly) {
  at_quick_exit(quickly);
  atexit(quickly); /* is not called */
  quick_exit(9);
}

CASE(exit_group_of_the_kernel) {
  atexit(quickly);
  return (int) syscall(SYS_exit_group, calls(10));
}

CASE(status_has_eight_bits) {
  exit(0x1234 + calls(1));
}

CASE(aborts) {
  calls(1);
  abort();
}

static void on_abort(int signal) {
  say("signal %d, %d\n", signal, calls(3));
}

CASE(aborts_with_a_handler) {
  signal(SIGABRT, on_abort);
  abort();
}

static sigjmp_buf back;

static void jump_back(int signal) {
  siglongjmp(back, signal);
}

CASE(abort_left_by_a_jump) {
  signal(SIGABRT, jump_back);
  int got = sigsetjmp(back, 1);
  if (got == 0) {
    abort();
  }
  say("back with %d\n", got);
  return calls(2);
}

CASE(each_fatal_signal) {
  for (int number = 1; number <= SIGRTMAX; number++) {
    pid_t child = number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU ? 0 : fork();
    if (child == 0 && number != SIGSTOP && number != SIGTSTP && number != SIGTTIN && number != SIGTTOU) {
      struct rlimit none = {0, 0};
      setrlimit(RLIMIT_CORE, &none);
      calls(3);
      raise(number);
      _exit(50);
    }
    if (child > 0) {
      char name[16];
      snprintf(name, sizeof name, "%d", number);
      say_end(name, child);
    }
  }
  return 0;
}

CASE(kills_itself) {
  calls(10);
  kill(getpid(), SIGKILL);
  pause();
  return 1;
}

CASE(kills_its_group) {
  if (fork() == 0) {
    calls(3);
    pause();
  }
  kill(0, SIGTERM);
  pause();
  return 1;
}

CASE(null_pointer) {
  volatile int *volatile nowhere = NULL;
  return calls(3) + *nowhere;
}

CASE(divides_by_zero) {
  volatile int zero = 0;
  return calls(3) / zero;
}

CASE(illegal_instruction) {
  calls(3);
  __builtin_trap();
}

CASE(jumps_to_nowhere) {
  void (*volatile nowhere)(void) = (void (*)(void)) 16;
  calls(3);
  nowhere();
  return 0;
}

static int deeper(volatile char *above) {
  volatile char room[4096];
  room[0] = *above;
  return room[0] == 2 ? 0 : deeper(room) + room[0]; /* it is always 1 */
}

CASE(stack_overflow) {
  volatile char first = 1;
  return deeper(&first);
}

static void on_overflow(int signal) {
  say("signal %d\n", signal);
  _exit(11);
}

CASE(stack_overflow_with_a_handler) {
  static char room[1 << 16];
  stack_t other = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigaction(SIGSEGV, &action, NULL);
  volatile char first = 1;
  return deeper(&first);
}

static void *overflow(void *unused) {
  volatile char first = 1;
  return deeper(&first) == 0 ? NULL : unused;
}

CASE(stack_overflow_of_a_thread) {
  pthread_t thread;
  pthread_create(&thread, NULL, overflow, NULL);
  pthread_join(thread, NULL);
  return 0;
}

static int handler_number;

static void numbered(void) {
  say("%d ", ++handler_number + calls(1) - 1);
}

CASE(forty_handlers) {
  for (int i = 0; i < 40; i++) {
    atexit(numbered);
  }
  return 3;
}

static void ends_otherwise(void) {
  say("%d\n", calls(6));
  _exit(21);
}

CASE(handler_that_ends) {
  atexit(quickly); /* would be next */
  atexit(ends_otherwise);
  return 3;
}

static void exits_again(void) {
  exit(22);
}

CASE(handler_that_calls_exit) {
  atexit(quickly);
  atexit(exits_again);
  return 3;
}

static void adds_one(void) {
  atexit(quickly);
}

CASE(handler_that_adds_one) {
  atexit(adds_one);
  return 4;
}

static void with_status(int status, void *unused) {
  (void) unused;
  say("on exit %d\n", status);
}

CASE(on_exit_gets_the_status) {
  on_exit(with_status, NULL);
  return 33;
}

static void on_term(int signal) {
  exit(signal + calls(2));
}

CASE(exit_in_a_handler) {
  signal(SIGTERM, on_term);
  raise(SIGTERM);
  return 1;
}

static void *exit_with(void *status) {
  calls(10);
  exit((int) (size_t) status);
}

static __attribute__((no_instrument_function)) void *run_for_ever(void *unused) {
  calls(10); /* and no more: what is recorded afterwards would only take time */
  for (volatile int going = 1; going;) {
  }
  return unused;
}

CASE(thread_calls_exit) {
  pthread_t threads[4];
  for (int i = 0; i < 3; i++) {
    pthread_create(threads + i, NULL, run_for_ever, NULL);
  }
  pthread_create(threads + 3, NULL, exit_with, (void *) 13);
  run_for_ever(NULL);
  return 0;
}

CASE(main_returns_while_threads_run) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(threads + i, NULL, run_for_ever, NULL);
  }
  return calls(14);
}

static void *kill_process(void *unused) {
  calls(5);
  kill(getpid(), SIGKILL);
  return unused;
}

CASE(thread_kills_the_process) {
  pthread_t thread;
  pthread_create(&thread, NULL, kill_process, NULL);
  run_for_ever(NULL);
  return 0;
}

static void *say_later(void *text) {
  struct timespec soon = {0, 20000000};
  nanosleep(&soon, NULL);
  say("%s %d\n", (char *) text, calls(7));
  return text;
}

CASE(main_leaves_by_pthread_exit) {
  pthread_t thread;
  pthread_create(&thread, NULL, say_later, "later");
  pthread_exit(NULL);
}

CASE(main_alone_leaves_by_pthread_exit) {
  calls(3);
  atexit(quickly);
  pthread_exit((void *) 5);
}

static void *exit_later(void *unused) {
  say_later("the last");
  exit(15);
  return unused;
}

CASE(last_thread_calls_exit) {
  pthread_t thread;
  pthread_create(&thread, NULL, exit_later, NULL);
  pthread_exit(NULL);
}

static void *end_by_the_kernel(void *unused) {
  say_later("the last");
  syscall(SYS_exit, 16);
  return unused;
}

CASE(threads_end_by_exit_of_the_kernel) {
  pthread_t thread;
  pthread_create(&thread, NULL, end_by_the_kernel, NULL);
  pthread_detach(thread);
  syscall(SYS_exit, 17);
  return 0;
}

CASE(main_alone_ends_by_exit_of_the_kernel) {
  atexit(quickly);
  syscall(SYS_exit, calls(18));
  return 0;
}

CASE(becomes_another) {
  calls(3);
  execl("/bin/sh", "sh", "-c", "echo another; exit 19", (char *) NULL);
  return 1;
}

CASE(becomes_nothing) {
  tell("missing", execl("/nowhere/at/all", "x", (char *) NULL));
  tell("directory", execl("/", "x", (char *) NULL));
  tell("no program", execl("/etc/passwd", "x", (char *) NULL));
  char *argument = malloc(1 << 20);
  memset(argument, 'x', (1 << 20) - 1);
  argument[(1 << 20) - 1] = 0;
  tell("too long", execl("/bin/true", "x", argument, (char *) NULL));
  return calls(20);
}

static void *become(void *unused) {
  calls(3);
  execl("/bin/sh", "sh", "-c", "echo from a thread; exit 23", (char *) NULL);
  return unused;
}

CASE(thread_becomes_another) {
  pthread_t thread;
  pthread_create(&thread, NULL, become, NULL);
  run_for_ever(NULL);
  return 1;
}

CASE(processor_time_is_over) {
  struct rlimit one = {1, 2};
  setrlimit(RLIMIT_CPU, &one);
  run_for_ever(NULL);
  return 0;
}

CASE(ended_by_an_alarm) {
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  run_for_ever(NULL);
  return 0;
}

CASE(ended_by_a_profiling_timer) {
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_PROF, &soon, NULL);
  run_for_ever(NULL);
  return 0;
}

CASE(ended_by_its_parent) {
  pid_t child = fork();
  if (child == 0) {
    run_for_ever(NULL);
  }
  kill(child, SIGINT);
  say_end("child", child);
  return 0;
}

CASE(ends_with_its_parent) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0) {
    return 1;
  }
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      calls(5);
      if (write(ends[1], "x", 1) == 1) {
        pause();
      }
      _exit(0);
    }
    _exit(read(ends[0], &byte, 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  say_end("parent", child);
  say("%zd\n", read(ends[0], &byte, 1)); /* the end: nobody has it open */
  return 0;
}

CASE(stops_and_goes_on) {
  int status;
  int seen[2];
  pipe(seen);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    calls(3);
    raise(SIGSTOP);
    read(seen[0], &byte, 1); /* once it has ended, nobody learns that it went on */
    _exit(calls(24));
  }
  waitpid(child, &status, WUNTRACED);
  say("stopped %d by %d\n", WIFSTOPPED(status), WSTOPSIG(status));
  kill(child, SIGCONT);
  waitpid(child, &status, WCONTINUED);
  say("goes on %d\n", WIFCONTINUED(status));
  write(seen[1], "", 1);
  say_end("child", child);
  return 0;
}

CASE(bus_error) {
  FILE *file = tmpfile();
  volatile char *memory = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fileno(file), 0);
  return calls(1) + memory[4096];
}

static void not_allowed(int of_what) {
  struct sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1), BPF_STMT(BPF_RET | BPF_K, (unsigned) of_what),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {4, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  calls(5);
  getppid();
}

CASE(ended_by_a_filter) {
  not_allowed((int) SECCOMP_RET_KILL_PROCESS);
  return 1;
}

CASE(thread_ended_by_a_filter) {
  not_allowed((int) SECCOMP_RET_KILL_THREAD);
  return 1;
}

CASE(input_ends) {
  char text[8];
  size_t got = fread(text, 1, sizeof text, stdin);
  return (int) got + calls(25);
}

static __attribute__((destructor)) void at_the_end(void) {
  if (count_of_words > 1 && strcmp(words[1], "destructor_that_ends") == 0) {
    say("destructor\n");
    _exit(calls(26));
  }
}

CASE(destructor_that_ends) {
  return 3;
}

CASE(output_that_cannot_be_written) {
  FILE *full = fopen("/dev/full", "w");
  fputs("text", full);
  tell("close", fclose(full));
  return 0;
}
