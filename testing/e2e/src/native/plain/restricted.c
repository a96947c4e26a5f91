/* Restricts its own system calls to those that it needs: restricted WAY. Then calls functions, takes a lock, uses a
 * socket and ends; what is not allowed kills it.
 *
 *   prctl, seccomp, libc   how the filter is installed, the last through prctl's number
 *   hidden                 likewise, by an instruction of its own
 *   strict                 only read, write and to end
 *   synchronize            of all threads, of which another one makes calls
 *   child                  makes a child after that
 *   thread                 makes a thread after that
 *   ask                    only asks whether there are filters, and goes on as it was */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sock_filter few[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), ALLOW(read),
    ALLOW(write), ALLOW(exit), ALLOW(exit_group), ALLOW(futex), ALLOW(rt_sigreturn),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

/* What the C library itself needs for threads and children. */
static struct sock_filter more[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), ALLOW(read),
    ALLOW(write), ALLOW(exit), ALLOW(exit_group), ALLOW(futex), ALLOW(rt_sigreturn), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask),
    ALLOW(getrandom), ALLOW(brk), ALLOW(mmap),
    ALLOW(mprotect), ALLOW(munmap), ALLOW(madvise), ALLOW(clone), ALLOW(clone3), ALLOW(set_robust_list), ALLOW(rseq),
    ALLOW(wait4), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int going = 1;

static int one_more(int n) {
  return n + 1;
}

static int calls(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum = one_more(sum);
  }
  return sum;
}

static void *call_on(void *unused) {
  while (__atomic_load_n(&going, __ATOMIC_RELAXED)) {
    calls(1);
  }
  return unused;
}

static void *call_some(void *sum) {
  pthread_mutex_lock(&lock);
  *(int *) sum += calls(1000);
  pthread_mutex_unlock(&lock);
  return sum;
}

/* Nobody who wraps functions of the C library sees this. */
static long hidden_prctl(long option, long mode, const void *filter) {
#ifdef __x86_64__
  long result = SYS_prctl;
  __asm__ volatile("syscall" : "+a"(result) : "D"(option), "S"(mode), "d"(filter) : "rcx", "r11", "memory");
  return result;
#else
  register long number __asm__("x8") = SYS_prctl;
  register long first __asm__("x0") = option;
  register long second __asm__("x1") = mode;
  register const void *third __asm__("x2") = filter;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
  return first;
#endif
}

static int restrict_by(const char *way) {
  int all = strcmp(way, "thread") == 0 || strcmp(way, "child") == 0 || strcmp(way, "synchronize") == 0;
  struct sock_fprog filter = {all ? COUNT(more) : COUNT(few), all ? more : few};
  if (strcmp(way, "ask") == 0) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != -1 || errno != EFAULT
        || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) != -1 || errno != EFAULT;
  }
  if (strcmp(way, "strict") == 0) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return 1;
  }
  if (strcmp(way, "hidden") == 0) {
    return (int) hidden_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  }
  if (strcmp(way, "seccomp") == 0 || strcmp(way, "synchronize") == 0) {
    int flags = strcmp(way, "synchronize") == 0 ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    return (int) syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
  }
  return strcmp(way, "libc") == 0 ? (int) syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)
                                  : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static int in_another(const char *way) {
  int sum = 0;
  pthread_t thread;
  if (strcmp(way, "thread") == 0) {
    if (pthread_create(&thread, NULL, call_some, &sum) != 0) {
      return -1;
    }
    pthread_join(thread, NULL);
  } else if (strcmp(way, "child") == 0) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
      _exit(calls(30));
    }
    if (waitpid(child, &status, 0) != child) {
      return -1;
    }
    sum = status >> 8;
  }
  return sum;
}

int main(int count, char **words) {
  int ends[2];
  pthread_t other;
  char text[8] = "";
  if (count != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    return 2;
  }
  int together = strcmp(words[1], "synchronize") == 0;
  if (together && pthread_create(&other, NULL, call_on, NULL) != 0) {
    return 3;
  }
  int sum = calls(10);
  if (restrict_by(words[1]) != 0) {
    return 4;
  }
  call_some(&sum);
  sum += in_another(words[1]);
  if (write(ends[0], "message", 7) != 7 || read(ends[1], text, 7) != 7 || write(1, text, 7) != 7) {
    return 5;
  }
  __atomic_store_n(&going, 0, __ATOMIC_RELAXED);
  if (together) {
    pthread_join(other, NULL);
  }
  if (strcmp(words[1], "strict") == 0) { /* it may end only this thread */
    syscall(SYS_exit, sum % 97);
  }
  return sum % 97;
}
