#include "http.h"

#include <string.h>

/* At most this many bytes are looked at. */
enum { LOOKED_AT = 2048, LONGEST_PATH = 1000 };

enum { STATUS_AT = 9, STATUS_END = 12, LEAST_STATUS = 100 };

static bool is_at(const uint8_t *bytes, size_t length, size_t at, const char *text) {
  size_t size = strlen(text);
  return at + size <= length && memcmp(bytes + at, text, size) == 0;
}

/* Where a text is; length if it is nowhere. */
static size_t find(const uint8_t *bytes, size_t from, size_t length, const char *text) {
  size_t at = from;
  while (at < length && !is_at(bytes, length, at, text)) {
    at++;
  }
  return at < length ? at : length;
}

static bool is_of_target(uint8_t byte) {
  return byte > ' ' && byte != 0x7F;
}

/* Where another line begins after a head; 0 if none does, as far as can be seen. */
static size_t next_line(const uint8_t *bytes, size_t from, size_t length) {
  size_t next = find(bytes, from, length, "\r\n\r\n") + 4;
  return next + HTTP_SHORTEST <= length && http_may_begin(bytes + next) ? next : 0;
}

static struct http_line answer(const uint8_t *bytes, size_t length) {
  struct http_line line = {0};
  size_t begin = 0;
  /* Of several the last one that is an answer to the same request: 100 Continue comes before. */
  while (is_at(bytes, length, begin, "HTTP/1.") && begin + STATUS_END <= length &&
      bytes[begin + STATUS_AT - 1] == ' ') {
    unsigned status = 0;
    for (size_t i = begin + STATUS_AT; i < begin + STATUS_END; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return line;
      }
      status = status * 10 + (bytes[i] - '0');
    }
    if (status < LEAST_STATUS) {
      return line;
    }
    size_t next = next_line(bytes, begin + STATUS_END, length);
    line = (struct http_line) {.bytes = bytes, .status = (uint16_t) status, .more = next != 0};
    if (next == 0 || http_is_final(&line)) {
      return line;
    }
    begin = next;
  }
  return line;
}

/* Where the path begins in a target; with a host, which a proxy is asked for, after that. */
static size_t path_begin(const uint8_t *bytes, size_t begin, size_t end) {
  size_t host = bytes[begin] == '/' ? end : find(bytes, begin, end, "://");
  if (host == end) {
    return begin;
  }
  for (host += 3; host < end && bytes[host] != '/'; host++) {
  }
  return host;
}

static struct http_line request(const uint8_t *bytes, size_t length) {
  static const char *const methods[] = {
      "GET ", "PUT ", "POST ", "HEAD ", "DELETE ", "PATCH ", "TRACE ", "OPTIONS ", "CONNECT "};
  struct http_line none = {0};
  size_t begin = 0;
  for (size_t i = 0; begin == 0 && i < sizeof methods / sizeof *methods; i++) {
    begin = is_at(bytes, length, 0, methods[i]) ? strlen(methods[i]) : 0;
  }
  if (begin == 0) {
    return none;
  }
  size_t end = begin;
  size_t path_end = 0;
  while (end < length && is_of_target(bytes[end])) {
    if (path_end == 0 && (bytes[end] == '?' || bytes[end] == '#')) {
      path_end = end;
    }
    end++;
  }
  if (end == begin || !(end == LOOKED_AT || is_at(bytes, length, end + 1, "HTTP/1."))) {
    return none;
  }
  path_end = path_end == 0 ? end : path_end;
  return (struct http_line) {
      .bytes = bytes,
      .method = (uint16_t) (begin - 1),
      .path = (uint16_t) path_begin(bytes, begin, path_end),
      .end = (uint16_t) path_end,
      .more = next_line(bytes, end, length) != 0};
}

struct http_line ky_http_line(const void *bytes, size_t length) {
  size_t looked_at = length < LOOKED_AT ? length : LOOKED_AT;
  struct http_line line = request(bytes, looked_at);
  return line.bytes == NULL ? answer(bytes, looked_at) : line;
}

size_t ky_http_put(const struct http_line *request, uint8_t *to) {
  static const char hex[] = "0123456789ABCDEF";
  size_t size = 2 + (size_t) request->method;
  memcpy(to, &request->method, 2);
  memcpy(to + 2, request->bytes, request->method);
  uint8_t *path = to + size;
  size_t end = 2;
  for (size_t i = request->path; i < request->end && i < (size_t) request->path + LONGEST_PATH; i++) {
    uint8_t byte = request->bytes[i];
    if (is_of_target(byte) && byte < 0x80) {
      path[end++] = byte;
    } else {
      /* Also what another thread has changed meanwhile. */
      path[end++] = '%';
      path[end++] = (uint8_t) hex[byte >> 4];
      path[end++] = (uint8_t) hex[byte & 0xF];
    }
  }
  if (request->path == request->end) {
    path[end++] = '/'; /* only the host was named */
  }
  uint16_t length = (uint16_t) (end - 2);
  memcpy(path, &length, 2);
  return size + end;
}
