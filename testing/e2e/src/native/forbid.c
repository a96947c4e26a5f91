/* Runs a program under a seccomp filter, as containers have one: forbid ERROR CALL... -- COMMAND. The named system calls
 * fail with that error: EPERM or ENOSYS. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 64

static const struct {
  const char *name;
  int number;
} calls[] = {
    {"bpf", SYS_bpf},
    {"kcmp", SYS_kcmp},
    {"keyctl", SYS_keyctl},
    {"mount", SYS_mount},
    {"move_pages", SYS_move_pages},
    {"name_to_handle_at", SYS_name_to_handle_at},
    {"open_by_handle_at", SYS_open_by_handle_at},
    {"openat2", 437},
    {"perf_event_open", SYS_perf_event_open},
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"ptrace", SYS_ptrace},
    {"setns", SYS_setns},
    {"unshare", SYS_unshare},
    {"userfaultfd", SYS_userfaultfd},
};

static int number(const char *name) {
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    if (strcmp(calls[i].name, name) == 0) {
      return calls[i].number;
    }
  }
  return -1;
}

int main(int argc, char **argv) {
  struct sock_filter filter[2 * MOST + 2];
  unsigned short size = 0;
  int at = 2;
  unsigned error = argc > 1 && strcmp(argv[1], "ENOSYS") == 0 ? ENOSYS : EPERM;
  filter[size++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (; at < argc && at < MOST && strcmp(argv[at], "--") != 0; at++) {
    int call = number(argv[at]);
    if (call < 0) {
      fprintf(stderr, "unknown: %s\n", argv[at]);
      return 2;
    }
    filter[size++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) call, 0, 1);
    filter[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
  }
  filter[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {size, filter};
  if (at + 1 >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("forbid");
    return 2;
  }
  execvp(argv[at + 1], argv + at + 1);
  perror(argv[at + 1]);
  return 127;
}
