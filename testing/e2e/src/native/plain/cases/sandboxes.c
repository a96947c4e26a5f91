/* Programs that take rights from themselves. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "cases.h"

enum { NOBODY = 65534 };

#define LOAD_NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ANSWER(call, answer) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, (unsigned) (answer))
#define ALLOW(call) ANSWER(call, SECCOMP_RET_ALLOW)
#define OTHERWISE(answer) BPF_STMT(BPF_RET | BPF_K, (unsigned) (answer))

static long install(struct sock_filter *rules, size_t count, unsigned flags) {
  struct sock_fprog filter = {(unsigned short) count, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

#define INSTALL(flags, ...) \
  struct sock_filter rules[] = {LOAD_NUMBER, __VA_ARGS__}; \
  tell("filter", install(rules, sizeof rules / sizeof rules[0], flags))

static void *thread_calls(void *unused) {
  say("thread %d\n", calls(100));
  return unused;
}

static void make_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, thread_calls, NULL);
  if (error != 0) {
    say("no thread: %s\n", strerrorname_np(error));
  } else {
    pthread_join(thread, NULL);
  }
}

static void make_child(void) {
  pid_t child = fork();
  if (child == 0) {
    _exit(calls(40));
  }
  say_end("child", child);
}

CASE(filter_that_answers_with_errors) {
  INSTALL(0, ALLOW(write), ALLOW(exit_group), OTHERWISE(SECCOMP_RET_ERRNO | EPERM));
  tell("getppid", syscall(SYS_getppid));
  return calls(100);
}

CASE(filter_of_a_list_of_forbidden_calls) {
  INSTALL(0, ANSWER(socket, SECCOMP_RET_ERRNO | EACCES), ANSWER(ptrace, SECCOMP_RET_KILL_PROCESS),
      OTHERWISE(SECCOMP_RET_ALLOW));
  make_thread();
  make_child();
  return calls(100);
}

CASE(filter_that_is_logged) {
  INSTALL(SECCOMP_FILTER_FLAG_LOG, OTHERWISE(SECCOMP_RET_ALLOW));
  make_thread();
  make_child();
  return calls(100);
}

CASE(two_filters) {
  INSTALL(0, ANSWER(getppid, SECCOMP_RET_ERRNO | EACCES), OTHERWISE(SECCOMP_RET_ALLOW));
  {
    INSTALL(0, ANSWER(getuid, SECCOMP_RET_ERRNO | ENOLCK), OTHERWISE(SECCOMP_RET_ALLOW));
  }
  tell("getppid", syscall(SYS_getppid));
  tell("getuid", syscall(SYS_getuid));
  make_thread();
  return calls(50);
}

static void on_forbidden(int number, siginfo_t *info, void *unused) {
  (void) unused;
  say("signal %d, call %d, %d\n", number, info->si_syscall == SYS_getppid, calls(7));
}

CASE(filter_that_sends_signals) {
  struct sigaction action = {.sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, NULL);
  INSTALL(0, ANSWER(getppid, SECCOMP_RET_TRAP), OTHERWISE(SECCOMP_RET_ALLOW));
  syscall(SYS_getppid);
  return calls(50);
}

static int listener;

static void *answer(void *unused) {
  struct seccomp_notif asked;
  for (int i = 0; i < 3; i++) {
    memset(&asked, 0, sizeof asked);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
      return NULL;
    }
    struct seccomp_notif_resp reply = {asked.id, 1000 + i, 0, 0};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
    calls(10);
  }
  return unused;
}

CASE(filter_with_a_listener) {
  pthread_t thread;
  struct sock_filter rules[] = {LOAD_NUMBER, ANSWER(getppid, SECCOMP_RET_USER_NOTIF), OTHERWISE(SECCOMP_RET_ALLOW)};
  listener = (int) install(rules, sizeof rules / sizeof rules[0], SECCOMP_FILTER_FLAG_NEW_LISTENER);
  tell("listener", listener);
  pthread_create(&thread, NULL, answer, NULL);
  for (int i = 0; i < 3; i++) {
    say("%ld\n", syscall(SYS_getppid));
    calls(10);
  }
  pthread_join(thread, NULL);
  return 0;
}

static void *run_on(void *ends) {
  char byte;
  while (calls(5) == 5 && read(((int *) ends)[0], &byte, 1) == 1) {
  }
  return ends;
}

CASE(filter_of_all_threads) {
  int ends[2];
  pthread_t thread;
  if (pipe(ends) != 0 || pthread_create(&thread, NULL, run_on, ends) != 0) {
    return 1;
  }
  INSTALL(SECCOMP_FILTER_FLAG_TSYNC, ANSWER(getppid, SECCOMP_RET_ERRNO | ENOLCK), OTHERWISE(SECCOMP_RET_ALLOW));
  for (int i = 0; i < 3; i++) {
    if (write(ends[1], "x", 1) != 1) {
      return 2;
    }
  }
  close(ends[1]);
  pthread_join(thread, NULL);
  make_child();
  return calls(20);
}

CASE(filter_that_outlives_exec) {
  if (again("again")) {
    tell("getppid", syscall(SYS_getppid));
    make_thread();
    make_child();
    return calls(30);
  }
  INSTALL(0, ANSWER(getppid, SECCOMP_RET_ERRNO | ENOLCK), OTHERWISE(SECCOMP_RET_ALLOW));
  become_again("again");
  return 1;
}

/* What the loader and the C library need, and nothing of what a guest might like to have. */
CASE(narrow_filter_that_outlives_exec) {
  if (again("again")) {
    return calls(31);
  }
  INSTALL(0, ANSWER(mkdir, SECCOMP_RET_ERRNO | EPERM), ANSWER(mkdirat, SECCOMP_RET_ERRNO | EPERM),
      ANSWER(clone3, SECCOMP_RET_ERRNO | EPERM), ANSWER(clone, SECCOMP_RET_ERRNO | EPERM),
      ANSWER(ftruncate, SECCOMP_RET_ERRNO | EPERM), ANSWER(madvise, SECCOMP_RET_ERRNO | EPERM),
      ANSWER(fcntl, SECCOMP_RET_ERRNO | EPERM), OTHERWISE(SECCOMP_RET_ALLOW));
  become_again("again");
  return 1;
}

/* A guest that makes a directory, a thread or the like in it is killed. */
CASE(deadly_filter_that_outlives_exec) {
  if (again("again")) {
    return calls(32);
  }
  INSTALL(0, ANSWER(mkdir, SECCOMP_RET_KILL_PROCESS), ANSWER(clone3, SECCOMP_RET_KILL_PROCESS),
      ANSWER(clone, SECCOMP_RET_KILL_PROCESS), ANSWER(ftruncate, SECCOMP_RET_KILL_PROCESS),
      ANSWER(fcntl, SECCOMP_RET_KILL_PROCESS), OTHERWISE(SECCOMP_RET_ALLOW));
  become_again("again");
  return 1;
}

CASE(deadly_filter_and_a_shell) {
  if (again("again")) {
    return calls(33);
  }
  INSTALL(0, ANSWER(mkdir, SECCOMP_RET_KILL_PROCESS), ANSWER(ftruncate, SECCOMP_RET_KILL_PROCESS),
      OTHERWISE(SECCOMP_RET_ALLOW));
  char command[8192];
  snprintf(command, sizeof command, "exec '%s' %s again", words[0], words[1]);
  say("system %d\n", system(command) >> 8);
  return pclose(popen(command, "r")) >> 8;
}

CASE(no_writing_memory_that_runs) {
  tell("mdwe", prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0));
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  say("%d\n", memory == MAP_FAILED);
  make_thread();
  make_child();
  return calls(20);
}

struct rules {
  uint64_t handled;
};

CASE(no_files) {
  struct rules all = {0x1FFF};
  int set = (int) syscall(444 /* landlock_create_ruleset */, &all, sizeof all, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  tell("restrict", syscall(446 /* landlock_restrict_self */, set, 0));
  tell("open", open("/etc/passwd", O_RDONLY));
  make_thread();
  make_child();
  return calls(20);
}

CASE(no_new_rights) {
  tell("no new", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  make_thread();
  make_child();
  return system("exit 3") >> 8;
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  tell("capset", syscall(SYS_capset, &header, none));
}

CASE(no_capabilities) {
  drop_capabilities();
  make_thread();
  make_child();
  return calls(20);
}

CASE(no_capabilities_before_the_first_thread_of_another_program) {
  if (again("again")) {
    make_thread();
    return calls(21);
  }
  for (int i = 0; i <= 40; i++) {
    prctl(PR_CAPBSET_DROP, i);
  }
  drop_capabilities();
  become_again("again");
  return 1;
}

CASE(becomes_nobody) {
  tell("groups", setgroups(0, NULL));
  tell("group", setgid(NOBODY));
  tell("user", setuid(NOBODY));
  make_thread();
  make_child();
  tell("back", setuid(0));
  return calls(20);
}

CASE(becomes_nobody_for_a_while) {
  tell("for a while", setresuid((uid_t) -1, NOBODY, 0));
  make_thread();
  make_child();
  tell("back", seteuid(0));
  make_thread();
  return calls(20);
}

CASE(is_nobody_in_another_program) {
  if (again("again")) {
    say("user %d\n", getuid() == NOBODY);
    make_thread();
    make_child();
    return calls(22);
  }
  if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0) {
    say("not allowed\n");
  }
  become_again("again");
  return 1;
}

static void *becomes_nobody_alone(void *unused) {
  tell("thread", syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY));
  calls(30);
  make_child();
  return unused;
}

CASE(one_thread_becomes_nobody) {
  pthread_t thread;
  uid_t mine = getuid();
  pthread_create(&thread, NULL, becomes_nobody_alone, NULL);
  pthread_join(thread, NULL);
  say("main stays %d\n", getuid() == mine);
  make_thread();
  return calls(20);
}

CASE(another_root) {
  mkdir("root", 0755);
  tell("chroot", chroot("root"));
  tell("chdir", chdir("/"));
  tell("open", open("/etc/passwd", O_RDONLY));
  make_thread();
  make_child();
  return calls(20);
}

CASE(another_root_and_nobody) {
  mkdir("root", 0755);
  if (chroot("root") != 0 || chdir("/") != 0) {
    say("not allowed\n");
  }
  tell("user", setuid(NOBODY));
  drop_capabilities();
  INSTALL(0, ANSWER(socket, SECCOMP_RET_KILL_PROCESS), OTHERWISE(SECCOMP_RET_ALLOW));
  make_thread();
  make_child();
  return calls(20);
}

CASE(root_is_exchanged) {
  mkdir("root", 0755);
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount("none", "root", "tmpfs", 0, NULL) != 0) {
    say("not allowed\n");
    return 1;
  }
  mkdir("root/old", 0755);
  tell("pivot", syscall(SYS_pivot_root, "root", "root/old"));
  tell("chdir", chdir("/"));
  tell("unmount", umount2("/old", MNT_DETACH));
  make_thread();
  make_child();
  return calls(20);
}

CASE(not_to_be_looked_at) {
  tell("dumpable", prctl(PR_SET_DUMPABLE, 0));
  make_thread();
  make_child();
  return calls(20);
}

static sigjmp_buf back;

static void jump_back(int signal) {
  siglongjmp(back, signal);
}

#ifdef __x86_64__
static __attribute__((no_instrument_function)) void read_counter(void) {
  unsigned low;
  unsigned high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
}

/* Some programs that must not know the time do that. */
CASE(no_reading_of_the_clock) {
  signal(SIGSEGV, jump_back);
  tell("no counter", prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
  int got = sigsetjmp(back, 1);
  if (got == 0) {
    read_counter();
  }
  say("read %d\n", got);
  make_thread();
  make_child();
  return calls(20);
}
#endif

static volatile char chosen = SYSCALL_DISPATCH_FILTER_ALLOW;
static volatile int dispatched;

static void on_dispatched(int signal) {
  (void) signal;
  chosen = SYSCALL_DISPATCH_FILTER_ALLOW;
  dispatched++;
}

/* As Wine does for programs of Windows: the program answers its own system calls. */
CASE(answers_its_own_system_calls) {
  signal(SIGSYS, on_dispatched);
  tell("dispatch", prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &chosen));
  for (int i = 0; i < 5; i++) {
    calls(10);
    chosen = SYSCALL_DISPATCH_FILTER_BLOCK;
    calls(10);
    syscall(SYS_getppid);
  }
  say("dispatched %d\n", dispatched);
  return calls(20);
}

CASE(memory_that_stays) {
  tell("lock", mlockall(MCL_CURRENT | MCL_FUTURE));
  make_thread();
  make_child();
  return calls(20);
}

CASE(rights_of_root_are_switched_off) {
  tell("bits", prctl(PR_SET_SECUREBITS, 0x2F));
  tell("keep", prctl(PR_SET_KEEPCAPS, 1));
  make_thread();
  return calls(20);
}
