/* A program of many cases: PROGRAM CASE does one of them, PROGRAM alone prints their names. What a case prints and how
 * it ends must not depend on who looks on, nor on the machine's speed. */
#ifndef CASES_H
#define CASES_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct plain_case {
  const char *name;
  int (*run)(void);
};

extern const struct plain_case __start_plain_cases[], __stop_plain_cases[];

static char **words; /* the arguments */
static int count_of_words;

#define CASE(name) \
  static int case_##name(void); \
  static const struct plain_case entry_##name \
      __attribute__((section("plain_cases"), used, aligned(sizeof(void *)))) = {#name, case_##name}; \
  static int case_##name(void)

/* Whether the program was started again by its own case, with this word. */
static inline int again(const char *word) {
  return count_of_words > 2 && strcmp(words[2], word) == 0;
}

static __attribute__((noinline, unused)) int one_more(int n) {
  __asm__ volatile("");
  return n + 1;
}

/* Calls that are recorded. */
static __attribute__((noinline, unused)) int calls(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum = one_more(sum);
  }
  return sum;
}

/* Prints at once: whoever ends suddenly has printed it, and no child prints it again. */
static __attribute__((unused, format(printf, 1, 2))) void say(const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ssize_t written = write(1, text, (size_t) length);
  (void) written;
}

/* A result and, if it is an error, which. */
static __attribute__((unused)) void tell(const char *what, long result) {
  say("%s: %s%s\n", what, result < 0 ? "fails, " : "works", result < 0 ? strerrorname_np(errno) : "");
}

/* How a child ended. */
static __attribute__((unused)) void say_end(const char *what, pid_t child) {
  int status = 0;
  pid_t ended = waitpid(child, &status, __WALL);
  if (ended != child) {
    say("%s: no child, %s\n", what, strerrorname_np(errno));
  } else {
    int killed = WIFSIGNALED(status);
    say("%s: %s %d\n", what, killed ? "signal" : "exit", killed ? WTERMSIG(status) : WEXITSTATUS(status));
  }
}

/* Starts this case again as another program, with a word. */
static __attribute__((unused)) void become_again(const char *word) {
  execl("/proc/self/exe", words[0], words[1], word, (char *) NULL);
  tell("exec", -1);
  _exit(120);
}

int main(int count, char **arguments) {
  words = arguments;
  count_of_words = count;
  for (const struct plain_case *each = __start_plain_cases; each < __stop_plain_cases; each++) {
    if (count == 1) {
      puts(each->name);
    } else if (strcmp(each->name, arguments[1]) == 0) {
      calls(10);
      return each->run();
    }
  }
  return count == 1 ? 0 : 119;
}

#endif
