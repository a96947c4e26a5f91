#include "orders.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../facts.h"

#define STACK (64 * 1024)

uint32_t ky_order;

static void (*followed)(bool on);

static void *wait_for_orders(void *nothing) {
  for (;;) {
    uint32_t now = atomic_load(&ky_shared->orders);
    if (now == ky_order) {
      syscall(SYS_futex, &ky_shared->orders, FUTEX_WAIT, now, NULL, NULL, 0);
    } else {
      ky_order = now;
      followed(now % 2 == 0);
    }
  }
  return nothing;
}

/* No signal of the program's is to come to this thread. */
void ky_follow_orders(void (*follow)(bool on)) {
  followed = follow;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, wait_for_orders, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool ky_give_last_order(void) {
  bool first = atomic_exchange(&ky_shared->orders, LAST_ORDER) != LAST_ORDER;
  syscall(SYS_futex, &ky_shared->orders, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  return first;
}

bool ky_had_last_order(void) {
  return atomic_load_explicit(&ky_shared->orders, memory_order_relaxed) == LAST_ORDER;
}
