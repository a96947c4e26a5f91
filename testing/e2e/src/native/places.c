/* Says where code lies, as recording/native/src/base/modules.c finds it; its arguments are what it is to do. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guest.h"
#include "base/modules.h"

#define APART __attribute__((noinline, noclone, used))

static APART int hidden(int number) {
  __asm__ volatile("");
  return number + 1;
}

APART int shown(int number) {
  __asm__ volatile("");
  return hidden(number) * 2;
}

extern int a(int number) __attribute__((weak, alias("shown")));
extern int longer_name(int number) __attribute__((alias("shown")));

extern void assembler_label(void);
__asm__(".text\n.globl assembler_label\nassembler_label:\n nop\n.Linner:\n nop\n ret\n");

static void say(const char *what, uintptr_t address) {
  struct place place;
  struct guard guard;
  ky_guard_begin(&guard);
  bool found = ky_place_of(address, &place);
  ky_guard_end(&guard);
  if (!found) {
    printf("%s none\n", what);
  } else if (place.symbol == NULL) {
    printf("%s module=%u program=%d path=%s build=%s address=%lx symbol=-\n", what, place.module,
        place.is_program, place.path, place.build_id, place.address);
  } else {
    printf("%s module=%u program=%d path=%s build=%s address=%lx symbol=%s+%lx\n", what, place.module,
        place.is_program, place.path, place.build_id, place.address, place.symbol, place.offset);
  }
}

static void say_own(void) {
  say("shown", (uintptr_t) shown);
  say("hidden", (uintptr_t) hidden);
  say("inside", (uintptr_t) shown + 1);
  say("label", (uintptr_t) assembler_label);
  say("label-inside", (uintptr_t) assembler_label + 1);
  say("library", (uintptr_t) dlsym(RTLD_DEFAULT, "qsort"));
}

static void say_unknown(void) {
  void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  say("anonymous", (uintptr_t) memory);
  say("null", 0);
  say("vdso", getauxval(AT_SYSINFO_EHDR) + 0x600);
}

static void *ask(void *unused) {
  struct place place;
  struct guard guard;
  (void) unused;
  for (int i = 0; i < 20000; i++) {
    ky_guard_begin(&guard);
    ky_place_of((uintptr_t) shown, &place);
    ky_guard_end(&guard);
  }
  return NULL;
}

static void fork_while_asked(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ask, NULL);
  int failed = 0;
  for (int i = 0; i < 200; i++) {
    pid_t child = fork();
    if (child == 0) {
      struct place place;
      bool found = ky_place_of((uintptr_t) shown, &place);
      _exit(found && strcmp(place.symbol, "shown") == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  pthread_join(thread, NULL);
  printf("children failed=%d\n", failed);
}

int main(int count, char **arguments) {
  void *library = NULL;
  if (!ky_modules_init()) {
    return 2;
  }
  for (int i = 1; i < count; i++) {
    const char *what = arguments[i];
    if (strcmp(what, "own") == 0) {
      say_own();
    } else if (strcmp(what, "unknown") == 0) {
      say_unknown();
    } else if (strcmp(what, "fork") == 0) {
      fork_while_asked();
    } else if (strcmp(what, "load") == 0) {
      library = dlopen(arguments[++i], RTLD_NOW);
      if (library == NULL) {
        printf("not loaded: %s\n", dlerror());
        return 1;
      }
    } else if (strcmp(what, "ask") == 0) {
      say("plugged", (uintptr_t) dlsym(library, "plugged"));
    } else if (strcmp(what, "unloading") == 0 || strcmp(what, "unloaded") == 0) {
      struct guard guard;
      ky_guard_begin(&guard);
      (strcmp(what, "unloading") == 0 ? ky_modules_unloading : ky_modules_unloaded)();
      ky_guard_end(&guard);
    } else if (strcmp(what, "unload") == 0) {
      dlclose(library);
    } else if (strcmp(what, "rename") == 0) {
      if (rename(arguments[i + 1], arguments[i + 2]) != 0) {
        return 2;
      }
      i += 2;
    }
  }
  return 0;
}
