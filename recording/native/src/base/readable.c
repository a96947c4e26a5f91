#include "readable.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

/* The last page that was found to be readable. */
struct known {
  uintptr_t page;
};

/* The kernel reads a set of signals, and then refuses what is to be done with it. */
static bool is_page_readable(struct known *known, uintptr_t address) {
  enum { NO_WAY = 0x7FFF, SET = 8 };
  uintptr_t page = address & ~(uintptr_t) (PAGE - 1);
  if (page == 0) {
    return false;
  }
  if (page != known->page) {
    int error = errno;
    bool good = syscall(SYS_rt_sigprocmask, NO_WAY, page, NULL, SET) == 0 || errno != EFAULT;
    errno = error;
    if (!good) {
      return false;
    }
    known->page = page;
  }
  return true;
}

static bool is_readable(struct known *known, const void *memory, size_t size) {
  uintptr_t begin = (uintptr_t) memory;
  uintptr_t last = begin + size - 1;
  bool good = last >= begin && is_page_readable(known, begin);
  for (uintptr_t page = (begin | (PAGE - 1)) + 1; good && page != 0 && page <= last; page += PAGE) {
    good = is_page_readable(known, page);
  }
  return good;
}

static bool is_text(struct known *known, const char *text) {
  while (is_page_readable(known, (uintptr_t) text)) {
    size_t rest = PAGE - ((uintptr_t) text & (PAGE - 1));
    if (memchr(text, 0, rest) != NULL) {
      return true;
    }
    text += rest;
  }
  return false;
}

bool ky_is_readable(const void *memory, size_t size) {
  struct known known = {0};
  return is_readable(&known, memory, size);
}

bool ky_is_text(const char *text) {
  struct known known = {0};
  return is_text(&known, text);
}

bool ky_is_list(char *const *list) {
  struct known entries = {0};
  struct known texts = {0};
  while (is_readable(&entries, list, sizeof *list)) {
    if (*list == NULL) {
      return true;
    }
    if (!is_text(&texts, *list)) {
      return false;
    }
    list++;
  }
  return false;
}
