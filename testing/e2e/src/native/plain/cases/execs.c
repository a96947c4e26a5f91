/* Every way to become another program, and to fail at that. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "cases.h"

extern char **environ;

CASE(by_its_descriptor) {
  char *arguments[] = {"sh", "-c", "echo $0 $1; exit 8", "zero", "one", NULL};
  int shell = open("/bin/sh", O_RDONLY | O_CLOEXEC);
  tell("exec", fexecve(shell, arguments, environ));
  return 1;
}

static const char *volatile no_path; /* the compiler does not know it */

CASE(by_a_place_and_an_empty_path) {
  char *arguments[] = {"sh", "-c", "exit 9", NULL};
  int shell = open("/bin/sh", O_RDONLY | O_CLOEXEC);
  tell("no flag", execveat(shell, "", arguments, environ, 0));
  tell("no path", execveat(shell, no_path, arguments, environ, 0));
  tell("no path and no place", execveat(-1, no_path, arguments, environ, AT_EMPTY_PATH));
  tell("null and a flag", execveat(-1, "", arguments, environ, AT_EMPTY_PATH));
  tell("a wrong flag", execveat(shell, "", arguments, environ, 0x40000000));
  tell("exec", execveat(shell, "", arguments, environ, AT_EMPTY_PATH));
  return 1;
}

CASE(by_a_relative_place) {
  char *arguments[] = {"sh", "-c", "exit 10", NULL};
  int directory = open("/bin", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  tell("exec", execveat(directory, "sh", arguments, environ, 0));
  return 1;
}

CASE(without_arguments) {
  char *none[] = {NULL};
  pid_t child = fork();
  if (child == 0) {
    execve("/bin/true", none, environ);
    _exit(1);
  }
  say_end("child", child);
  return calls(1);
}

CASE(with_impossible_arguments) {
  char **volatile nowhere = (char **) 8;
  char *volatile no_text = (char *) 8;
  char *arguments[] = {"true", NULL};
  char *wrong[] = {"true", no_text, NULL};
  tell("path", execve(no_text, arguments, environ));
  tell("no path", execve(no_path, arguments, environ));
  tell("arguments", execve("/bin/true", nowhere, environ));
  tell("one argument", execve("/bin/true", wrong, environ));
  tell("empty path", execve("", arguments, environ));
  tell("long path", execvp(memset(calloc(1, 5000), 'x', 4999), arguments));
  return calls(1);
}

CASE(with_an_impossible_environment) {
  char **volatile nowhere = (char **) 8;
  char *volatile no_text = (char *) 8;
  char *arguments[] = {"true", NULL};
  char *wrong[] = {"A=B", no_text, NULL};
  tell("environment", execve("/bin/true", arguments, nowhere));
  tell("one of it", execve("/bin/true", arguments, wrong));
  return calls(1);
}

CASE(memory_becomes_a_program) {
  char room[4096];
  ssize_t size;
  int from = open("/bin/true", O_RDONLY);
  int file = memfd_create("program", MFD_CLOEXEC);
  while ((size = read(from, room, sizeof room)) > 0) {
    if (write(file, room, (size_t) size) != size) {
      return 1;
    }
  }
  char *arguments[] = {"true", NULL};
  pid_t child = fork();
  if (child == 0) {
    fexecve(file, arguments, environ);
    _exit(1);
  }
  say_end("child", child);
  return calls(1);
}

static void write_file(const char *name, const char *text, mode_t mode) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0700);
  ssize_t written = write(file, text, strlen(text));
  fchmod(file, mode);
  close(file);
  if (written < 0) {
    _exit(1);
  }
}

static void run(const char *name) {
  pid_t child = fork();
  if (child == 0) {
    execlp(name, name, "argument", (char *) NULL);
    tell(name, -1);
    _exit(1);
  }
  say_end(name, child);
}

CASE(scripts) {
  write_file("good", "#!/bin/sh -e\necho script $1\nexit 3\n", 0700);
  write_file("plain", "echo without a first line $1\nexit 4\n", 0700);
  write_file("missing", "#!/nowhere/sh\n", 0700);
  write_file("forbidden", "#!/bin/sh\n", 0600);
  write_file("empty", "", 0700);
  write_file("nested", "#!./good\n", 0700);
  write_file("spaces", "#!   /bin/sh   \necho spaces\n", 0700);
  run("./good");
  run("./plain");
  run("./missing");
  run("./forbidden");
  run("./empty");
  run("./nested");
  run("./spaces");
  return calls(1);
}

CASE(with_an_empty_environment) {
  char *arguments[] = {"sh", "-c", "echo $HOME.; exit 11", NULL};
  char *none[] = {NULL};
  execve("/bin/sh", arguments, none);
  return 1;
}

CASE(without_an_environment) {
  char *arguments[] = {"true", NULL};
  pid_t child = fork();
  if (child == 0) {
    execve("/bin/true", arguments, NULL);
    _exit(1);
  }
  say_end("child", child);
  clearenv();
  calls(3);
  return system("exit 5") >> 8;
}

CASE(exec_again_and_again) {
  int left = count_of_words > 2 ? atoi(words[2]) : 20;
  calls(10);
  if (left > 0) {
    char next[12];
    snprintf(next, sizeof next, "%d", left - 1);
    become_again(next);
  }
  say("the last\n");
  return calls(2);
}
