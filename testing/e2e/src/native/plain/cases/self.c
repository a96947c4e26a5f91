/* What a program sees of itself. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "cases.h"

/* Lines of a file of /proc that begin with one of the words; all of them if there is none. */
static void show(const char *file, const char *const *begins) {
  char line[4096];
  FILE *stream = fopen(file, "re");
  if (stream == NULL) {
    tell(file, -1);
    return;
  }
  while (fgets(line, sizeof line, stream) != NULL) {
    int shown = begins[0] == NULL;
    for (int i = 0; begins[i] != NULL; i++) {
      shown |= strncmp(line, begins[i], strlen(begins[i])) == 0;
    }
    if (shown) {
      say("%s", line);
    }
  }
  fclose(stream);
}

static int entries(const char *name) {
  int count = 0;
  DIR *directory = opendir(name);
  while (directory != NULL && readdir(directory) != NULL) {
    count++;
  }
  closedir(directory);
  return count;
}

CASE(its_rights) {
  const char *const lines[] = {
      "Uid", "Gid", "Groups", "Cap", "NoNewPrivs", "Seccomp", "Umask", "FDSize", "Speculation", NULL};
  calls(100);
  show("/proc/self/status", lines);
  return 0;
}

CASE(its_signals) {
  const char *const lines[] = {"SigQ", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", NULL};
  calls(100);
  show("/proc/thread-self/status", lines + 1);
  show("/proc/self/status", lines + 1);
  return 0;
}

CASE(its_memory_that_is_locked) {
  const char *const lines[] = {"VmLck", "VmPin", "VmStk", NULL};
  calls(100);
  show("/proc/self/status", lines);
  return 0;
}

CASE(its_threads) {
  const char *const lines[] = {"Threads", NULL};
  calls(100);
  show("/proc/self/status", lines);
  say("%d\n", entries("/proc/self/task"));
  return 0;
}

CASE(its_threads_before_anything_is_recorded) {
  return entries("/proc/self/task"); /* it has called functions before */
}

CASE(its_limits) {
  const char *const lines[] = {NULL};
  calls(100);
  show("/proc/self/limits", lines);
  return 0;
}

CASE(its_name) {
  char text[16] = "";
  char path[4096] = "";
  prctl(PR_GET_NAME, text);
  calls(100);
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  say("%s %s %s %s %d\n", text, program_invocation_short_name, words[1], path, length > 0);
  const char *const lines[] = {NULL};
  show("/proc/self/comm", lines);
  say("%s\n", (char *) getauxval(AT_EXECFN));
  return 0;
}

CASE(its_command_line) {
  char text[4096];
  int file = open("/proc/self/cmdline", O_RDONLY);
  ssize_t size = read(file, text, sizeof text);
  for (ssize_t i = 0; i < size; i++) {
    text[i] = text[i] == 0 ? '|' : text[i];
  }
  say("%d %.*s\n", count_of_words, (int) size, text);
  return calls(2);
}

CASE(its_command_line_changed) {
  calls(100);
  memset(words[0], 'x', strlen(words[0]));
  const char *const lines[] = {NULL};
  show("/proc/self/cmdline", lines);
  return calls(2);
}

extern char **environ;

CASE(its_environment) {
  for (int i = 0; environ[i] != NULL; i++) {
    if (strncmp(environ[i], "KYMO_TEST", 9) != 0) {
      say("%.*s\n", (int) strcspn(environ[i], "="), environ[i]);
    }
  }
  return calls(2);
}

CASE(the_environment_that_it_makes) {
  clearenv();
  setenv("LD_PRELOAD", "", 1);
  setenv("KYMO_SESSION", "/nowhere", 1);
  setenv("KYMO_OTHER", "value", 1);
  calls(3);
  for (int i = 0; environ[i] != NULL; i++) {
    say("%s\n", environ[i]);
  }
  execl("/bin/sh", "sh", "-c", "echo $KYMO_OTHER $KYMO_SESSION; exit 3", (char *) NULL);
  return 1;
}

CASE(its_directories) {
  char path[4096] = "";
  calls(100);
  say("%d ", readlink("/proc/self/root", path, sizeof path) == 1);
  say("%d ", getcwd(path, sizeof path) != NULL);
  say("%s %o\n", strrchr(path, '/'), umask(0));
  return 0;
}

CASE(its_descriptors) {
  calls(100);
  int here = entries("/proc/self/fd");
  int again_here = entries("/proc/self/fd");
  say("%d %d\n", here, again_here);
  return 0;
}

CASE(its_mappings_that_run_and_can_be_written) {
  char line[4096];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "re");
  calls(100);
  while (fgets(line, sizeof line, maps) != NULL) {
    count += strstr(line, " rwx") != NULL;
  }
  fclose(maps);
  return count;
}

CASE(its_first_mapping) {
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "re");
  calls(100);
  say("%d\n", fgets(line, sizeof line, maps) != NULL && strstr(line, "self") != NULL);
  fclose(maps);
  return 0;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *count) {
  (void) size;
  if ((*(int *) count)++ == 0) {
    say("'%s'\n", info->dlpi_name);
  }
  return 0;
}

CASE(its_libraries) {
  int count = 0;
  dl_iterate_phdr(first_object, &count);
  say("%d\n", count);
  return 0;
}

CASE(where_functions_are) {
  const char *const names[] = {
      "malloc", "fork", "write", "pthread_create", "execve", "longjmp", "syscall", "prctl", "close"};
  Dl_info info;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    void *found = dlsym(RTLD_DEFAULT, names[i]);
    int known = found != NULL && dladdr(found, &info) != 0;
    const char *slash = known ? strrchr(info.dli_fname, '/') : NULL;
    say("%s %s\n", names[i], slash == NULL ? "?" : slash + 1);
  }
  return 0;
}

CASE(its_heap) {
  struct mallinfo2 before = mallinfo2();
  calls(1000);
  struct mallinfo2 after = mallinfo2();
  say("%d %d\n", before.uordblks == after.uordblks, before.hblks == after.hblks);
  say("%d\n", sbrk(0) == sbrk(0));
  return 0;
}

CASE(its_break) {
  char *first = sbrk(0);
  calls(1000);
  char *second = sbrk(4096);
  calls(1000);
  say("%d %d\n", first == second, (int) ((char *) sbrk(0) - second));
  return 0;
}

CASE(its_scheduling) {
  calls(100);
  say("%d %d %d\n", sched_getscheduler(0), getpriority(PRIO_PROCESS, 0), prctl(PR_GET_TIMERSLACK));
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  say("%d\n", CPU_COUNT(&all) == (int) sysconf(_SC_NPROCESSORS_ONLN));
  return 0;
}

CASE(its_personality) {
  calls(100);
  say("%x %lu %d\n", (unsigned) personality(0xFFFFFFFF), getauxval(AT_SECURE), prctl(PR_GET_DUMPABLE));
  say("%d\n", prctl(PR_GET_PDEATHSIG, &(int) {0}));
  say("%d %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_CHILD_SUBREAPER, &(int) {0}));
  const char *const lines[] = {NULL};
  show("/proc/self/oom_score_adj", lines);
  show("/proc/self/coredump_filter", lines);
  return 0;
}

CASE(its_relatives) {
  calls(100);
  say("%d %d %d\n", getpgrp() == getpid(), getsid(0) == getpid(), getppid() > 1);
  say("%d\n", tcgetpgrp(0) >= 0);
  return 0;
}

CASE(its_time) {
  struct timespec now;
  clock_t before = clock();
  calls(1000);
  say("%d\n", clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 && now.tv_sec == 0 && clock() >= before);
  struct timespec realtime;
  clock_gettime(CLOCK_REALTIME, &realtime);
  say("%d\n", realtime.tv_sec - time(NULL) <= 1);
  return 0;
}

CASE(its_children_so_far) {
  struct rusage usage;
  calls(100);
  getrusage(RUSAGE_CHILDREN, &usage);
  say("%ld %ld\n", (long) usage.ru_utime.tv_usec, usage.ru_maxrss);
  say("%s\n", waitpid(-1, NULL, WNOHANG) < 0 ? strerrorname_np(errno) : "one");
  return 0;
}

CASE(its_random_numbers) {
  srand(5);
  srandom(6);
  int first = rand();
  calls(100);
  say("%d %d %ld\n", first, rand(), random());
  return 0;
}

CASE(its_pending_input) {
  char text[4];
  calls(10);
  say("%zd\n", read(0, text, sizeof text));
  return 0;
}

CASE(its_keys_and_handlers) {
  pthread_key_t key;
  calls(100);
  pthread_key_create(&key, NULL);
  say("key %u\n", key);
  return 0;
}

CASE(its_stack) {
  struct rlimit limit;
  pthread_attr_t attributes;
  size_t size;
  void *begin;
  calls(100);
  getrlimit(RLIMIT_STACK, &limit);
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  say("%d\n", size <= limit.rlim_cur && size >= limit.rlim_cur - (1 << 20));
  return 0;
}

CASE(a_file_of_its_own_directory) {
  int count = entries(".");
  calls(100);
  say("%d %d\n", count, entries("."));
  return 0;
}
