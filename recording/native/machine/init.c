/*
 * The first program of a recorded machine: mounts what programs expect, runs one program, passes on what it writes,
 * and ends the machine when it ends. It has no C library, so that there is nothing of it in a recording but this.
 *
 * Bytes leave the machine through memory that the kernel does not use and whoever runs QEMU can see. A message at a
 * port says where they are:
 *
 *     offset  0        4        8        12                 64
 *            +--------+--------+--------+------------------+
 *            | kind   | offset | length | nothing          |
 *            +--------+--------+--------+------------------+
 *
 * A message is that long so that at most 1024 of them are in the pipe that takes them (64 KB). Whoever writes waits
 * while the pipe is full, so bytes are read before memory is used again: AREA is as large as the bytes of all these.
 * Nothing comes back: what the machine does, does not depend on who listens.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/reboot.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { MESSAGE = 64, MOST = 16 << 10, AREA = (1024 + 2) * MOST, LONGEST_ORDERS = 4 << 20 };
enum { MESSAGE_PORT = 0xe9, END_PORT = 0xf4 };
enum { OUTPUT = 1, ERRORS = 2, SYMBOLS = 3, TYPES = 4, STATUS = 5, FAILURE = 6 };
enum { PIPE_SIZE = 64 << 10, CANNOT_RUN = 126, NOT_FOUND = 127 };

static long call6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define CALL_(number, a, b, c, d, e, f, ...) call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(...) CALL_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

static unsigned char *area;
static uint32_t area_at;

/*
 * The machine goes on until QEMU has noticed, for as long as that takes, and a replay may end some instructions before
 * that, up to a tick of the kernel's clock. So recording ends first, with the marker that kymo.h has as KYMO_END, at a
 * block's end; then the processor is busy for two ticks.
 */
static void end_machine(void) {
  unsigned left = 4000000;
  __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 2, 0x44, 0x54, 0x53\n\tjmp 1f\n1:\n\tdec %0\n\tjnz 1b"
                   : "+r"(left)
                   :
                   : "cc");
  __asm__ volatile("outb %0, %1" : : "a"((unsigned char)0), "d"((unsigned short)END_PORT));
  CALL(__NR_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_RESTART);
  for (;;) {
    CALL(__NR_pause);
  }
}

/* Bytes at area_at, or a number in their place. */
static void tell(uint32_t kind, uint32_t length) {
  uint32_t message[MESSAGE / 4];
  for (unsigned i = 0; i < MESSAGE / 4; i++) {
    message[i] = 0;
  }
  message[0] = kind;
  message[1] = area_at;
  message[2] = length;
  const void *from = message;
  size_t count = MESSAGE;
  __asm__ volatile("rep outsb" : "+S"(from), "+c"(count) : "d"((unsigned short)MESSAGE_PORT) : "memory");
}

static void fail(uint32_t error) {
  tell(FAILURE, error);
  end_machine();
}

/* Passes on what can be read at once; the number of bytes, 0 at the end, or a negative error. */
static long pass(int file, uint32_t kind) {
  if (area_at + MOST > AREA) {
    area_at = 0;
  }
  long length = CALL(__NR_read, file, area + area_at, MOST);
  if (length > 0) {
    tell(kind, (uint32_t)length);
    area_at += (uint32_t)length;
  }
  return length;
}

static void pass_file(const char *name, uint32_t kind) {
  int file = (int)CALL(__NR_open, name, O_RDONLY);
  while (file >= 0 && pass(file, kind) > 0) {
    /* all of it */
  }
}

static void write_text(const char *name, const char *text, size_t length) {
  int file = (int)CALL(__NR_open, name, O_WRONLY);
  CALL(__NR_write, file, text, length);
  CALL(__NR_close, file);
}

static uint64_t hex(const char *text) {
  uint64_t value = 0;
  for (; *text; text++) {
    value = value * 16 + (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
  }
  return value;
}

/*
 * Texts, each of which ends with a zero byte: what to do (run or learn), address of the memory, directory, file of the
 * program, number of its arguments, these, its environment.
 */
struct orders {
  const char *task;
  uint64_t memory;
  const char *directory;
  const char *program;
  char **arguments;
  char **environment;
};

static const char *next(char **at) {
  const char *text = *at;
  while (**at) {
    ++*at;
  }
  ++*at;
  return text;
}

static struct orders read_orders(void) {
  int file = (int)CALL(__NR_open, "/kymo-orders", O_RDONLY);
  char *memory = (char *)CALL(__NR_mmap, 0, 2 * LONGEST_ORDERS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char **words = (char **)CALL(__NR_mmap, 0, sizeof(char *) * LONGEST_ORDERS, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  long length = 0;
  long count;
  while ((count = CALL(__NR_read, file, memory + length, LONGEST_ORDERS - length)) > 0) {
    length += count;
  }
  CALL(__NR_close, file);
  char *at = memory;
  struct orders orders = {0};
  orders.task = next(&at);
  orders.memory = hex(next(&at));
  orders.directory = next(&at);
  orders.program = next(&at);
  uint64_t arguments = hex(next(&at));
  orders.arguments = words;
  for (uint64_t i = 0; i < arguments; i++) {
    *words++ = (char *)next(&at);
  }
  *words++ = NULL;
  orders.environment = words;
  while (at < memory + length) {
    *words++ = (char *)next(&at);
  }
  *words = NULL;
  return orders;
}

/* Those that exist already are left alone. */
static void prepare(void) {
  CALL(__NR_mount, "proc", "/proc", "proc", 0, 0);
  CALL(__NR_mount, "sysfs", "/sys", "sysfs", 0, 0);
  CALL(__NR_mount, "devtmpfs", "/dev", "devtmpfs", 0, 0);
  CALL(__NR_symlink, "/proc/self/fd", "/dev/fd");
  CALL(__NR_symlink, "/proc/self/fd/0", "/dev/stdin");
  CALL(__NR_symlink, "/proc/self/fd/1", "/dev/stdout");
  CALL(__NR_symlink, "/proc/self/fd/2", "/dev/stderr");
  CALL(__NR_mkdir, "/dev/shm", 01777);
  CALL(__NR_mount, "tmpfs", "/dev/shm", "tmpfs", 0, 0);
  int net = (int)CALL(__NR_socket, AF_INET, SOCK_DGRAM, 0);
  struct ifreq loopback = {0};
  loopback.ifr_name[0] = 'l';
  loopback.ifr_name[1] = 'o';
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  CALL(__NR_ioctl, net, SIOCSIFFLAGS, &loopback);
  CALL(__NR_close, net);
}

static void map_area(uint64_t address) {
  int file = (int)CALL(__NR_open, "/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
  long at = CALL(__NR_mmap, 0, AREA, PROT_READ | PROT_WRITE, MAP_SHARED, file, address);
  CALL(__NR_close, file);
  if (CALL(__NR_iopl, 3) < 0) {
    CALL(__NR_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_RESTART);
  }
  if (at < 0 && at > -4096) {
    fail((uint32_t)-at);
  }
  area = (unsigned char *)at;
}

static void learn(void) {
  write_text("/proc/sys/kernel/kptr_restrict", "0", 1);
  pass_file("/proc/kallsyms", SYMBOLS);
  pass_file("/sys/kernel/btf/vmlinux", TYPES);
}

/* In the child. */
static void become(const struct orders *orders, int output, int errors, uint64_t mask) {
  CALL(__NR_setsid);
  int nothing = (int)CALL(__NR_open, "/dev/null", O_RDONLY);
  CALL(__NR_dup2, nothing, 0);
  CALL(__NR_dup2, output, 1);
  CALL(__NR_dup2, errors, 2);
  CALL(__NR_close_range, 3, ~0U, 0);
  CALL(__NR_iopl, 0);
  CALL(__NR_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, 8);
  CALL(__NR_chdir, orders->directory);
  long error = CALL(__NR_execve, orders->program, orders->arguments, orders->environment);
  CALL(__NR_exit_group, error == -ENOENT ? NOT_FOUND : CANNOT_RUN);
}

/* Reaps what has ended; whether the program has, whose status is then set. */
static int reap(long program, int *status) {
  int ended = 0;
  int each;
  long pid;
  while ((pid = CALL(__NR_wait4, -1, &each, WNOHANG, 0)) > 0) {
    if (pid == program) {
      *status = each;
      ended = 1;
    }
  }
  return ended;
}

/* What was written before the program's end. Others may go on writing. */
static void drain(int file, uint32_t kind) {
  long left = PIPE_SIZE;
  long length;
  while (left > 0 && (length = pass(file, kind)) > 0) {
    left -= length;
  }
}

static int run(const struct orders *orders) {
  int output[2];
  int errors[2];
  uint64_t mask = UINT64_C(1) << (SIGCHLD - 1);
  CALL(__NR_rt_sigprocmask, SIG_BLOCK, &mask, NULL, 8);
  CALL(__NR_pipe2, output, O_CLOEXEC);
  CALL(__NR_pipe2, errors, O_CLOEXEC);
  CALL(__NR_fcntl, output[0], F_SETFL, O_NONBLOCK);
  CALL(__NR_fcntl, errors[0], F_SETFL, O_NONBLOCK);
  /* KYMO_BEGIN of kymo.h: where recording begins if the boot is of no interest. */
  __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 1, 0x44, 0x54, 0x53");
  long program = CALL(__NR_fork);
  if (program == 0) {
    become(orders, output[1], errors[1], mask);
  }
  CALL(__NR_close, output[1]);
  CALL(__NR_close, errors[1]);
  struct pollfd files[] = {
    {.fd = output[0], .events = POLLIN},
    {.fd = errors[0], .events = POLLIN},
    {.fd = (int)CALL(__NR_signalfd4, -1, &mask, 8, SFD_NONBLOCK | SFD_CLOEXEC), .events = POLLIN},
  };
  int status = 0;
  for (int ended = 0; !ended;) {
    CALL(__NR_poll, files, 3, -1);
    for (int i = 0; i < 2; i++) {
      if (files[i].revents && pass(files[i].fd, (uint32_t)(OUTPUT + i)) == 0) {
        files[i].fd = -1;
      }
    }
    if (files[2].revents) {
      struct signalfd_siginfo signal;
      CALL(__NR_read, files[2].fd, &signal, sizeof(signal));
      ended = reap(program, &status);
    }
  }
  drain(output[0], OUTPUT);
  drain(errors[0], ERRORS);
  return status;
}

__attribute__((used)) static void begin(void) {
  prepare();
  struct orders orders = read_orders();
  map_area(orders.memory);
  int status = 0;
  if (orders.task[0] == 'l') {
    learn();
  } else {
    status = run(&orders);
  }
  tell(STATUS, (uint32_t)status);
  end_machine();
}

/* The stack has to be aligned as for any function. */
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  and $-16, %rsp\n  call begin\n  hlt\n");
