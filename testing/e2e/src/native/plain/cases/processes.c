/* Every way to make a process, and what is told of it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "cases.h"

static char stack[1 << 16] __attribute__((aligned(16)));

static int child_function(void *status) {
  return (int) (intptr_t) status + calls(2);
}

CASE(by_fork) {
  for (int i = 0; i < 5; i++) {
    pid_t child = fork();
    if (child == 0) {
      return calls(10) + i;
    }
    say_end("child", child);
  }
  return 0;
}

CASE(by_vfork) {
  static volatile int changed; /* a child by vfork has its parent's memory */
  pid_t child = vfork();
  if (child == 0) {
    changed = 4;
    _exit(5);
  }
  say_end("child", child);
  return changed;
}

CASE(by_vfork_and_exec) {
  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "echo from the child; exit 6", (char *) NULL);
    _exit(1);
  }
  say_end("child", child);
  return calls(2);
}

CASE(by_clone) {
  say_end("child", clone(child_function, stack + sizeof stack, SIGCHLD, (void *) 4));
  return calls(1);
}

CASE(by_clone_with_memory) {
  say_end("child", clone(child_function, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *) 5));
  return calls(1);
}

CASE(by_clone_with_files) {
  int flags = CLONE_FILES | CLONE_FS | CLONE_IO | SIGCHLD;
  say_end("child", clone(child_function, stack + sizeof stack, flags, (void *) 6));
  return calls(1);
}

CASE(by_clone_without_a_signal) {
  say_end("child", clone(child_function, stack + sizeof stack, 0, (void *) 7));
  return calls(1);
}

static volatile int told;

static void on_told(int signal) {
  told = signal;
}

CASE(by_clone_with_another_signal) {
  signal(SIGUSR2, on_told);
  say_end("child", clone(child_function, stack + sizeof stack, SIGUSR2, (void *) 8));
  return told;
}

CASE(by_clone_with_own_name_spaces) {
  int flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | SIGCHLD;
  say_end("child", clone(child_function, stack + sizeof stack, flags, (void *) 9));
  return calls(1);
}

CASE(by_clone_with_own_users) {
  say_end("child", clone(child_function, stack + sizeof stack, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, (void *) 9));
  return calls(1);
}

CASE(by_clone_with_a_descriptor) {
  int descriptor = -1;
  pid_t child = clone(child_function, stack + sizeof stack, CLONE_PIDFD | SIGCHLD, (void *) 10, &descriptor);
  struct pollfd one = {descriptor, POLLIN, 0};
  poll(&one, 1, -1);
  siginfo_t info;
  waitid((idtype_t) P_PIDFD, (id_t) descriptor, &info, WEXITED);
  say("%d %d %d\n", info.si_pid == child, info.si_code == CLD_EXITED, info.si_status);
  return descriptor;
}

CASE(by_clone_as_a_sibling) {
  pid_t child = fork();
  if (child == 0) {
    clone(child_function, stack + sizeof stack, CLONE_PARENT | SIGCHLD, (void *) 11);
    _exit(calls(3));
  }
  say_end("child", child);
  int status = 0;
  pid_t other = waitpid(-1, &status, 0);
  say("%d %d\n", other > 0, status >> 8);
  return 0;
}

CASE(by_clone3) {
  struct clone_args how = {.exit_signal = SIGCHLD};
  pid_t child = (pid_t) syscall(SYS_clone3, &how, sizeof how);
  if (child == 0) {
    _exit(calls(12));
  }
  say_end("child", child);
  return calls(1);
}

CASE(by_a_bare_system_call) {
#ifdef SYS_fork
  pid_t child = (pid_t) syscall(SYS_fork);
#else
  pid_t child = (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
  if (child == 0) {
    _exit(calls(13));
  }
  say_end("child", child);
  return calls(1);
}

CASE(by_fork_without_handlers) {
  pid_t child = _Fork();
  if (child == 0) {
    _exit(calls(14));
  }
  say_end("child", child);
  return calls(1);
}

extern char **environ;

CASE(by_spawn) {
  pid_t child;
  char *arguments[] = {"sh", "-c", "echo spawned; exit 7", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 5, "file", O_RDWR | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 6);
  posix_spawn_file_actions_addclose(&actions, 5);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawnp(&child, "sh", &actions, &attributes, arguments, environ);
  say_end("child", child);
  say("%d\n", error);
  say("%d\n", posix_spawn(&child, "/nowhere", NULL, NULL, arguments, environ));
  return calls(2);
}

CASE(by_system_and_popen) {
  say("%d\n", system("echo one; exit 3") >> 8);
  say("%d\n", system("kill -9 $$"));
  say("%d\n", system(NULL) != 0);
  char text[64] = "";
  FILE *pipe = popen("echo two; exit 4", "r");
  if (fgets(text, sizeof text, pipe) != NULL) {
    say("%s", text);
  }
  say("%d\n", pclose(pipe) >> 8);
  return calls(2);
}

CASE(as_a_daemon) {
  say("parent\n");
  if (daemon(1, 1) != 0) {
    return 1;
  }
  say("daemon %d %d\n", calls(5), getsid(0) == getpgrp());
  return 5;
}

CASE(as_a_daemon_twice) {
  if (fork() > 0) {
    return 1;
  }
  setsid();
  if (fork() > 0) {
    _exit(2);
  }
  say("grandchild %d\n", calls(5));
  return 3;
}

static void *calls_some(void *unused) {
  calls(20);
  return unused;
}

static void *forks(void *unused) {
  pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    calls(10);
    pthread_create(&thread, NULL, calls_some, NULL);
    pthread_join(thread, NULL);
    exit(calls(6));
  }
  say_end("child", child);
  return unused;
}

CASE(by_a_thread) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(threads + i, NULL, forks, NULL);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

static void on_signal(int signal) {
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(signal));
  }
  say_end("child", child);
}

CASE(by_a_handler) {
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  return calls(3);
}

CASE(a_chain_of_children) {
  for (int i = 0; i < 30; i++) {
    pid_t child = fork();
    if (child != 0) {
      int status;
      calls(2);
      waitpid(child, &status, 0);
      return (status >> 8) + 1;
    }
  }
  say("the last\n");
  return calls(1);
}

CASE(many_at_once) {
  pid_t children[50];
  int sum = 0;
  for (int i = 0; i < 50; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      _exit(calls(i));
    }
  }
  for (int i = 0; i < 50; i++) {
    int status;
    waitpid(children[i], &status, 0);
    sum += status >> 8;
  }
  say("%d\n", sum);
  return 0;
}

static void before(void) {
  say("before ");
}

static int from_child[2];

static void in_parent(void) {
  char byte;
  say(read(from_child[0], &byte, 1) == 1 ? "parent " : "no child ");
}

static void in_child(void) {
  say("child ");
  if (write(from_child[1], "", 1) != 1) {
    _exit(1);
  }
}

CASE(handlers_of_fork) {
  if (pipe(from_child) != 0) {
    return 1;
  }
  pthread_atfork(before, in_parent, in_child);
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(3));
  }
  say_end("made", child);
  return 0;
}

CASE(ignored_children) {
  signal(SIGCHLD, SIG_IGN);
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(3));
  }
  tell("wait", waitpid(child, NULL, 0));
  say("%d\n", system("exit 3"));
  return 0;
}

CASE(children_without_zombies) {
  struct sigaction action = {.sa_handler = on_told, .sa_flags = SA_NOCLDWAIT};
  sigaction(SIGCHLD, &action, NULL);
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(3));
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  tell("wait", waitpid(child, NULL, 0));
  return told;
}

static volatile int code, status_of_child, own_child;

static void on_child(int number, siginfo_t *info, void *unused) {
  (void) number, (void) unused;
  code = info->si_code;
  status_of_child = info->si_status;
  own_child = info->si_pid;
}

CASE(told_of_a_child) {
  struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_NOCLDSTOP};
  sigset_t none;
  sigset_t child_only;
  sigemptyset(&none);
  sigemptyset(&child_only);
  sigaddset(&child_only, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_only, NULL);
  sigaction(SIGCHLD, &action, NULL);
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(33));
  }
  sigsuspend(&none);
  say("%d %d %d\n", code == CLD_EXITED, status_of_child, own_child == child);
  siginfo_t info;
  say("%d ", waitid(P_PID, (id_t) child, &info, WEXITED | WNOWAIT));
  say("%d\n", waitid(P_PID, (id_t) child, &info, WEXITED));
  return info.si_status;
}

CASE(looked_at_by_its_parent) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    calls(10);
    _exit(34);
  }
  waitpid(child, &status, 0);
  say("stopped %d\n", WIFSTOPPED(status));
  ptrace(PTRACE_CONT, child, NULL, NULL);
  say_end("child", child);
  return 0;
}

CASE(stepped_by_its_parent) {
  int status;
  long steps = 0;
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    calls(3);
    syscall(SYS_exit_group, 35);
  }
  waitpid(child, &status, 0);
  while (WIFSTOPPED(status) && ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0) {
    waitpid(child, &status, 0);
    steps++;
  }
  say("%d %d\n", steps > 10, WEXITSTATUS(status));
  return 0;
}

CASE(groups_and_sessions) {
  pid_t child = fork();
  if (child == 0) {
    say("%d ", setpgid(0, 0));
    say("%d ", getpgrp() == getpid());
    pid_t grandchild = fork();
    if (grandchild == 0) {
      say("%d %d\n", setsid() == getpid(), getsid(0) == getpid());
      _exit(calls(2));
    }
    say_end("grandchild", grandchild);
    _exit(0);
  }
  say_end("child", child);
  return 0;
}

CASE(time_of_children) {
  struct rusage of_children;
  pid_t child = fork();
  if (child == 0) {
    clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 20) {
      calls(10);
    }
    _exit(0);
  }
  waitpid(child, NULL, 0);
  getrusage(RUSAGE_CHILDREN, &of_children);
  say("%d\n", of_children.ru_utime.tv_usec + of_children.ru_stime.tv_usec >= 50000);
  return 0;
}

CASE(in_reverse_order) {
  pid_t first = fork();
  if (first == 0) {
    pause();
  }
  pid_t second = fork();
  if (second == 0) {
    _exit(calls(2));
  }
  say_end("second", second);
  say("%d\n", waitpid(first, NULL, WNOHANG));
  kill(first, SIGTERM);
  say_end("first", first);
  tell("no more", wait(NULL));
  return 0;
}

static int grand(void *unused) {
  (void) unused;
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(4));
  }
  int status;
  waitpid(child, &status, 0);
  return status >> 8;
}

CASE(child_of_a_child_by_clone) {
  say_end("child", clone(grand, stack + sizeof stack, SIGCHLD, NULL));
  return 0;
}

CASE(child_that_shares_memory_and_runs_on) {
  static char room[1 << 16] __attribute__((aligned(16)));
  pid_t child = clone(child_function, room + sizeof room, CLONE_VM | SIGCHLD, (void *) 20);
  calls(10);
  say_end("child", child);
  return calls(1);
}
