/* Starts a program in a child and ends as it does: starts WAY PROGRAM, where WAY is a function that starts programs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(const char *way, char *program, char **environment) {
  char *words[] = {program, NULL};
  if (strcmp(way, "execve") == 0) {
    execve(program, words, environment);
  } else if (strcmp(way, "execv") == 0) {
    execv(program, words);
  } else if (strcmp(way, "execvp") == 0) {
    execvp(program, words);
  } else if (strcmp(way, "execl") == 0) {
    execl(program, program, (char *) NULL);
  } else if (strcmp(way, "fexecve") == 0) {
    fexecve(open(program, O_RDONLY | O_CLOEXEC), words, environment);
  } else if (strcmp(way, "execveat") == 0) {
    execveat(AT_FDCWD, program, words, environment, 0);
  }
  _exit(126);
}

int main(int count, char **words, char **environment) {
  if (count != 3) {
    return 2;
  }
  char *arguments[] = {words[2], NULL};
  int status = -1;
  pid_t child = -1;
  if (strcmp(words[1], "system") == 0) {
    status = system(words[2]);
  } else if (strcmp(words[1], "popen") == 0) {
    char text[64] = "";
    FILE *output = popen(words[2], "r");
    while (output != NULL && fgets(text, sizeof text, output) != NULL) {
      fputs(text, stdout);
    }
    status = pclose(output);
  } else if (strcmp(words[1], "posix_spawn") == 0) {
    posix_spawn(&child, words[2], NULL, NULL, arguments, environment);
  } else if (strcmp(words[1], "posix_spawnp") == 0) {
    posix_spawnp(&child, words[2], NULL, NULL, arguments, environment);
  } else {
    child = fork();
    if (child == 0) {
      start(words[1], words[2], environment);
    }
  }
  if (child > 0) {
    waitpid(child, &status, 0);
  }
  return WEXITSTATUS(status);
}
