/* One message through a socket, whose number is then a file's: ways close, ways fclose, ways freopen, ways range, ways
 * from. Or, with positions, a message that is written and read at the current one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int end(const char *way, const int ends[2]) {
  if (strcmp(way, "fclose") == 0) {
    return fclose(fdopen(ends[0], "r+")) | fclose(fdopen(ends[1], "r+"));
  }
  if (strcmp(way, "freopen") == 0) { /* the number is the file's from then on */
    FILE *first = freopen("other", "w", fdopen(ends[0], "r+"));
    FILE *second = freopen("other", "w", fdopen(ends[1], "r+"));
    return first == NULL || second == NULL || close(fileno(first)) != 0;
  }
#if __GLIBC_PREREQ(2, 34)
  if (strcmp(way, "range") == 0) {
    return close_range((unsigned) ends[0], (unsigned) ends[1], 0);
  }
  if (strcmp(way, "from") == 0) {
    closefrom(ends[0]);
    return 0;
  }
#endif
  return close(ends[0]) | close(ends[1]);
}

int main(int count, char **words) {
  int ends[2];
  char bytes[5] = "kymo";
  if (count != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    return 2;
  }
  ssize_t sent;
  ssize_t got;
  if (strcmp(words[1], "positions") == 0) {
    struct iovec all = {bytes, sizeof bytes};
    sent = pwritev2(ends[0], &all, 1, -1, 0);
    got = preadv2(ends[1], &all, 1, -1, 0);
  } else {
    sent = write(ends[0], bytes, sizeof bytes);
    got = read(ends[1], bytes, sizeof bytes);
  }
  int failed = end(words[1], ends);
  int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 10; i++) {
    failed |= write(file, bytes, sizeof bytes) != (ssize_t) sizeof bytes;
  }
  lseek(file, 0, SEEK_SET);
  for (int i = 0; i < 10; i++) {
    failed |= read(file, bytes, sizeof bytes) != (ssize_t) sizeof bytes;
  }
  printf("%zd %zd %d %s\n", sent, got, failed, file == ends[0] ? "the same number" : "another");
  return failed;
}
