/* Becomes a daemon, as web servers do: the process that is started ends at once, another one makes workers, and these
 * become nobody before they work, and live on for a while. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, NOBODY = 65534 };

static int one_more(int n) {
  return n + 1;
}

static void prepare(void) {
  one_more(0);
}

static int work(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) {
    sum = one_more(sum);
  }
  return sum;
}

static int be_daemon(void) {
  if (setsid() < 0) {
    return 1;
  }
  prepare();
  for (int i = 0; i < WORKERS; i++) {
    if (fork() == 0) {
      int done = setuid(NOBODY) == 0 && work() == 100;
      usleep(500000);
      _exit(!done);
    }
  }
  int failed = 0;
  for (int i = 0; i < WORKERS; i++) {
    int status;
    failed |= wait(&status) < 0 || status != 0;
  }
  return failed;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    _exit(be_daemon());
  }
  puts(child > 0 ? "started" : "failed");
  return child < 0;
}
