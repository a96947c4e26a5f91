/* Every way to make a thread and to leave it. */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>

#include "cases.h"

static void *count_calls(void *number) {
  return (void *) (intptr_t) calls((int) (intptr_t) number);
}

static int join(pthread_t thread) {
  void *result = NULL;
  return pthread_join(thread, &result) == 0 ? (int) (intptr_t) result : -1;
}

CASE(two_hundred_at_once) {
  pthread_t threads[200];
  int sum = 0;
  for (int i = 0; i < 200; i++) {
    pthread_create(threads + i, NULL, count_calls, (void *) (intptr_t) i);
  }
  for (int i = 0; i < 200; i++) {
    sum += join(threads[i]);
  }
  say("%d\n", sum);
  return 0;
}

CASE(one_after_the_other) {
  int sum = 0;
  for (int i = 0; i < 300; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, count_calls, (void *) 3);
    sum += join(thread);
  }
  say("%d\n", sum);
  return 0;
}

CASE(with_the_smallest_stack) {
  pthread_attr_t small;
  pthread_t thread;
  pthread_attr_init(&small);
  say("%d\n", pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN));
  say("%d\n", pthread_create(&thread, &small, count_calls, (void *) 9));
  return join(thread);
}

CASE(with_a_stack_of_its_own) {
  static char stack[64 * 1024] __attribute__((aligned(4096)));
  pthread_attr_t own;
  pthread_t thread;
  pthread_attr_init(&own);
  pthread_attr_setstack(&own, stack, sizeof stack);
  pthread_create(&thread, &own, count_calls, (void *) 9);
  return join(thread);
}

static sem_t done;

static void *post(void *unused) {
  calls(10);
  sem_post(&done);
  return unused;
}

CASE(detached) {
  pthread_attr_t detached;
  pthread_t thread;
  sem_init(&done, 0, 0);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &detached, post, NULL);
  sem_wait(&done);
  pthread_create(&thread, NULL, post, NULL);
  pthread_detach(thread);
  sem_wait(&done);
  return calls(2);
}

static void clean(void *text) {
  say("%s %d\n", (char *) text, calls(3));
}

static void *wait_for_ever(void *unused) {
  pthread_cleanup_push(clean, "outer");
  pthread_cleanup_push(clean, "inner");
  calls(10);
  sem_post(&done);
  for (;;) {
    pause();
  }
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

CASE(cancelled) {
  pthread_t thread;
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  sem_wait(&done);
  pthread_cancel(thread);
  say("%d\n", join(thread) == (int) (intptr_t) PTHREAD_CANCELED);
  return 0;
}

static __attribute__((no_instrument_function)) void *run_for_ever(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&done);
  for (volatile int going = 1; going;) {
  }
  return unused;
}

CASE(cancelled_at_once) {
  pthread_t thread;
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, run_for_ever, NULL);
  sem_wait(&done);
  pthread_cancel(thread);
  say("%d\n", join(thread) == (int) (intptr_t) PTHREAD_CANCELED);
  return calls(1);
}

static void *cannot_be_cancelled(void *unused) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  sem_post(&done);
  sem_wait((sem_t *) unused);
  calls(100);
  pthread_testcancel();
  say("still here %d\n", before);
  pthread_setcancelstate(before, NULL);
  pthread_testcancel();
  say("not here\n");
  return unused;
}

CASE(not_to_be_cancelled) {
  pthread_t thread;
  sem_t go;
  sem_init(&done, 0, 0);
  sem_init(&go, 0, 0);
  pthread_create(&thread, NULL, cannot_be_cancelled, &go);
  sem_wait(&done);
  pthread_cancel(thread);
  sem_post(&go);
  return join(thread) == (int) (intptr_t) PTHREAD_CANCELED ? 2 : 1;
}

static void *leave(void *unused) {
  pthread_cleanup_push(clean, "left");
  pthread_exit((void *) 6);
  pthread_cleanup_pop(0);
  return unused;
}

CASE(left_from_within) {
  pthread_t thread;
  pthread_create(&thread, NULL, leave, NULL);
  return join(thread);
}

static pthread_key_t keys[3];

static void key_ends(void *round) {
  intptr_t number = (intptr_t) round;
  say("round %d %d\n", (int) number, calls(2));
  if (number < 10) {
    pthread_setspecific(keys[0], (void *) (number + 1));
  }
}

static void *use_keys(void *unused) {
  pthread_setspecific(keys[0], (void *) 1);
  return unused;
}

CASE(destructors_of_keys) {
  pthread_t thread;
  pthread_key_create(keys, key_ends);
  pthread_create(&thread, NULL, use_keys, NULL);
  join(thread);
  return calls(2);
}

CASE(as_many_keys_as_there_are) {
  pthread_key_t key;
  int count = 0;
  while (pthread_key_create(&key, NULL) == 0) {
    count++;
  }
  say("%d\n", count >= PTHREAD_KEYS_MAX - 8);
  pthread_t thread;
  pthread_create(&thread, NULL, count_calls, (void *) 9);
  return join(thread);
}

static int of_c11(void *number) {
  return calls((int) (intptr_t) number);
}

CASE(of_c11) {
  thrd_t thread;
  mtx_t lock;
  int result;
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
  thrd_create(&thread, of_c11, (void *) 17);
  thrd_join(thread, &result);
  mtx_unlock(&lock);
  return result;
}

static char bare_stack[1 << 16] __attribute__((aligned(16)));
static volatile int bare_done;

/* Has no thread-local memory of its own: it has the one of the thread that made it, and must not use it. */
static __attribute__((no_instrument_function)) int bare(void *unused) {
  (void) unused;
  for (volatile int i = 0; i < 1000; i++) {
  }
  bare_done = 7;
  return 0;
}

CASE(bare_ones_of_the_kernel) {
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID
      | CLONE_PARENT_SETTID;
  static volatile int ended;
  ended = 1;
  tell("clone", clone(bare, bare_stack + sizeof bare_stack, flags, NULL, &ended, NULL, &ended) < 0 ? -1 : 0);
  while (ended != 0) {
    syscall(SYS_futex, &ended, FUTEX_WAIT, ended, NULL, NULL, 0);
  }
  calls(10);
  return bare_done;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *take_turns(void *me) {
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&lock);
    while (turn != (int) (intptr_t) me) {
      pthread_cond_wait(&changed, &lock);
    }
    turn = !turn;
    calls(2);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return me;
}

CASE(taking_turns) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) {
    pthread_create(threads + i, NULL, take_turns, (void *) i);
  }
  return join(threads[0]) + join(threads[1]);
}

static void *die_with_lock(void *robust) {
  pthread_mutex_lock(robust);
  calls(3);
  return NULL;
}

CASE(kinds_of_mutexes) {
  pthread_mutexattr_t kind;
  pthread_mutex_t mutex;
  pthread_t thread;
  struct timespec past = {1, 0};
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &kind);
  say("%s ", strerrorname_np(pthread_mutex_unlock(&mutex)));
  pthread_mutex_lock(&mutex);
  say("%s ", strerrorname_np(pthread_mutex_lock(&mutex)));
  say("%s ", strerrorname_np(pthread_mutex_trylock(&mutex)));
  pthread_mutex_unlock(&mutex);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
  say("%d%d ", pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex));
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &kind);
  pthread_create(&thread, NULL, die_with_lock, &mutex);
  join(thread);
  say("%s ", strerrorname_np(pthread_mutex_lock(&mutex)));
  say("%d\n", pthread_mutex_consistent(&mutex));
  say("%s\n", strerrorname_np(pthread_mutex_timedlock(&mutex, &past)));
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_STALLED);
  pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&mutex, &kind);
  say("%d%d\n", pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
  return calls(1);
}

static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static int serial;

static void only_once(void) {
  say("once %d\n", calls(3));
}

static void *meet(void *unused) {
  pthread_once(&once, only_once);
  pthread_rwlock_rdlock(&readers);
  calls(3);
  pthread_rwlock_unlock(&readers);
  for (int i = 0; i < 20; i++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_rwlock_wrlock(&readers);
      serial++;
      pthread_rwlock_unlock(&readers);
    }
  }
  return unused;
}

CASE(meeting_each_other) {
  pthread_t threads[5];
  pthread_barrier_init(&barrier, NULL, 5);
  for (int i = 0; i < 5; i++) {
    pthread_create(threads + i, NULL, meet, NULL);
  }
  for (int i = 0; i < 5; i++) {
    join(threads[i]);
  }
  return serial;
}

CASE(errors_of_joining) {
  pthread_t thread;
  pthread_t self = pthread_self();
  say("%s\n", strerrorname_np(pthread_join(self, NULL)));
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, post, NULL);
  struct timespec later = {time(NULL) + 1000, 0};
  say("%d\n", pthread_timedjoin_np(thread, NULL, &later));
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  say("%s\n", strerrorname_np(pthread_tryjoin_np(thread, NULL)));
  return calls(2);
}

static void *own_place(void *unused) {
  pthread_attr_t mine;
  size_t size;
  void *begin;
  char here;
  pthread_getattr_np(pthread_self(), &mine);
  pthread_attr_getstack(&mine, &begin, &size);
  say("%zu %d\n", size, &here > (char *) begin && &here < (char *) begin + size);
  return unused;
}

CASE(size_of_stacks) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t size;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &size);
  say("%zu\n", size);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  pthread_create(&thread, &attributes, own_place, NULL);
  join(thread);
  return calls(2);
}

static void *own_name(void *name) {
  char text[16] = "";
  pthread_getname_np(pthread_self(), text, sizeof text);
  say("%s ", text);
  prctl(PR_SET_NAME, name);
  calls(10);
  pthread_getname_np(pthread_self(), text, sizeof text);
  say("%s\n", text);
  return NULL;
}

CASE(names) {
  pthread_t thread;
  pthread_setname_np(pthread_self(), "renamed");
  pthread_create(&thread, NULL, own_name, "worker");
  join(thread);
  own_name("main again");
  return calls(2);
}

static _Thread_local char large[1 << 12];
static _Thread_local int small = 5;

static void *use_own(void *unused) {
  large[calls(1000)] = 3;
  return (void *) (intptr_t) (large[1000] + small++ + (unused != NULL));
}

CASE(much_memory_of_their_own) {
  pthread_t threads[5];
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    pthread_create(threads + i, NULL, use_own, NULL);
  }
  for (int i = 0; i < 5; i++) {
    sum += join(threads[i]);
  }
  return sum;
}

static pthread_t from_constructor;

static __attribute__((constructor)) void early(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "made_by_a_constructor") == 0) {
    pthread_create(&from_constructor, NULL, count_calls, (void *) 18);
  }
}

CASE(made_by_a_constructor) {
  return join(from_constructor);
}

static void late(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count_calls, (void *) 19);
  say("%d\n", join(thread));
}

CASE(made_at_the_end) {
  atexit(late);
  return calls(2);
}

static jmp_buf place;

static void jump(int depth) {
  if (depth == 0) {
    longjmp(place, 3);
  }
  if (calls(1) == 1) {
    jump(depth - 1);
  }
}

static void *jumps(void *unused) {
  int got = setjmp(place);
  if (got == 0) {
    jump(20);
  }
  calls(5);
  return (void *) (intptr_t) (got + (unused != NULL));
}

CASE(jumping_within_it) {
  pthread_t thread;
  pthread_create(&thread, NULL, jumps, NULL);
  return join(thread);
}

static void *of_a_child(void *unused) {
  pid_t child = fork();
  if (child == 0) {
    calls(5);
    pthread_exit(NULL); /* the only thread of its process */
  }
  say_end("child", child);
  return unused;
}

CASE(leaving_a_child) {
  pthread_t thread;
  pthread_create(&thread, NULL, of_a_child, NULL);
  join(thread);
  return calls(2);
}

static void on_user(int signal) {
  say("signal %d\n", signal + calls(1) - 1);
}

static void *await_signal(void *unused) {
  sigset_t none;
  sigemptyset(&none);
  sem_post(&done);
  sigsuspend(&none);
  return unused;
}

CASE(signals_for_one) {
  pthread_t thread;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
  signal(SIGUSR1, on_user);
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, await_signal, NULL);
  sem_wait(&done);
  pthread_kill(thread, SIGUSR1);
  join(thread);
  say("%d\n", pthread_kill(pthread_self(), 0));
  return calls(2);
}

CASE(numbers) {
  say("%d %d\n", gettid() == getpid(), syscall(SYS_tgkill, getpid(), gettid(), 0) == 0);
  return calls(2);
}
