/* The first line of a request or of an answer of HTTP/1, where a call writes or reads bytes that begin with one. Nothing
 * of what the bytes say is trusted: they may be anything. */
#ifndef KYMO_HTTP_H
#define KYMO_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Less bytes have no name. */
enum { HTTP_SHORTEST = 12 };

/* Bytes of the longest name: a method, and a path of which each byte may take three, with their lengths. */
enum { HTTP_NAME = 2 + 7 + 2 + 3 * 1000 };

struct http_line {
  const uint8_t *bytes; /* NULL: there is none */
  uint16_t method; /* its length, of a request; 0: an answer */
  uint16_t path; /* where it begins */
  uint16_t end; /* where it ends, without its query */
  uint16_t status; /* of an answer */
  bool more; /* another one begins in the same bytes, after its head */
};

/* Whether bytes may begin with a line; there are at least HTTP_SHORTEST. */
static inline bool http_may_begin(const void *bytes) {
  uint32_t first;
  __builtin_memcpy(&first, bytes, sizeof first);
  switch (first) {
    case 0x50545448: /* HTTP */
    case 0x20544547: /* GET */
    case 0x20545550: /* PUT */
    case 0x54534F50: /* POST */
    case 0x44414548: /* HEAD */
    case 0x454C4544: /* DELETE */
    case 0x43544150: /* PATCH */
    case 0x43415254: /* TRACE */
    case 0x4954504F: /* OPTIONS */
    case 0x4E4E4F43: /* CONNECT */
      return true;
    default:
      return false;
  }
}

/* The line that bytes begin with. */
struct http_line ky_http_line(const void *bytes, size_t length);

/* Whether an answer is the last one to its request. */
static inline bool http_is_final(const struct http_line *answer) {
  return answer->status >= 200 || answer->status == 101;
}

/* Puts method and path of a request, each after its length; returns how many bytes these are, at most HTTP_NAME. */
size_t ky_http_put(const struct http_line *request, uint8_t *to);

#endif
