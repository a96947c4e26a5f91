/* What programs do with descriptors and files. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "cases.h"

static void *thread_calls(void *unused) {
  calls(100);
  return unused;
}

static void make_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, thread_calls, NULL) == 0) {
    pthread_join(thread, NULL);
  }
}

static int open_descriptors(void) {
  int count = 0;
  for (int i = 0; i < 1024; i++) {
    count += fcntl(i, F_GETFD) >= 0;
  }
  return count;
}

CASE(three_are_open) {
  say("%d\n", open_descriptors());
  make_thread();
  say("%d, next %d\n", open_descriptors(), dup(0));
  return 0;
}

CASE(all_by_a_range) {
  int kept = fcntl(1, F_DUPFD_CLOEXEC, 500);
  calls(10);
  close_range(0, 499, 0);
  close_range(501, ~0U, 0);
  make_thread();
  dup2(kept, 1);
  say("%d\n", open_descriptors());
  return calls(4);
}

CASE(all_from_three) {
  calls(10);
  closefrom(3);
  make_thread();
  say("%d\n", open_descriptors());
  return calls(4);
}

CASE(all_from_zero) {
  calls(10);
  closefrom(0);
  make_thread();
  return calls(4);
}

CASE(all_one_by_one) {
  calls(10);
  for (int i = 3; i < 65536; i++) {
    close(i);
  }
  make_thread();
  say("%d\n", open_descriptors());
  return calls(4);
}

CASE(all_but_stdio_at_exec) {
  if (again("again")) {
    say("%d\n", open_descriptors());
    return calls(3);
  }
  for (int i = 0; i < 10; i++) {
    dup(0);
  }
  calls(10);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  become_again("again");
  return 1;
}

CASE(range_in_an_own_table) {
  calls(10);
  tell("range", close_range(3, ~0U, CLOSE_RANGE_UNSHARE));
  make_thread();
  return calls(4);
}

CASE(without_stdio) {
  int kept = fcntl(1, F_DUPFD, 100);
  close(0), close(1), close(2);
  calls(10);
  make_thread();
  int first = open("/dev/null", O_RDONLY);
  int second = open("/dev/null", O_RDONLY);
  int third = open("/dev/null", O_RDONLY);
  dup2(kept, 1);
  say("%d %d %d\n", first, second, third);
  return 0;
}

CASE(another_program_without_stdio) {
  if (again("again")) {
    calls(10);
    make_thread();
    int first = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int second = open("/dev/null", O_RDONLY);
    int third = open("/dev/null", O_RDONLY);
    make_thread();
    struct stat file;
    fstat(first, &file);
    dup2(100, 1);
    say("%d %d %d, %ld bytes\n", first, second, third, (long) file.st_size);
    return 0;
  }
  fcntl(1, F_DUPFD, 100);
  close(0), close(1), close(2);
  become_again("again");
  return 1;
}

CASE(something_else_as_standard_error) {
  int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(file, 2);
  calls(10);
  make_thread();
  struct stat written;
  fstat(2, &written);
  say("%ld bytes\n", (long) written.st_size);
  return 0;
}

CASE(every_number_is_taken) {
  calls(10);
  struct rlimit most = {64, 64};
  setrlimit(RLIMIT_NOFILE, &most);
  for (int i = 3; i < 64; i++) {
    dup2(0, i);
  }
  make_thread();
  tell("one more", dup(0));
  say("%d\n", open_descriptors());
  return calls(3);
}

CASE(lowest_number_again) {
  int first = dup(0);
  calls(10);
  make_thread();
  close(first);
  int second = dup(0);
  say("%d %d\n", first, second);
  return 0;
}

CASE(not_in_another_program) {
  if (again("again")) {
    say("%d %d\n", fcntl(40, F_GETFD), fcntl(41, F_GETFD));
    return calls(3);
  }
  dup3(0, 40, O_CLOEXEC);
  dup2(0, 41);
  become_again("again");
  return 1;
}

CASE(passed_to_a_child) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  char room[CMSG_SPACE(sizeof(int))] = "";
  char byte = 'x';
  struct iovec one = {&byte, 1};
  struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  pid_t child = fork();
  if (child == 0) {
    recvmsg(ends[1], &message, 0);
    int got;
    memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof got);
    say("got %d\n", got > 2);
    _exit(write(got, "through it\n", 11) == 11 ? calls(2) : 1);
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  int one_fd = 1;
  memcpy(CMSG_DATA(header), &one_fd, sizeof one_fd);
  sendmsg(ends[0], &message, 0);
  say_end("child", child);
  return 0;
}

CASE(output_is_opened_again) {
  puts("before");
  if (freopen("file", "w", stdout) == NULL) {
    return 1;
  }
  puts("into the file");
  calls(10);
  fflush(stdout);
  char text[64] = "";
  int file = open("file", O_RDONLY);
  say("%zd\n", read(file, text, sizeof text));
  fprintf(stderr, "%s", text);
  return 0;
}

CASE(seen_by_inotify) {
  char events[4096];
  mkdir("watched", 0700);
  int watch = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watch, ".", IN_ALL_EVENTS);
  inotify_add_watch(watch, "watched", IN_ALL_EVENTS);
  calls(10);
  make_thread();
  close(open("watched/one", O_RDWR | O_CREAT, 0600));
  ssize_t size = read(watch, events, sizeof events);
  for (ssize_t at = 0; at < size;) {
    struct inotify_event *event = (struct inotify_event *) (void *) (events + at);
    say("%x %s\n", event->mask, event->len > 0 ? event->name : "");
    at += (ssize_t) (sizeof *event + event->len);
  }
  return 0;
}

CASE(waits_by_epoll) {
  int ends[2];
  struct epoll_event event = {.events = EPOLLIN};
  int set = epoll_create1(EPOLL_CLOEXEC);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
  say("%d\n", epoll_wait(set, &event, 1, 0));
  calls(10);
  send(ends[1], "x", 1, 0);
  say("%d\n", epoll_wait(set, &event, 1, -1));
  close(ends[1]);
  say("%d %x\n", epoll_wait(set, &event, 1, -1), event.events);
  return 0;
}

CASE(waits_by_poll_and_select) {
  int ends[2];
  fd_set set;
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  struct pollfd one = {ends[0], POLLIN | POLLOUT, 0};
  say("%d %x\n", poll(&one, 1, 0), one.revents);
  send(ends[1], "datagram", 8, 0);
  say("%d %x\n", poll(&one, 1, -1), one.revents);
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  say("%d\n", select(ends[0] + 1, &set, NULL, NULL, NULL));
  char text[4];
  say("%zd\n", recv(ends[0], text, sizeof text, MSG_TRUNC));
  tell("no more", recv(ends[0], text, sizeof text, MSG_DONTWAIT));
  return calls(1);
}

CASE(counters_and_timers) {
  uint64_t value = 5;
  int counter = eventfd(3, EFD_NONBLOCK);
  say("%zd\n", write(counter, &value, 8));
  say("%zd %d\n", read(counter, &value, 8), (int) value);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec soon = {{0, 0}, {0, 1000000}};
  timerfd_settime(timer, 0, &soon, NULL);
  say("%zd %d\n", read(timer, &value, 8), (int) value);
  return calls(2);
}

CASE(socket_left_by_the_other_side) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  close(ends[1]);
  tell("send", send(ends[0], "x", 1, MSG_NOSIGNAL));
  calls(10);
  tell("write", write(ends[0], "x", 1));
  return 0;
}

CASE(socket_opened_as_a_file_again) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  FILE *file = fdopen(ends[0], "r+");
  fputs("text", file);
  fflush(file);
  file = freopen("file", "w+", file);
  fputs("other", file);
  char text[16] = "";
  rewind(file);
  say("%s\n", fgets(text, sizeof text, file));
  say("%zd", recv(ends[1], text, sizeof text, 0));
  say(" %zd\n", recv(ends[1], text, sizeof text, 0));
  return 0;
}

CASE(talks_to_itself) {
  struct sockaddr_un name = {AF_UNIX, "socket"};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  tell("bind", bind(server, (struct sockaddr *) &name, sizeof name));
  listen(server, 1);
  pid_t child = fork();
  if (child == 0) {
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(client, (struct sockaddr *) &name, sizeof name);
    send(client, "hello", 5, 0);
    shutdown(client, SHUT_WR);
    char answer[16] = "";
    _exit((int) recv(client, answer, sizeof answer, 0));
  }
  int peer = accept4(server, NULL, NULL, SOCK_CLOEXEC);
  char text[16] = "";
  ssize_t size = 0;
  for (ssize_t got = 1; got > 0; size += got) {
    got = recv(peer, text + size, sizeof text - (size_t) size, 0);
  }
  say("%zd %s\n", size, text);
  send(peer, text, 3, 0);
  say_end("child", child);
  return calls(3);
}

CASE(copies_within_the_kernel) {
  int from = open("from", O_RDWR | O_CREAT | O_TRUNC, 0600);
  int to = open("to", O_RDWR | O_CREAT | O_TRUNC, 0600);
  int ends[2];
  off_t begin = 0;
  tell("write", write(from, "0123456789", 10));
  say("%zd\n", sendfile(to, from, &begin, 4));
  off_t second = 0;
  say("%zd\n", copy_file_range(from, &second, to, NULL, 6, 0));
  say("%d\n", pipe2(ends, O_NONBLOCK));
  second = 0;
  say("%zd\n", splice(from, &second, ends[1], NULL, 5, 0));
  say("%zd %ld\n", read(ends[0], (char[16]) {0}, 16), (long) lseek(to, 0, SEEK_CUR));
  return calls(1);
}

CASE(locks_of_files) {
  int file = open("file", O_RDWR | O_CREAT, 0600);
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  tell("lock", fcntl(file, F_SETLK, &all));
  tell("flock", flock(file, LOCK_EX));
  pid_t child = fork();
  if (child == 0) {
    int again = open("file", O_RDWR);
    tell("child's lock", fcntl(again, F_SETLK, &all));
    tell("child's flock", flock(again, LOCK_EX | LOCK_NB));
    _exit(calls(1));
  }
  say_end("child", child);
  return 0;
}

CASE(memory_as_a_file) {
  int file = memfd_create("name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  tell("size", ftruncate(file, 8192));
  char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  strcpy(memory + 4096, "shared");
  pid_t child = fork();
  if (child == 0) {
    strcpy(memory, memory + 4096);
    _exit(calls(2));
  }
  say_end("child", child);
  say("%s\n", memory);
  tell("seal", fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK));
  tell("shrink", ftruncate(file, 0));
  return 0;
}

CASE(output_to_a_pipe_without_a_reader) {
  int ends[2];
  if (pipe(ends) != 0 || dup2(ends[1], 1) != 1) {
    return 1;
  }
  close(ends[0]), close(ends[1]);
  calls(10);
  puts("nobody reads this");
  return 0; /* the buffer is written at the end: SIGPIPE */
}

CASE(output_of_children_in_order) {
  printf("first ");
  fflush(stdout);
  if (system("echo second") != 0) {
    return 1;
  }
  FILE *child = popen("cat", "w");
  fputs("third\n", child);
  return pclose(child) + calls(3);
}

CASE(buffers_are_copied_by_fork) {
  printf("twice ");
  pid_t child = fork();
  if (child == 0) {
    exit(0);
  }
  waitpid(child, NULL, 0);
  return calls(2);
}
