/* Starts itself again in ways that lose an environment. Built with -finstrument-functions; the first argument
 * says how. What is started calls arrived(). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))

__attribute__((noinline)) int arrived(void) {
  __asm__ volatile("");
  return 0;
}

__attribute__((noinline)) void in_thread(void) {
  __asm__ volatile("");
}

QUIET static void *thread(void *unused) {
  in_thread();
  return unused;
}

QUIET static void in_new_thread(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, thread, NULL) != 0) {
    abort();
  }
  pthread_join(other, NULL);
}

QUIET static int finish(pid_t pid) {
  int status;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) {
    return 99;
  }
  return WEXITSTATUS(status);
}

QUIET static int forked(void) {
  pid_t pid = fork();
  if (pid == 0) {
    arrived();
    exit(0);
  }
  return finish(pid);
}

/* As servers do that show what they do in `ps`: over arguments and environment. */
QUIET static void set_title(char **arguments) {
  char *end = arguments[0];
  for (int i = 0; arguments[i] != NULL; i++) {
    end = arguments[i] + strlen(arguments[i]);
  }
  for (char **entry = environ; *entry != NULL; entry++) {
    end = *entry + strlen(*entry);
  }
  size_t room = (size_t) (end - arguments[0]);
  memset(arguments[0], 0, room);
  snprintf(arguments[0], room, "children: worker process");
}

static char *self;
static char *own[] = {(char *) "OWN=1", NULL};

QUIET static int replaced(const char *how) {
  char *arguments[] = {self, (char *) "arrive", NULL};
  pid_t pid = fork();
  if (pid != 0) {
    return finish(pid);
  }
  if (strcmp(how, "execve") == 0) {
    execve(self, arguments, own);
  } else if (strcmp(how, "execle") == 0) {
    execle(self, self, "arrive", NULL, own);
  } else if (strcmp(how, "execvpe") == 0) {
    execvpe(self, arguments, own);
  } else if (strcmp(how, "fexecve") == 0) {
    fexecve(open(self, O_RDONLY | O_CLOEXEC), arguments, own);
  } else if (strcmp(how, "execveat") == 0) {
    execveat(AT_FDCWD, self, arguments, own, 0);
  } else {
    environ = strcmp(how, "execl") == 0 ? own : NULL;
    if (strcmp(how, "execv") == 0) {
      execv(self, arguments);
    } else if (strcmp(how, "execvp") == 0) {
      execvp(self, arguments);
    } else if (strcmp(how, "execl") == 0) {
      execl(self, self, "arrive", NULL);
    } else if (strcmp(how, "execlp") == 0) {
      execlp(self, self, "arrive", NULL);
    }
  }
  _exit(98);
}

QUIET static int by_vfork(void) {
  char *arguments[] = {self, (char *) "arrive", NULL};
  pid_t pid = vfork();
  if (pid == 0) {
    execve(self, arguments, own);
    _exit(98);
  }
  return finish(pid);
}

QUIET static int spawned(bool search) {
  char *arguments[] = {self, (char *) "arrive", NULL};
  pid_t pid = -1;
  int error = (search ? posix_spawnp : posix_spawn)(&pid, self, NULL, NULL, arguments, own);
  return error != 0 ? error : finish(pid);
}

QUIET static int by_shell(bool pipe) {
  char command[4096];
  snprintf(command, sizeof command, "%s arrive; exit 7", self);
  clearenv();
  if (!pipe) {
    int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 97;
  }
  FILE *out = popen(command, "r");
  char line[64] = "";
  bool read = out != NULL && fgets(line, sizeof line, out) != NULL;
  return read && strcmp(line, "arrived\n") == 0 && WEXITSTATUS(pclose(out)) == 7 ? 0 : 96;
}

/* What an environment has, but for what the recorder gave. */
QUIET static int show(void) {
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
    puts(*entry);
  }
  return 0;
}

/* Becomes another user, in the middle of being recorded. */
QUIET static int as_user(const char *how, uid_t user) {
  arrived();
  if (strcmp(how, "seteuid") == 0 ? seteuid(user) != 0 : setgid(user) != 0 || setuid(user) != 0) {
    perror("setuid");
    return 95;
  }
  for (int i = 0; i < 3; i++) {
    in_new_thread();
  }
  int result = forked();
  if (result == 0 && strcmp(how, "exec") == 0) {
    result = replaced("execve");
  }
  return result;
}

int main(int count, char **arguments) {
  char *how = count > 1 ? arguments[1] : (char *) "arrive";
  self = realpath("/proc/self/exe", NULL);
  if (strcmp(how, "arrive") == 0) {
    puts("arrived");
    return arrived();
  } else if (strcmp(how, "clearenv") == 0) {
    clearenv();
    return forked();
  } else if (strcmp(how, "environ") == 0) {
    environ = own;
    return forked();
  } else if (strcmp(how, "title") == 0) {
    set_title(arguments);
    return forked();
  } else if (strcmp(how, "vfork") == 0) {
    return by_vfork();
  } else if (strncmp(how, "posix_spawn", 11) == 0) {
    return spawned(how[11] != 0);
  } else if (strcmp(how, "system") == 0 || strcmp(how, "popen") == 0) {
    return by_shell(how[0] == 'p');
  } else if (strcmp(how, "show") == 0) {
    return show();
  } else if (strcmp(how, "user") == 0) {
    return as_user(arguments[2], (uid_t) atoi(arguments[3]));
  }
  return replaced(how);
}
