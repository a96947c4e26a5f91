#include "peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un unix_;
};

/* An end of a TCP connection, with IPv4 as IPv6 has it: a Java program has a socket of IPv6 for both. */
struct end {
  uint8_t bytes[18];
};

static uint64_t mixed(uint64_t hash, const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  }
  hash ^= hash >> 32;
  return hash * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t stream(const void *from, const void *to, size_t size) {
  return mixed(mixed(UINT64_C(0xcbf29ce484222325), from, size), to, size);
}

static bool tcp_end(const union address *address, struct end *end, char *text) {
  char host[INET6_ADDRSTRLEN];
  uint16_t port;
  memset(end, 0, sizeof *end);
  bool v4 = address->any.sa_family == AF_INET;
  if (v4) {
    end->bytes[10] = end->bytes[11] = 0xff;
    memcpy(end->bytes + 12, &address->v4.sin_addr, 4);
    port = address->v4.sin_port;
  } else if (address->any.sa_family == AF_INET6) {
    memcpy(end->bytes, &address->v6.sin6_addr, 16);
    port = address->v6.sin6_port;
    v4 = IN6_IS_ADDR_V4MAPPED(&address->v6.sin6_addr);
  } else {
    return false;
  }
  memcpy(end->bytes + 16, &port, 2);
  inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? end->bytes + 12 : end->bytes, host, sizeof host);
  snprintf(text, PEER_TEXT, v4 ? "%s:%u" : "[%s]:%u", host, ntohs(port));
  return true;
}

static bool find_tcp(const union address *local, const union address *remote, struct peers *peers) {
  struct end here;
  struct end there;
  if (!tcp_end(local, &here, peers->local) || !tcp_end(remote, &there, peers->remote)) {
    return false;
  }
  peers->out = stream(&here, &there, sizeof here);
  peers->in = stream(&there, &here, sizeof here);
  return true;
}

static uint32_t peer_in(const uint8_t *answer, size_t size) {
  const struct nlmsghdr *head = (const void *) answer;
  if (size < NLMSG_LENGTH(sizeof(struct unix_diag_msg)) || head->nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    return 0;
  }
  size_t at = NLMSG_LENGTH(sizeof(struct unix_diag_msg));
  while (at + sizeof(struct nlattr) <= size) {
    struct nlattr attribute;
    memcpy(&attribute, answer + at, sizeof attribute);
    if (attribute.nla_type == UNIX_DIAG_PEER && at + NLA_HDRLEN + 4 <= size) {
      uint32_t peer;
      memcpy(&peer, answer + at + NLA_HDRLEN, sizeof peer);
      return peer;
    }
    at += attribute.nla_len < NLA_HDRLEN ? size : NLA_ALIGN(attribute.nla_len);
  }
  return 0;
}

/* The number of the socket at the other end of the one with a number; 0 if the kernel does not know or say it, or if
 * the connection has not been accepted. */
static uint32_t peer_of(uint32_t socket_number) {
  struct {
    struct nlmsghdr head;
    struct unix_diag_req wanted;
  } question = {
      {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
      {.sdiag_family = AF_UNIX,
          .udiag_states = UINT32_MAX,
          .udiag_ino = socket_number,
          .udiag_show = UDIAG_SHOW_PEER,
          .udiag_cookie = {UINT32_MAX, UINT32_MAX}},
  };
  /* No functions of the C library, which may be replaced by those that record what goes through sockets. */
  long kernel = syscall(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) {
    return 0;
  }
  uint8_t answer[1024] __attribute__((aligned(8)));
  long size = -1;
  if (syscall(SYS_sendto, kernel, &question, sizeof question, 0, NULL, 0) == (long) sizeof question) {
    size = syscall(SYS_recvfrom, kernel, answer, sizeof answer, 0, NULL, NULL);
  }
  syscall(SYS_close, kernel);
  return size < 0 ? 0 : peer_in(answer, (size_t) size);
}

/* Takes the socket's path; false if it has none. */
static bool unix_name(const union address *address, socklen_t size, uint32_t socket_number, char *text) {
  size_t begin = offsetof(struct sockaddr_un, sun_path);
  if (size <= begin) {
    snprintf(text, PEER_TEXT, "unix:%u", socket_number);
    return false;
  }
  const char *path = address->unix_.sun_path;
  bool is_abstract = path[0] == 0;
  snprintf(text, PEER_TEXT, "%s%.*s", is_abstract ? "@" : "", (int) (size - begin - is_abstract), path + is_abstract);
  return true;
}

/* Both ends know the number of the socket that connected. Of a pair that is the smaller one. */
static bool find_unix(int descriptor, const union address *local, socklen_t local_size, const union address *remote,
    socklen_t remote_size, struct peers *peers) {
  struct stat about;
  if (fstat(descriptor, &about) != 0) {
    return false;
  }
  uint32_t mine = (uint32_t) about.st_ino;
  uint32_t other = peer_of(mine);
  bool named_here = unix_name(local, local_size, mine, peers->local);
  bool named_there = unix_name(remote, remote_size, other, peers->remote);
  if ((named_here && named_there) || (!(named_there && !named_here) && other == 0)) {
    return false;
  }
  bool connected = named_there || (!named_here && mine < other);
  uint32_t number = connected ? mine : other;
  uint64_t there = stream(&(uint32_t) {1}, &number, sizeof number);
  uint64_t back = stream(&(uint32_t) {2}, &number, sizeof number);
  peers->out = connected ? there : back;
  peers->in = connected ? back : there;
  return true;
}

static bool find(int descriptor, struct peers *peers) {
  int type = 0;
  socklen_t size = sizeof type;
  union address local;
  union address remote;
  socklen_t local_size = sizeof local;
  socklen_t remote_size = sizeof remote;
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM
      || getsockname(descriptor, &local.any, &local_size) != 0
      || getpeername(descriptor, &remote.any, &remote_size) != 0) {
    return false;
  }
  return local.any.sa_family == AF_UNIX
      ? find_unix(descriptor, &local, local_size, &remote, remote_size, peers)
      : find_tcp(&local, &remote, peers);
}

bool ky_peers_find(int descriptor, struct peers *peers) {
  int error = errno;
  bool found = find(descriptor, peers);
  errno = error;
  return found;
}
