/* What programs do with signals and timers. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "cases.h"

static volatile sig_atomic_t count, last;

static void on_signal(int signal) {
  count++;
  last = signal + calls(1) - 1;
}

static void on_info(int signal, siginfo_t *info, void *context) {
  int mine = info->si_pid == getpid();
  say("%d code %d value %d mine %d context %d\n", signal, info->si_code, info->si_value.sival_int, mine, context != NULL);
  calls(5);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
  sigaction(signal, &action, NULL);
}

static sigset_t one(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

CASE(as_at_the_beginning) {
  sigset_t blocked;
  sigset_t pending;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  sigpending(&pending);
  for (int i = 1; i <= SIGRTMAX; i++) {
    struct sigaction action;
    int known = sigaction(i, NULL, &action) == 0;
    say("%d:%d%d ", i, known, known && action.sa_handler == SIG_DFL);
    say("%d%d ", sigismember(&blocked, i), sigismember(&pending, i));
  }
  stack_t stack;
  sigaltstack(NULL, &stack);
  say("\n%d\n", stack.ss_flags == SS_DISABLE);
  return calls(1);
}

CASE(with_information) {
  install(SIGUSR1, on_info, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  union sigval value = {.sival_int = 77};
  sigqueue(getpid(), SIGUSR1, value);
  return calls(2);
}

CASE(in_order) {
  union sigval value = {0};
  sigset_t all = one(SIGRTMIN);
  sigaddset(&all, SIGRTMIN + 1);
  sigaddset(&all, SIGUSR1);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 3; i++) {
    value.sival_int = i;
    sigqueue(getpid(), SIGRTMIN + 1, value);
    sigqueue(getpid(), SIGRTMIN, value);
    sigqueue(getpid(), SIGUSR1, value);
    calls(10);
  }
  siginfo_t info;
  struct timespec none = {0, 0};
  for (int signal; (signal = sigtimedwait(&all, &info, &none)) > 0;) {
    say("%d=%d ", signal, info.si_value.sival_int);
  }
  say("%s\n", strerrorname_np(errno));
  return 0;
}

CASE(awaited) {
  sigset_t user = one(SIGUSR2);
  int signal = 0;
  sigprocmask(SIG_BLOCK, &user, NULL);
  pid_t child = fork();
  if (child == 0) {
    calls(10);
    kill(getppid(), SIGUSR2);
    _exit(0);
  }
  say("%d ", sigwait(&user, &signal));
  say("%d\n", signal);
  say_end("child", child);
  return 0;
}

CASE(as_a_file) {
  struct signalfd_siginfo info;
  sigset_t user = one(SIGUSR2);
  sigprocmask(SIG_BLOCK, &user, NULL);
  int file = signalfd(-1, &user, SFD_CLOEXEC);
  raise(SIGUSR2);
  calls(10);
  say("%zd %d\n", read(file, &info, sizeof info), (int) info.ssi_signo);
  return 0;
}

CASE(for_nobody_yet) {
  sigset_t term = one(SIGTERM);
  sigset_t pending;
  sigprocmask(SIG_BLOCK, &term, NULL);
  calls(100); /* also a thread of a guest must not take it */
  kill(getpid(), SIGTERM);
  calls(100);
  struct timespec moment = {0, 150000000};
  nanosleep(&moment, NULL);
  sigpending(&pending);
  say("pending %d\n", sigismember(&pending, SIGTERM));
  sigprocmask(SIG_UNBLOCK, &term, NULL);
  return 1;
}

static void on_here(int signal) {
  say("%d on main %d\n", signal, gettid() == getpid());
}

CASE(on_the_main_thread) {
  calls(100);
  signal(SIGUSR1, on_here);
  kill(getpid(), SIGUSR1);
  calls(100);
  kill(getpid(), SIGUSR1);
  return 0;
}

static sigjmp_buf back;

static void jump(int signal) {
  siglongjmp(back, signal);
}

CASE(going_on_after_faults) {
  volatile int faults = 0;
  signal(SIGSEGV, jump);
  signal(SIGFPE, jump);
  signal(SIGILL, jump);
  for (volatile int i = 0; i < 30; i++) {
    int got = sigsetjmp(back, 1);
    if (got != 0) {
      faults += got;
      continue;
    }
    calls(i);
    if (i % 3 == 0) {
      volatile int *volatile nowhere = NULL;
      *nowhere = 1;
    } else if (i % 3 == 1) {
      raise(SIGFPE);
    } else {
      __asm__ volatile(".byte 0x0f, 0x0b");
    }
  }
  say("%d\n", faults);
  return 0;
}

static char *guarded;

static void give_page(int signal, siginfo_t *info, void *unused) {
  (void) signal, (void) unused;
  char *page = (char *) ((uintptr_t) info->si_addr & ~(uintptr_t) 4095);
  say("page %d\n", (int) (page - guarded) / 4096);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  calls(5);
}

CASE(memory_on_demand) {
  install(SIGSEGV, give_page, 0);
  guarded = mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 3; i >= 0; i--) {
    guarded[i * 4096 + calls(i)] = 1;
  }
  return 0;
}

static void skip(int signal, siginfo_t *info, void *context) {
  (void) signal, (void) info;
#ifdef __x86_64__
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] += 2;
#else
  ((ucontext_t *) context)->uc_mcontext.pc += 4;
#endif
  calls(4);
}

CASE(instructions_that_are_skipped) {
  install(SIGILL, skip, 0);
  for (int i = 0; i < 3; i++) {
#ifdef __x86_64__
    __asm__ volatile("ud2");
#else
    __asm__ volatile("udf 0");
#endif
    say("skipped %d\n", calls(i));
  }
  return 0;
}

CASE(inherited_by_exec) {
  if (again("again")) {
    sigset_t blocked;
    struct sigaction ignored;
    struct sigaction handled;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigaction(SIGUSR2, NULL, &ignored);
    sigaction(SIGHUP, NULL, &handled);
    say("%d %d %d\n", sigismember(&blocked, SIGUSR1), ignored.sa_handler == SIG_IGN, handled.sa_handler == SIG_DFL);
    sigset_t pending;
    sigpending(&pending);
    say("%d\n", sigismember(&pending, SIGUSR1));
    return calls(2);
  }
  sigset_t user = one(SIGUSR1);
  sigprocmask(SIG_BLOCK, &user, NULL);
  signal(SIGUSR2, SIG_IGN);
  signal(SIGHUP, on_signal);
  raise(SIGUSR1);
  become_again("again");
  return 1;
}

CASE(not_inherited_by_fork) {
  sigset_t user = one(SIGUSR1);
  sigset_t pending;
  sigprocmask(SIG_BLOCK, &user, NULL);
  raise(SIGUSR1);
  pid_t child = fork();
  if (child == 0) {
    sigpending(&pending);
    say("child %d\n", sigismember(&pending, SIGUSR1));
    _exit(calls(1));
  }
  say_end("child", child);
  sigpending(&pending);
  say("parent %d\n", sigismember(&pending, SIGUSR1));
  return 0;
}

CASE(interrupted_calls) {
  int ends[2];
  char byte;
  struct sigaction action = {.sa_handler = on_signal};
  struct itimerval soon = {{0, 0}, {0, 30000}};
  if (pipe(ends) != 0) {
    return 1;
  }
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  tell("read", read(ends[0], &byte, 1));
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  pid_t child = fork();
  if (child == 0) {
    struct timespec longer = {0, 100000000};
    nanosleep(&longer, NULL);
    _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
  }
  tell("read again", read(ends[0], &byte, 1));
  say_end("child", child);
  return count;
}

static volatile int depth;

static void nest(int signal) {
  if (++depth < 5) {
    raise(signal);
  }
  calls(2);
}

CASE(within_each_other) {
  struct sigaction action = {.sa_handler = nest, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  return depth;
}

CASE(handled_once) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int) SA_RESETHAND};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  say("once %d\n", count);
  raise(SIGUSR1);
  return 1;
}

static char *own_stack;

static void on_stack(int signal) {
  char here;
  say("%d on its own stack %d, %d\n", signal, &here > own_stack && &here < own_stack + (1 << 15), calls(3));
}

CASE(on_a_stack_of_their_own) {
  own_stack = malloc(1 << 15);
  stack_t stack = {.ss_sp = own_stack, .ss_size = 1 << 15};
  struct sigaction action = {.sa_handler = on_stack, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  return calls(2);
}

CASE(on_the_smallest_stack) {
  own_stack = malloc(1 << 15);
  stack_t stack = {.ss_sp = own_stack, .ss_size = (size_t) sysconf(_SC_MINSIGSTKSZ) + 4096};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  tell("stack", sigaltstack(&stack, NULL));
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  return last;
}

CASE(profiled) {
  struct itimerval often = {{0, 2000}, {0, 2000}};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &often, NULL);
  while (count < 20) {
    calls(100);
  }
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &off, NULL);
  say("%d\n", last);
  return 0;
}

CASE(virtual_time) {
  struct itimerval soon = {{0, 0}, {0, 5000}};
  signal(SIGVTALRM, on_signal);
  setitimer(ITIMER_VIRTUAL, &soon, NULL);
  while (count == 0) {
    for (volatile int i = 0; i < 1000; i++) {
    }
  }
  return last;
}

static volatile int notified;

static void notify(union sigval value) {
  calls(5);
  __atomic_store_n(&notified, value.sival_int, __ATOMIC_RELEASE);
}

CASE(timer_with_a_thread) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 9};
  event.sigev_notify_function = notify;
  struct itimerspec soon = {{0, 0}, {0, 1000000}};
  tell("timer", timer_create(CLOCK_MONOTONIC, &event, &timer));
  timer_settime(timer, 0, &soon, NULL);
  while (__atomic_load_n(&notified, __ATOMIC_ACQUIRE) == 0) {
    usleep(1000);
  }
  return notified;
}

CASE(timer_with_a_signal) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 2, .sigev_value.sival_int = 8};
  struct itimerspec soon = {{0, 0}, {0, 1000000}};
  sigset_t blocked = one(SIGRTMIN + 2);
  siginfo_t info;
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
  timer_delete(timer);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &soon, NULL);
  say("%d ", sigwaitinfo(&blocked, &info));
  say("%d %d\n", info.si_code == SI_TIMER, info.si_value.sival_int);
  return calls(1);
}

CASE(storm) {
  struct itimerval often = {{0, 200}, {0, 200}};
  signal(SIGALRM, on_signal);
  setitimer(ITIMER_REAL, &often, NULL);
  long sum = 0;
  while (count < 300) {
    sum += calls(50);
    void *memory = malloc(100);
    free(memory);
  }
  say("%d %d\n", sum % 50 == 0, last);
  signal(SIGALRM, SIG_IGN);
  return 0;
}

static void *storm_thread(void *unused) {
  while (count < 300) {
    calls(20);
  }
  return unused;
}

CASE(storm_of_threads) {
  pthread_t threads[3];
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 3; i++) {
    pthread_create(threads + i, NULL, storm_thread, NULL);
  }
  while (count < 300) {
    for (int i = 0; i < 3; i++) {
      pthread_kill(threads[i], SIGUSR1);
    }
    sched_yield();
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

CASE(broken_pipe) {
  int ends[2];
  signal(SIGPIPE, on_signal);
  if (pipe(ends) != 0) {
    return 1;
  }
  close(ends[0]);
  tell("write", write(ends[1], "x", 1));
  say("%d\n", last);
  signal(SIGPIPE, SIG_IGN);
  tell("write", write(ends[1], "x", 1));
  return calls(1);
}

CASE(errno_is_kept) {
  signal(SIGUSR1, on_signal);
  errno = ENOLCK;
  calls(1000);
  raise(SIGUSR1);
  say("%s\n", strerrorname_np(errno));
  return 0;
}

CASE(mask_within_a_handler) {
  struct sigaction action = {.sa_handler = on_signal};
  sigset_t blocked;
  sigfillset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  say("%d\n", sigismember(&blocked, SIGUSR2));
  return last;
}

CASE(sleeping_on) {
  struct timespec asked = {1000, 0};
  struct timespec rest = {0, 0};
  signal(SIGALRM, on_signal);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  tell("sleep", nanosleep(&asked, &rest));
  say("%d\n", rest.tv_sec > 900);
  return last;
}
