/* Runs programs one after the other, each in a directory of its own: each LIST SECONDS. A line of LIST is the directory
 * and the program with its arguments. What they print is in the directory's out and err; how they ended is written to
 * its end, and their processor time in microseconds to its time. A program that takes longer than SECONDS is ended with
 * its group, and its end says so first. Its orphans are waited for by reaps.c, which has started this program: QEMU,
 * which this may run in, does not let it do so itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 16 };

static volatile sig_atomic_t late;

static void on_time(int signal) {
  late = signal;
}

/* Each second after SECONDS, a wait is interrupted: the first time may be before it begins. */
static void limit(long seconds) {
  struct itimerval time = {{seconds > 0, 0}, {seconds, 0}};
  setitimer(ITIMER_REAL, &time, NULL);
}

static void put(const char *name, int descriptor, int flags) {
  int file = open(name, flags | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, descriptor) != descriptor) {
    _exit(118);
  }
}

static void become(char **words) {
  if (chdir(words[0]) != 0 || setpgid(0, 0) != 0) {
    _exit(118);
  }
  for (int i = 1; i < NSIG; i++) {
    signal(i, SIG_DFL); /* who starts tests in the background has some ignored */
  }
  put("/dev/null", 0, O_RDONLY);
  put("out", 1, O_WRONLY | O_CREAT | O_APPEND);
  put("err", 2, O_WRONLY | O_CREAT | O_APPEND);
  execvp(words[1], words + 1);
  _exit(118);
}

static void write_end(FILE *to, int status) {
  int killed = WIFSIGNALED(status);
  fprintf(to, "%s %d\n", killed ? "signal" : "exit", killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

static long micros(const struct rusage *usage) {
  long seconds = usage->ru_utime.tv_sec + usage->ru_stime.tv_sec;
  return seconds * 1000000 + usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

/* Waits until all orphans have ended, too. */
static void await_orphans(const char *file) {
  char byte;
  int asks = open("asks", O_WRONLY | O_CLOEXEC);
  int answers = open("answers", O_RDONLY | O_CLOEXEC);
  if (write(asks, file, strlen(file)) < 0 || read(answers, &byte, 1) != 1) {
    exit(3);
  }
  close(asks);
  close(answers);
}

static void run(char **words, long seconds) {
  struct rusage before;
  struct rusage after;
  int status = 0;
  char name[512];
  getrusage(RUSAGE_CHILDREN, &before);
  pid_t child = fork();
  if (child == 0) {
    become(words);
  }
  late = 0;
  limit(seconds);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    kill(-child, SIGKILL);
  }
  limit(0);
  getrusage(RUSAGE_CHILDREN, &after);
  snprintf(name, sizeof name, "%s/time", words[0]);
  FILE *time = fopen(name, "we");
  fprintf(time, "%ld\n", micros(&after) - micros(&before));
  fclose(time);
  snprintf(name, sizeof name, "%s/end", words[0]);
  FILE *end = fopen(name, "we");
  fputs(late != 0 ? "late\n" : "", end);
  write_end(end, status);
  fclose(end);
  await_orphans(name);
}

int main(int count, char **arguments) {
  char line[4096];
  char *words[MOST_WORDS];
  FILE *list = count == 3 ? fopen(arguments[1], "re") : NULL;
  struct sigaction action = {.sa_handler = on_time}; /* waits are not begun again */
  if (list == NULL || sigaction(SIGALRM, &action, NULL) != 0) {
    return 2;
  }
  while (fgets(line, sizeof line, list) != NULL) {
    int number = 0;
    for (char *word = strtok(line, " \n"); word != NULL && number < MOST_WORDS - 1; word = strtok(NULL, " \n")) {
      words[number++] = word;
    }
    words[number] = NULL;
    if (number > 1) {
      mkdir(words[0], 0700);
      run(words, atol(arguments[2]));
    }
  }
  fclose(list);
  return 0;
}
