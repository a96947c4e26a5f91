/* Waits for orphans of what a command starts: reaps SECONDS COMMAND... When somebody writes the name of a file into the
 * pipe "asks" of this directory, all orphans are waited for, how they ended is added to the file, and a byte comes
 * through the pipe "answers". Who has not ended after SECONDS is ended, and the file says so. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ORPHANS = 256 };

static pid_t command;
static volatile sig_atomic_t late;

static void on_time(int signal) {
  late = signal;
}

/* Each second after SECONDS, a wait is interrupted: the first time may be before it begins. */
static void limit(long seconds) {
  struct itimerval time = {{seconds > 0, 0}, {seconds, 0}};
  setitimer(ITIMER_REAL, &time, NULL);
}

static int parent_of(const char *process) {
  char name[300];
  char text[512] = "";
  int parent = 0;
  snprintf(name, sizeof name, "/proc/%s/stat", process);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file >= 0 && read(file, text, sizeof text - 1) > 0) {
    const char *end = strrchr(text, ')'); /* of the program's name */
    parent = end == NULL || sscanf(end, ") %*c %d", &parent) != 1 ? 0 : parent;
  }
  close(file);
  return parent;
}

/* A child that is not the command; 0: there is none. While an orphan's own children run, it is here itself. */
static pid_t orphan(void) {
  pid_t found = 0;
  DIR *all = opendir("/proc");
  struct dirent *entry;
  while (found == 0 && (entry = readdir(all)) != NULL) {
    int number = atoi(entry->d_name);
    found = number > 0 && number != command && parent_of(entry->d_name) == getpid() ? number : 0;
  }
  closedir(all);
  return found;
}

static int in_order(const void *one, const void *other) {
  return *(const int *) one - *(const int *) other;
}

static void reap(long seconds, FILE *to) {
  int ends[MOST_ORPHANS];
  size_t count = 0;
  pid_t child;
  late = 0;
  limit(seconds);
  while (count < MOST_ORPHANS && (child = orphan()) > 0) {
    while (waitpid(child, ends + count, __WALL) < 0 && errno == EINTR) {
      kill(child, SIGKILL);
    }
    count++;
  }
  limit(0);
  fputs(late != 0 ? "orphans are late\n" : "", to);
  qsort(ends, count, sizeof ends[0], in_order);
  for (size_t i = 0; i < count; i++) {
    int killed = WIFSIGNALED(ends[i]);
    fprintf(to, "orphan %s %d\n", killed ? "signal" : "exit", killed ? WTERMSIG(ends[i]) : WEXITSTATUS(ends[i]));
  }
}

/* Answers until the command ends. */
static void serve(long seconds) {
  int asks = open("asks", O_RDWR | O_CLOEXEC); /* also for writing: then it has no end */
  int answers = open("answers", O_RDWR | O_CLOEXEC);
  struct pollfd both[] = {{(int) syscall(SYS_pidfd_open, command, 0), POLLIN, 0}, {asks, POLLIN, 0}};
  while (poll(both, 2, -1) > 0 && both[0].revents == 0) {
    char name[512] = "";
    ssize_t size = read(asks, name, sizeof name - 1);
    FILE *to = size > 0 ? fopen(name, "ae") : NULL;
    if (to == NULL) {
      return;
    }
    reap(seconds, to);
    fclose(to);
    if (write(answers, "", 1) != 1) {
      return;
    }
  }
}

int main(int count, char **arguments) {
  int status = 0;
  struct sigaction action = {.sa_handler = on_time}; /* waits are not begun again */
  if (count < 3 || mkfifo("asks", 0600) != 0 || mkfifo("answers", 0600) != 0
      || sigaction(SIGALRM, &action, NULL) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    return 2;
  }
  command = fork();
  if (command == 0) {
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  serve(atol(arguments[1]));
  waitpid(command, &status, 0);
  for (pid_t left; (left = orphan()) > 0; waitpid(left, NULL, __WALL)) {
    kill(left, SIGKILL);
  }
  unlink("asks");
  unlink("answers");
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
