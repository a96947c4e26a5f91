/* Programs with little of something: each limit of setrlimit, and name spaces of their own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "cases.h"

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

static void limit(int what, rlim_t soft, rlim_t hard) {
  struct rlimit both = {soft, hard};
  tell("limit", setrlimit((__rlimit_resource_t) what, &both));
}

static void use_much(void) {
  make_thread();
  make_child();
  void *memory = malloc(1 << 20);
  say("memory %d\n", memory != NULL);
  free(memory);
  int file = open("file", O_RDWR | O_CREAT, 0600);
  tell("file", file);
  close(file);
}

CASE(all_limits_as_given) {
  for (int i = 0; i < RLIM_NLIMITS; i++) {
    struct rlimit both;
    getrlimit((__rlimit_resource_t) i, &both);
    say("%d: %ld %ld\n", i, (long) both.rlim_cur, (long) both.rlim_max);
  }
  return calls(2);
}

#define LIMIT(name, what, soft, hard) \
  CASE(name) { \
    limit(what, soft, hard); \
    use_much(); \
    return calls(20); \
  } \
  CASE(name##_of_another_program) { \
    if (!again("again")) { \
      limit(what, soft, hard); \
      become_again("again"); \
    } \
    use_much(); \
    return calls(21); \
  }

LIMIT(no_core_files, RLIMIT_CORE, 0, 0)
LIMIT(little_data, RLIMIT_DATA, 24 << 20, 24 << 20)
LIMIT(little_address_space, RLIMIT_AS, 64 << 20, 64 << 20)
LIMIT(small_files, RLIMIT_FSIZE, 4096, 4096)
LIMIT(empty_files, RLIMIT_FSIZE, 0, 0)
LIMIT(few_descriptors, RLIMIT_NOFILE, 5, 5)
LIMIT(little_locked_memory, RLIMIT_MEMLOCK, 0, 0)
LIMIT(small_stack, RLIMIT_STACK, 256 << 10, 256 << 10)
LIMIT(endless_stack, RLIMIT_STACK, RLIM_INFINITY, RLIM_INFINITY)
LIMIT(few_signals, RLIMIT_SIGPENDING, 1, 1)
LIMIT(little_in_memory, RLIMIT_RSS, 4096, 4096)
LIMIT(no_messages, RLIMIT_MSGQUEUE, 0, 0)
LIMIT(no_priority, RLIMIT_RTPRIO, 0, 0)
LIMIT(no_real_time, RLIMIT_RTTIME, 1000, 1000)
LIMIT(not_nice, RLIMIT_NICE, 0, 0)
LIMIT(no_locks, RLIMIT_LOCKS, 0, 0)

CASE(no_descriptors) {
  limit(RLIMIT_NOFILE, 0, 0);
  use_much();
  return calls(20);
}

CASE(as_many_descriptors_as_before) {
  limit(RLIMIT_NOFILE, 16, 16);
  int count = 0;
  while (dup(0) >= 0) {
    count += calls(1);
  }
  say("%d: %s\n", count, strerrorname_np(errno));
  make_thread();
  make_child();
  return 0;
}

/* A process that may make no other, nor a thread. */
CASE(no_processes) {
  limit(RLIMIT_NPROC, 0, 0);
  if (setgid(54321) != 0 || setuid(54321) != 0) {
    say("not allowed\n");
  }
  make_thread();
  tell("fork", fork());
  return calls(20);
}

static void on_time(int signal) {
  say("signal %d\n", signal);
  _exit(calls(9));
}

static __attribute__((no_instrument_function)) void run_for_ever(void) {
  for (volatile int going = 1; going;) {
  }
}

CASE(processor_time_with_a_handler) {
  signal(SIGXCPU, on_time);
  limit(RLIMIT_CPU, 1, 2);
  run_for_ever();
  return 0;
}

CASE(file_that_grows_too_large) {
  int file = open("file", O_RDWR | O_CREAT, 0600);
  limit(RLIMIT_FSIZE, 100, 100);
  char bytes[150] = "";
  say("%zd\n", write(file, bytes, sizeof bytes));
  calls(100);
  say("%zd\n", write(file, bytes, sizeof bytes));
  return 0;
}

CASE(file_that_may_not_grow) {
  int file = open("file", O_RDWR | O_CREAT, 0600);
  signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, 0, 0);
  say("%zd %s\n", write(file, "x", 1), strerrorname_np(errno));
  make_thread();
  make_child();
  return 0;
}

static void go_on(int signal) {
  say("signal %d\n", signal);
}

/* Nobody but the program itself writes beyond the limit. */
CASE(no_signals_about_the_size_of_files) {
  signal(SIGXFSZ, go_on);
  limit(RLIMIT_FSIZE, 4096, 4096);
  make_thread();
  make_child();
  return calls(30);
}

CASE(memory_runs_out) {
  size_t all = 0;
  limit(RLIMIT_AS, 256 << 20, 256 << 20);
  while (malloc(8 << 20) != NULL) {
    all += 8;
    calls(10);
  }
  say("%d %s\n", all >= 160 && all <= 248, strerrorname_np(errno));
  make_child();
  return 0;
}

CASE(limits_of_a_child) {
  pid_t child = fork();
  if (child == 0) {
    struct rlimit files;
    kill(getpid(), SIGSTOP);
    getrlimit(RLIMIT_NOFILE, &files);
    _exit((int) files.rlim_cur + calls(1));
  }
  int status;
  waitpid(child, &status, WUNTRACED);
  struct rlimit nine = {9, 9};
  tell("limit", prlimit(child, RLIMIT_NOFILE, &nine, NULL));
  kill(child, SIGCONT);
  say_end("child", child);
  return 0;
}

#define SPACE(name, flags) \
  CASE(name) { \
    tell("unshare", unshare(flags)); \
    make_thread(); \
    make_child(); \
    return calls(20); \
  }

SPACE(own_mounts, CLONE_NEWNS)
SPACE(own_network, CLONE_NEWNET)
SPACE(own_machine_name, CLONE_NEWUTS)
SPACE(own_messages, CLONE_NEWIPC)
SPACE(own_control_groups, CLONE_NEWCGROUP)
SPACE(own_users, CLONE_NEWUSER)
SPACE(own_users_and_mounts, CLONE_NEWUSER | CLONE_NEWNS)
SPACE(own_files, CLONE_FILES)
SPACE(own_directory, CLONE_FS)
SPACE(own_semaphores, CLONE_SYSVSEM)

CASE(own_processes) {
  tell("unshare", unshare(CLONE_NEWPID));
  pid_t child = fork();
  if (child == 0) {
    say("number 1: %d\n", getpid() == 1);
    make_thread();
    make_child();
    _exit(calls(12));
  }
  say_end("first", child);
  return calls(20);
}

CASE(own_time) {
  tell("unshare", unshare(0x80 /* CLONE_NEWTIME */));
  int offsets = open("/proc/self/timens_offsets", O_WRONLY);
  tell("offset", write(offsets, "monotonic 100000 0\nboottime 100000 0\n", 37));
  make_child();
  return calls(20);
}

CASE(own_users_by_number) {
  uid_t mine = getuid();
  char line[64];
  tell("unshare", unshare(CLONE_NEWUSER));
  int map = open("/proc/self/uid_map", O_WRONLY);
  snprintf(line, sizeof line, "0 %u 1\n", mine);
  tell("map", write(map, line, strlen(line)));
  say("user %u\n", getuid());
  make_thread();
  make_child();
  return calls(20);
}

static int covered(const char *where) {
  return unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount("none", where, "tmpfs", 0, NULL) != 0;
}

CASE(no_shared_memory_to_be_seen) {
  say("%d\n", covered("/dev/shm"));
  make_thread();
  make_child();
  return calls(20);
}

CASE(no_shared_memory_in_another_program) {
  if (!again("again")) {
    say("%d\n", covered("/dev/shm"));
    become_again("again");
  }
  make_thread();
  make_child();
  return calls(20);
}

CASE(no_processes_to_be_seen) {
  say("%d\n", covered("/proc"));
  make_thread();
  make_child();
  return calls(20);
}

CASE(nothing_can_be_written) {
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
    say("not allowed\n");
  }
  tell("remount", mount(NULL, "/dev/shm", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL));
  make_thread();
  make_child();
  return calls(20);
}

CASE(enters_its_own_name_space) {
  int space = open("/proc/self/ns/uts", O_RDONLY);
  tell("enter", setns(space, CLONE_NEWUTS));
  make_thread();
  return calls(20);
}

CASE(one_processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  tell("affinity", sched_setaffinity(0, sizeof one, &one));
  make_thread();
  make_child();
  return CPU_COUNT(&one);
}

CASE(idle_priority) {
  struct sched_param none = {0};
  tell("idle", sched_setscheduler(0, SCHED_IDLE, &none));
  tell("nice", nice(19));
  make_thread();
  make_child();
  return 0;
}

CASE(real_time_priority) {
  struct sched_param one = {1};
  tell("fifo", sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &one));
  make_thread();
  make_child();
  return sched_getscheduler(0) & 7;
}
