/*
 * Starts a program, mostly itself, in the way that its argument names. Whatever was started so calls worked 50 times,
 * says so, and ends with 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *after[] = {"starts", "after", NULL};

__attribute__((noinline)) static int worked(int i) {
  __asm__ volatile("");
  return i + 1;
}

static int started(void) {
  int sum = 0;
  for (int i = 0; i < 50; i++) {
    sum += worked(i);
  }
  printf("after %d\n", sum);
  return 3;
}

static char path[4096];

static const char *in_proc(const char *form, int number) {
  snprintf(path, sizeof path, form, number);
  return path;
}

/* The program's file again: in memory, or below another name. */
static int copied(int to) {
  int from = open("/proc/self/exe", O_RDONLY);
  char bytes[4096];
  for (ssize_t size; (size = read(from, bytes, sizeof bytes)) > 0;) {
    if (write(to, bytes, (size_t) size) != size) {
      exit(1);
    }
  }
  close(from);
  return to;
}

static int file(const char *name, const char *text, int mode) {
  int made = open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (text == NULL) {
    copied(made);
  } else if (write(made, text, strlen(text)) < 0) {
    exit(1);
  }
  close(made);
  return open(name, O_RDONLY);
}

static int fail(void) {
  printf("failed: %s\n", strerror(errno));
  return 1;
}

static int ended(pid_t child) {
  int status;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static void tried(const char *name) {
  execv(name, after);
  fail();
}

static void *in_thread(void *nothing) {
  execv("/proc/self/exe", after);
  return nothing;
}

static int by_proc(const char *way) {
  if (strcmp(way, "self") == 0) {
    execv("/proc/self/exe", after);
  } else if (strcmp(way, "pid") == 0) {
    execv(in_proc("/proc/%d/exe", getpid()), after);
  } else if (strcmp(way, "thread-self") == 0) {
    execv("/proc/thread-self/exe", after);
  } else if (strcmp(way, "task") == 0) {
    execv(in_proc("/proc/self/task/%d/exe", getpid()), after);
  } else if (strcmp(way, "parent") == 0) {
    pid_t child = fork();
    if (child == 0) {
      execv(in_proc("/proc/%d/exe", getppid()), after);
      _exit(fail());
    }
    return ended(child);
  } else if (strcmp(way, "link") == 0 && symlink("/proc/self/exe", "link") == 0) {
    execv("./link", after);
  } else if (strcmp(way, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(way, "chdir") == 0 && chdir("/") == 0) {
    execv("/proc/self/exe", after);
  } else if (strcmp(way, "readlink") == 0 && chdir("/") == 0) {
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size < 0 ? 0 : size] = 0;
    execv(path, after);
  } else if (strcmp(way, "gone") == 0) {
    close(file("copy", NULL, 0700));
    execl("./copy", "starts", "vanish", NULL);
  } else if (strcmp(way, "vanish") == 0 && unlink("copy") == 0) {
    execv("/proc/self/exe", after);
  } else {
    return -1;
  }
  return fail();
}

static int by_descriptor(const char *way) {
  int program = open("starts", O_RDONLY);
  int closing = fcntl(program, F_DUPFD_CLOEXEC, 20);
  int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (strcmp(way, "fexecve") == 0) {
    fexecve(program, after, environ);
  } else if (strcmp(way, "fexecve-closing") == 0) {
    fexecve(closing, after, environ);
  } else if (strcmp(way, "execveat") == 0) {
    syscall(SYS_execveat, closing, "", after, environ, AT_EMPTY_PATH);
  } else if (strcmp(way, "execveat-folder") == 0) {
    syscall(SYS_execveat, folder, "starts", after, environ, 0);
  } else if (strcmp(way, "execveat-here") == 0) {
    syscall(SYS_execveat, AT_FDCWD, "./starts", after, environ, 0);
  } else if (strcmp(way, "self-fd") == 0) {
    execv(in_proc("/proc/self/fd/%d", program), after);
  } else if (strcmp(way, "self-fd-closing") == 0) {
    execv(in_proc("/proc/self/fd/%d", closing), after);
  } else if (strcmp(way, "thread-self-fd") == 0) {
    execv(in_proc("/proc/thread-self/fd/%d", closing), after);
  } else if (strcmp(way, "dev-fd") == 0) {
    execv(in_proc("/dev/fd/%d", closing), after);
  } else if (strcmp(way, "folder-fd") == 0) {
    execv(in_proc("/proc/self/fd/%d/starts", folder), after);
  } else if (strcmp(way, "memory") == 0) {
    fexecve(copied(memfd_create("m", 0)), after, environ);
  } else if (strcmp(way, "memory-closing") == 0) {
    fexecve(copied(memfd_create("m", MFD_CLOEXEC)), after, environ);
  } else if (strcmp(way, "memory-again") == 0) {
    char *again[] = {"starts", "self", NULL};
    fexecve(copied(memfd_create("m", MFD_CLOEXEC)), again, environ);
  } else if (strcmp(way, "deleted") == 0) {
    int deleted = file("copy", NULL, 0700);
    unlink("copy");
    fexecve(deleted, after, environ);
  } else if (strcmp(way, "script-fd") == 0) {
    fexecve(file("script", "#!/bin/sh\necho \"$0\"\nexec ./starts after\n", 0700), after, environ);
  } else {
    return -1;
  }
  return fail();
}

static int by_name(const char *way) {
  if (strcmp(way, "relative") == 0 && mkdir("below", 0700) == 0 && chdir("below") == 0) {
    execv("../starts", after);
  } else if (strcmp(way, "script") == 0) {
    close(file("script", "#!/bin/sh\necho \"$0\"\nexec ./starts after\n", 0700));
    execv("./script", after);
  } else if (strcmp(way, "interpreter") == 0) {
    close(file("script", "#!./starts after\n", 0700));
    execv("./script", after);
  } else if (strcmp(way, "interpreter-self") == 0) {
    close(file("script", "#!/proc/self/exe after\n", 0700));
    execv("./script", after);
  } else if (strcmp(way, "nested-scripts") == 0) {
    char text[64];
    close(file("s0", "#!./starts after\n", 0700));
    for (int i = 1; i < 5; i++) {
      snprintf(text, sizeof text, "#!./s%d\n", i - 1);
      close(file(in_proc("s%d", i), text, 0700));
    }
    execv("./s4", after);
  } else if (strcmp(way, "no-arguments") == 0) {
    char *none[] = {NULL};
    setenv("STARTED", "1", 1);
    execv("./starts", none);
  } else if (strcmp(way, "null-arguments") == 0) {
    setenv("STARTED", "1", 1);
    syscall(SYS_execve, "./starts", NULL, environ);
  } else if (strcmp(way, "null-environment") == 0) {
    syscall(SYS_execve, "./starts", after, NULL);
  } else if (strcmp(way, "failing") == 0) {
    tried("./nothing");
    tried("/");
    close(file("text", "exit 1\n", 0600));
    tried("./text");
    close(file("script", "#!/nothing\n", 0700));
    tried("./script");
    close(file("empty", "", 0700));
    tried("./empty");
    tried("/proc/self/fd/77");
    tried("/proc/self/maps");
    syscall(SYS_execve, 16, after, environ);
    fail();
    return started();
  } else {
    return -1;
  }
  return fail();
}

static int by_child(const char *way) {
  pid_t child = -1;
  if (strcmp(way, "spawn") == 0) {
    posix_spawn(&child, "./starts", NULL, NULL, after, environ);
  } else if (strcmp(way, "spawn-self") == 0) {
    posix_spawn(&child, "/proc/self/exe", NULL, NULL, after, environ);
  } else if (strcmp(way, "spawn-nothing") == 0) {
    if (posix_spawn(&child, "./nothing", NULL, NULL, after, environ) != ENOENT
        || posix_spawn(&child, "/", NULL, NULL, after, environ) != EACCES
        || waitpid(-1, NULL, WNOHANG) != -1 || fcntl(200, F_GETFD) != -1) {
      return 1;
    }
    posix_spawn(&child, "./starts", NULL, NULL, after, environ);
  } else if (strcmp(way, "vfork") == 0) {
    child = vfork();
    if (child == 0) {
      execv("/proc/self/exe", after);
      _exit(1);
    }
  } else if (strcmp(way, "system") == 0) {
    return WEXITSTATUS(system("exec ./starts after"));
  } else {
    return -1;
  }
  return ended(child);
}

/* What cannot be recorded: QEMU, or the recording, cannot be reached from where the program has gone. */
static int by_root(const char *way) {
  if (strcmp(way, "root") == 0 && chroot(".") == 0) {
    execv("/starts-static", after);
  } else if (strcmp(way, "user") == 0 && setgid(65534) == 0 && setuid(65534) == 0) {
    execl("/bin/echo", "echo", "after", NULL);
  } else {
    return -1;
  }
  return fail();
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (count < 2 || strcmp(arguments[1], "after") == 0) {
    return count > 1 || getenv("STARTED") != NULL ? started() : 2;
  }
  int (*ways[])(const char *) = {by_proc, by_name, by_child, by_descriptor, by_root};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    int result = ways[i](arguments[1]);
    if (result >= 0) {
      return result;
    }
  }
  return 2;
}
