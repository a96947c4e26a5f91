/* Libraries that are loaded, put before others, and unloaded: the first of them is ./liba.so, see library.c. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include "cases.h"

static char *library(const char *name) {
  static char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  strcpy(strrchr(path, '/') + 1, name);
  return path;
}

static int call(void *handle, const char *name) {
  void *found = dlsym(handle, name);
  int (*function)(void);
  memcpy(&function, &found, sizeof found);
  return found == NULL ? -1 : function();
}

int shared_name(void);

int shared_name(void) {
  return 100 + calls(1);
}

CASE(opened_and_closed) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(handle, "value"));
  say("%d\n", dlclose(handle));
  return calls(2);
}

CASE(opened_twice) {
  void *first = dlopen(library("liba.so"), RTLD_LAZY);
  void *second = dlopen(library("liba.so"), RTLD_NOW | RTLD_NOLOAD);
  say("%d\n", first == second);
  call(first, "count");
  dlclose(first);
  say("%d\n", call(second, "count"));
  dlclose(second);
  second = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(second, "count")); /* begins again */
  return 0;
}

CASE(opened_for_ever) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW | RTLD_NODELETE);
  call(handle, "count");
  dlclose(handle);
  handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(handle, "count"));
  return 0;
}

CASE(names_of_the_program_come_first) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(handle, "asks_for_shared_name"));
  return 0;
}

CASE(names_of_the_library_come_first) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW | RTLD_DEEPBIND);
  say("%d\n", call(handle, "asks_for_shared_name"));
  say("%d\n", call(handle, "makes_thread"));
  say("%d\n", call(handle, "makes_child"));
  return 0;
}

CASE(in_a_name_space_of_its_own) {
  void *one = dlmopen(LM_ID_NEWLM, library("liba.so"), RTLD_NOW);
  if (one == NULL) {
    say("%s\n", dlerror());
    return 1;
  }
  void *other = dlmopen(LM_ID_NEWLM, library("liba.so"), RTLD_NOW);
  say("%d\n", call(one, "count"));
  say("%d\n", call(one, "count"));
  say("%d\n", call(other, "count"));
  say("%d\n", call(one, "makes_child"));
  Lmid_t space;
  say("%d %d\n", dlinfo(one, RTLD_DI_LMID, &space), space != LM_ID_BASE);
  say("%d %d\n", dlclose(other), dlclose(one));
  return calls(2);
}

CASE(threads_in_a_name_space_of_its_own) {
  void *one = dlmopen(LM_ID_NEWLM, library("liba.so"), RTLD_NOW);
  say("%d\n", call(one, "makes_thread"));
  return calls(2);
}

CASE(as_many_name_spaces_as_there_are) {
  int count = 0;
  while (dlmopen(LM_ID_NEWLM, library("liba.so"), RTLD_NOW) != NULL) {
    count++;
  }
  say("%d\n", count);
  return calls(2);
}

CASE(errors) {
  say("%d ", dlopen("/nowhere/lib.so", RTLD_NOW) == NULL);
  say("%s\n", dlerror());
  say("%d ", dlopen("/etc/passwd", RTLD_NOW) == NULL);
  say("%s\n", dlerror());
  void *handle = dlopen(NULL, RTLD_NOW);
  say("%d\n", dlsym(handle, "no such name") == NULL && dlerror() != NULL && dlerror() == NULL);
  return calls(2);
}

static void *opens(void *unused) {
  for (int i = 0; i < 100; i++) {
    void *handle = dlopen((char *) unused, RTLD_NOW | RTLD_LOCAL);
    if (call(handle, "value") != 42 || dlclose(handle) != 0) {
      return NULL;
    }
  }
  return unused;
}

CASE(by_threads) {
  pthread_t threads[4];
  int good = 0;
  char *path = library("liba.so");
  for (int i = 0; i < 4; i++) {
    pthread_create(threads + i, NULL, opens, path);
  }
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(threads[i], &result);
    good += result == path;
  }
  return good;
}

static void start_with(const char *variable, const char *value) {
  if (!again("again")) {
    const char *before = getenv(variable);
    char both[8192];
    snprintf(both, sizeof both, "%s%s%s", value, before == NULL ? "" : ":", before == NULL ? "" : before);
    setenv(variable, strcmp(variable, "LD_PRELOAD") == 0 ? both : value, 1);
    become_again("again");
  }
}

CASE(put_before_others) {
  start_with("LD_PRELOAD", library("liba.so"));
  say("%d\n", call(RTLD_DEFAULT, "value"));
  return calls(2);
}

CASE(put_before_others_alone) {
  if (!again("again")) {
    setenv("LD_PRELOAD", library("liba.so"), 1);
    become_again("again");
  }
  say("%d\n", call(RTLD_DEFAULT, "value"));
  return calls(2);
}

CASE(put_before_others_and_missing) {
  start_with("LD_PRELOAD", "/nowhere/lib.so");
  return calls(2);
}

CASE(bound_at_once) {
  start_with("LD_BIND_NOW", "1");
  return calls(3);
}

CASE(searched_elsewhere) {
  char *path = library("");
  start_with("LD_LIBRARY_PATH", path);
  void *handle = dlopen("liba.so", RTLD_NOW);
  say("%d\n", call(handle, "value"));
  return calls(3);
}

CASE(audited) {
  start_with("LD_AUDIT", library("libaudit.so"));
  say("%d\n", calls(4));
  void *handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(handle, "value"));
  return 0;
}

CASE(chosen_when_loaded) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d\n", call(handle, "chosen"));
  return 0;
}

CASE(memory_of_threads) {
  void *handle = dlopen(library("liba.so"), RTLD_NOW);
  say("%d ", call(handle, "of_this_thread"));
  say("%d ", call(handle, "of_this_thread"));
  say("%d\n", call(handle, "of_another_thread"));
  return 0;
}

CASE(library_that_ends_the_program) {
  setenv("LIBRARY_ENDS", "31", 1);
  dlopen(library("liba.so"), RTLD_NOW);
  return 1;
}

CASE(closed_at_the_end) {
  setenv("LIBRARY_SAYS", "the end\n", 1);
  dlopen(library("liba.so"), RTLD_NOW);
  return calls(3);
}

CASE(names_that_others_have) {
  void *handle = dlopen(library("libnames.so"), RTLD_NOW | RTLD_GLOBAL);
  say("%d\n", call(handle, "names"));
  return calls(3);
}
