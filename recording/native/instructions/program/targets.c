#include "targets.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "own.h"

#define MAX_LINKS 40

bool ky_target_name(char *to, size_t size, int directory, const char *path, uint64_t flags) {
  struct stat file;
  bool known = (flags & ~(uint64_t) (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)) == 0;
  if (!known || (*path == 0 && (flags & AT_EMPTY_PATH) == 0)) {
    return false;
  }
  if ((flags & AT_SYMLINK_NOFOLLOW) != 0 && fstatat(directory, path, &file, AT_SYMLINK_NOFOLLOW) == 0
      && S_ISLNK(file.st_mode)) {
    return false;
  }
  int length = *path == '/' || directory == AT_FDCWD ? snprintf(to, size, "%s", path)
               : *path == 0                          ? snprintf(to, size, "/dev/fd/%d", directory)
                                                     : snprintf(to, size, "/dev/fd/%d/%s", directory, path);
  return *to != 0 && length > 0 && (size_t) length < size;
}

static bool is_same(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static bool is_path_of(const char *path, const struct stat *file) {
  struct stat found;
  return *path == '/' && stat(path, &found) == 0 && is_same(&found, file);
}

static bool is_emulator(const struct stat *file) {
  struct stat own;
  return stat("/proc/self/exe", &own) == 0 && is_same(&own, file);
}

/* Where a path leads if links are followed. */
struct way {
  char path[PATH_MAX];   /* the last link, or the file */
  char folder[PATH_MAX]; /* that it is in */
};

/* The last part of a path; its folder's path goes to the second. */
static const char *cut(const char *path, char *folder) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) {
    strcpy(folder, ".");
    return path;
  }
  size_t length = slash == path ? 1 : (size_t) (slash - path);
  memcpy(folder, path, length);
  folder[length] = 0;
  return slash + 1;
}

/* Follows a path up to a file, or up to /proc, whose links are more than paths. Returns whether it leads there. */
static bool leads_to_proc(struct way *way, const char *name) {
  char folder[PATH_MAX];
  char link[PATH_MAX];
  way->folder[0] = 0;
  snprintf(way->path, sizeof way->path, "%s", name);
  for (int links = 0; links < MAX_LINKS; links++) {
    cut(way->path, folder);
    if (realpath(folder, way->folder) == NULL) {
      return false;
    }
    if (strncmp(way->folder, "/proc/", 6) == 0) {
      return true;
    }
    ssize_t size = readlink(way->path, link, sizeof link - 1);
    if (size < 0) {
      return false;
    }
    link[size] = 0;
    int length = link[0] == '/' ? snprintf(way->path, sizeof way->path, "%s", link)
                                : snprintf(way->path, sizeof way->path, "%s/%s", way->folder, link);
    if (length < 0 || (size_t) length >= sizeof way->path) {
      return false;
    }
  }
  return false;
}

/* The program that QEMU runs in the process whose exe a link is. Descriptors of QEMU's are from such links, too. */
static bool program_of(char *to, size_t size, const struct way *way) {
  char self[32] = "";
  ssize_t length = readlink("/proc/self", self, sizeof self - 1);
  int own = length < 0 ? 0 : atoi(self);
  int process = atoi(way->folder + 6);
  char folder[PATH_MAX];
  bool is_exe = strcmp(cut(way->path, folder), "exe") == 0;
  return !is_exe || process == own ? ky_own_program(to, size) : ky_first_module(to, size, process);
}

static bool starts_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A path that does not lead through the descriptor of a folder, if there is one. */
static bool lasting_path(char *to, size_t size, const char *name, const struct stat *file, const struct way *way) {
  char folder[PATH_MAX];
  if (starts_with(name, "/proc/") || starts_with(name, "/dev/")) {
    int length =
      snprintf(to, size, "%s/%s", strcmp(way->folder, "/") == 0 ? "" : way->folder, cut(way->path, folder));
    if (length > 0 && (size_t) length < size && is_path_of(to, file)) {
      return true;
    }
  }
  return (size_t) snprintf(to, size, "%s", name) < size;
}

static bool find(char *to, size_t size, const char *name, int file) {
  struct stat is;
  struct way way;
  if (fstat(file, &is) != 0) {
    return false;
  }
  if (!leads_to_proc(&way, name)) {
    return lasting_path(to, size, name, &is, &way);
  }
  if (is_emulator(&is)) {
    return program_of(to, size, &way);
  }
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, to, size - 1);
  to[length < 0 ? 0 : length] = 0;
  if (is_path_of(to, &is)) {
    return true;
  }
  int readable = open(link, O_RDONLY | O_CLOEXEC);
  bool copied = readable >= 0 && ky_copy_program(to, size, readable);
  if (readable >= 0) {
    close(readable);
  }
  return copied;
}

bool ky_target_path(char *to, size_t size, const char *name) {
  int file = open(name, O_PATH | O_CLOEXEC);
  bool found = file >= 0 && find(to, size, name, file);
  if (file >= 0) {
    close(file);
  }
  return found;
}
