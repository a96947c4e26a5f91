#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "guest.h"
#include "unfollowed.h"

enum { LARGEST = 64 * 1024 };


static const char *const BLANKS = " \t\f";

/* Appends a character as UTF-8; surrogates stay separate. */
static char *utf8(char *to, unsigned c) {
  if (c < 0x80) {
    *to++ = (char) c;
  } else if (c < 0x800) {
    *to++ = (char) (0xC0 | c >> 6);
    *to++ = (char) (0x80 | (c & 0x3F));
  } else {
    *to++ = (char) (0xE0 | c >> 12);
    *to++ = (char) (0x80 | (c >> 6 & 0x3F));
    *to++ = (char) (0x80 | (c & 0x3F));
  }
  return to;
}

/* Copies what follows a backslash; returns where the rest begins. */
static const char *escape(const char *from, char **to) {
  static const char letters[] = "ntrf";
  static const char meanings[] = "\n\t\r\f";
  if (*from == 'u') {
    char digits[5] = "";
    strncpy(digits, from + 1, 4);
    *to = utf8(*to, (unsigned) strtoul(digits, NULL, 16));
    return from + 1 + strlen(digits);
  }
  if (*from == '\r' || *from == '\n') { /* the line continues */
    from += from[0] == '\r' && from[1] == '\n' ? 2 : 1;
    return from + strspn(from, BLANKS);
  }
  if (*from == 0) {
    return from;
  }
  const char *letter = strchr(letters, *from);
  *(*to)++ = letter == NULL ? *from : meanings[letter - letters];
  return from + 1;
}

/* Copies a key or value up to one of the ends; returns where that is. Characters that do not fit are left out. */
static const char *part(const char *from, char *to, size_t size, const char *ends) {
  const char *const full = to + size - 4; /* a character has at most 3 bytes */
  while (*from != 0 && strchr(ends, *from) == NULL) {
    char left_out[4];
    char *unused = left_out;
    char **next = to < full ? &to : &unused;
    if (*from == '\\') {
      from = escape(from + 1, next);
    } else {
      *(*next)++ = *from++;
    }
  }
  *to = 0;
  return from;
}

static bool copy(char *to, size_t size, const char *value) {
  if (strlen(value) >= size) {
    return false;
  }
  strcpy(to, value);
  return true;
}

static bool uuid(struct session *session, const char *value) {
  int digits = 0;
  for (; *value != 0; value++) {
    const char *hex = "0123456789abcdef";
    const char *digit = strchr(hex, *value);
    if (digit != NULL && digits < 32) {
      uint8_t *byte = &session->uuid[digits / 2];
      *byte = (uint8_t) (*byte << 4 | (uint8_t) (digit - hex));
      digits++;
    } else if (*value != '-') {
      return false;
    }
  }
  return digits == 32;
}

static bool set_clock(struct session *session, const char *value) {
#if defined(COUNTER)
  session->tsc = strcmp(value, COUNTER) == 0;
#endif
  bool known = session->tsc || strcmp(value, "monotonic") == 0;
  if (!known && (strcmp(value, "tsc") == 0 || strcmp(value, "cntvct") == 0)) {
    ky_say("this processor does not have the clock of the recording: clock=%.20s; record with --clock monotonic", value);
  }
  return known;
}

static bool set(struct session *session, const char *key, const char *value) {
  if (strcmp(key, "uuid") == 0) {
    return uuid(session, value);
  }
  if (strcmp(key, "clock") == 0) {
    return set_clock(session, value);
  }
  if (strcmp(key, "bufferSize") == 0) {
    session->buffer_size = (uint32_t) strtoul(value, NULL, 10);
    return session->buffer_size != 0;
  }
  if (strcmp(key, "whenFull") == 0) {
    session->when_full = (uint32_t) strtoul(value, NULL, 10);
    return session->when_full <= 2;
  }
  if (strcmp(key, "recording") == 0) {
    return copy(session->recording, sizeof session->recording, value);
  }
  if (strcmp(key, "disabled") == 0) {
    return copy(session->disabled, sizeof session->disabled, value);
  }
  if (strcmp(key, "startOn") == 0) {
    return copy(session->start_on, sizeof session->start_on, value);
  }
  if (strcmp(key, "stopOn") == 0) {
    return copy(session->stop_on, sizeof session->stop_on, value);
  }
  if (strcmp(key, "snapshotOn") == 0) {
    return copy(session->snapshot_on, sizeof session->snapshot_on, value);
  }
  if (strcmp(key, "kernel") == 0) {
    session->kernel = strcmp(value, "true") == 0;
  }
  if (strcmp(key, "budget") == 0) {
    session->budget = (double) strtoul(value, NULL, 10) / 1e6;
  }
  if (strcmp(key, "nanos") == 0) {
    session->nanos = strtoull(value, NULL, 10);
  }
  if (strcmp(key, "include") == 0) {
    return copy(session->include, sizeof session->include, value);
  }
  if (strcmp(key, "exclude") == 0) {
    return copy(session->exclude, sizeof session->exclude, value);
  }
  return true; /* other keys are for Java programs */
}

static bool parse(struct session *session, const char *text) {
  static char value[LARGEST];
  const char *from = text;
  while (*(from += strspn(from, " \t\f\r\n")) != 0) {
    if (*from == '#' || *from == '!') {
      from += strcspn(from, "\r\n");
      continue;
    }
    char key[32] = "";
    from = part(from, key, sizeof key, "=: \t\f\r\n");
    from += strspn(from, BLANKS);
    from += *from == '=' || *from == ':';
    from += strspn(from, BLANKS);
    from = part(from, value, sizeof value, "\r\n");
    if (!set(session, key, value)) {
      ky_say("the recording's session cannot be understood: %s=%s; is this library of another version?",
          key, value);
      return false;
    }
  }
  return session->buffer_size != 0;
}

bool ky_session_load(struct session *session, const char *directory) {
  static char text[LARGEST];
  size_t size = strlen(directory) + 16; /* a thread's stack may be small */
  char file[size];
  if (!copy(session->directory, sizeof session->directory, directory)) {
    return false;
  }
  snprintf(file, size, "%s/session", directory);
  ptrdiff_t length = ky_read(file, text, sizeof text);
  if (length < 0 && (errno == EACCES || errno == EPERM)) {
    ky_unfollowed(directory, (long) getpid(), "it runs as another user", NULL);
  } else if (length < 0 && errno != ENOENT && errno != ENOTDIR) { /* ENOENT, ENOTDIR: the session is over */
    ky_say("this process is not recorded, its session cannot be read: file=%s error=%s", file,
        strerror(errno));
  }
  return length >= 0 && parse(session, text);
}
