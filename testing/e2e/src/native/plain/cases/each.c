/* Runs programs one after the other, each in a directory of its own: each LIST. A line of LIST is the directory and the
 * program with its arguments. What they print is in the directory's out and err; how they and their orphans ended, and
 * what they have left, is written to its end, and their processor time in microseconds to its time. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 16, MOST_ORPHANS = 256 };

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

static int in_order(const void *one, const void *other) {
  return *(const int *) one - *(const int *) other;
}

static void write_end(FILE *to, int status) {
  int killed = WIFSIGNALED(status);
  fprintf(to, "%s %d\n", killed ? "signal" : "exit", killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

static long micros(const struct rusage *usage) {
  long seconds = usage->ru_utime.tv_sec + usage->ru_stime.tv_sec;
  return seconds * 1000000 + usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

static void run(char **words) {
  struct rusage before;
  struct rusage after;
  int status = 0;
  int orphans[MOST_ORPHANS];
  size_t count = 0;
  getrusage(RUSAGE_CHILDREN, &before);
  pid_t child = fork();
  if (child == 0) {
    become(words);
  }
  waitpid(child, &status, 0);
  while (count < MOST_ORPHANS && waitpid(-1, orphans + count, __WALL) > 0) {
    count++;
  }
  getrusage(RUSAGE_CHILDREN, &after);
  char name[512];
  snprintf(name, sizeof name, "%s/end", words[0]);
  FILE *end = fopen(name, "we");
  write_end(end, status);
  qsort(orphans, count, sizeof orphans[0], in_order);
  for (size_t i = 0; i < count; i++) {
    fputs("orphan ", end);
    write_end(end, orphans[i]);
  }
  fclose(end);
  snprintf(name, sizeof name, "%s/time", words[0]);
  FILE *time = fopen(name, "we");
  fprintf(time, "%ld\n", micros(&after) - micros(&before));
  fclose(time);
}

int main(int count, char **arguments) {
  char line[4096];
  char *words[MOST_WORDS];
  FILE *list = count == 2 ? fopen(arguments[1], "re") : NULL;
  if (list == NULL || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
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
      run(words);
    }
  }
  fclose(list);
  return 0;
}
