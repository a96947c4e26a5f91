/* Uses the thread library, and says on standard output how often. The first argument says what to do. */
#define _GNU_SOURCE
#include <errno.h>
#include <kymo.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spinlock;
static sem_t semaphore;
static long number;
static volatile int flag;

static void check(int result) {
  if (result != 0) {
    fprintf(stderr, "unexpected: %s\n", strerror(result));
    abort();
  }
}

static struct timespec soon(clockid_t clock, long millis) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += millis / 1000;
  time.tv_nsec += millis % 1000 * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void pause_millis(long millis) {
  struct timespec time = {millis / 1000, millis % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static pthread_t start(void *(*run)(void *), void *argument) {
  pthread_t thread;
  check(pthread_create(&thread, NULL, run, argument));
  return thread;
}

static void nothing(void) {}

/* Every operation `number` times, without anybody else. */
static void each(void) {
  struct timespec later = soon(CLOCK_REALTIME, 60000);
  struct timespec later_too = soon(CLOCK_MONOTONIC, 60000);
  for (long i = 0; i < number; i++) {
    check(pthread_mutex_lock(&mutex));
    check(pthread_mutex_unlock(&mutex));
    check(pthread_mutex_trylock(&mutex));
    check(pthread_mutex_unlock(&mutex));
    check(pthread_mutex_timedlock(&mutex, &later));
    check(pthread_mutex_unlock(&mutex));
    check(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &later_too));
    check(pthread_mutex_unlock(&mutex));
    check(pthread_rwlock_rdlock(&rwlock));
    check(pthread_rwlock_tryrdlock(&rwlock));
    check(pthread_rwlock_timedrdlock(&rwlock, &later));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_rwlock_wrlock(&rwlock));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_rwlock_trywrlock(&rwlock));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_rwlock_timedwrlock(&rwlock, &later));
    check(pthread_rwlock_unlock(&rwlock));
    check(pthread_spin_lock(&spinlock));
    check(pthread_spin_unlock(&spinlock));
    check(pthread_spin_trylock(&spinlock));
    check(pthread_spin_unlock(&spinlock));
    check(sem_post(&semaphore));
    check(sem_post(&semaphore));
    check(sem_post(&semaphore));
    check(sem_wait(&semaphore));
    check(sem_trywait(&semaphore));
    check(sem_timedwait(&semaphore, &later));
    check(pthread_cond_signal(&condition));
    check(pthread_cond_broadcast(&condition));
    check(pthread_once(&once, nothing));
    pthread_barrier_wait(&barrier);
  }
}

static void *exits(void *value) {
  pthread_exit(value);
}

static void *returns(void *value) {
  check(pthread_mutex_lock(&mutex));
  check(pthread_mutex_unlock(&mutex));
  return value;
}

static void *sleeps(void *unused) {
  for (;;) {
    pause();
  }
  return unused;
}

static void many(void) {
  for (long i = 0; i < number; i++) {
    void *result;
    check(pthread_join(start(returns, (void *) i), &result));
    check(result != (void *) i);
    check(pthread_join(start(exits, (void *) i), &result));
    check(result != (void *) i);
    pthread_t asleep = start(sleeps, NULL);
    check(pthread_cancel(asleep));
    check(pthread_join(asleep, &result));
    check(result != PTHREAD_CANCELED);
  }
  pthread_t detached = start(returns, NULL);
  check(pthread_detach(detached));
}

/* The thread that waits is about to. */
static volatile pid_t waiter;

static void announce(const char *name) {
  check(pthread_setname_np(pthread_self(), name));
  waiter = gettid();
}

/* Until a thread sleeps. */
static void await_sleep(pid_t tid) {
  char file[64];
  char state = 0;
  snprintf(file, sizeof file, "/proc/self/task/%d/stat", tid);
  while (state != 'S') {
    FILE *stat = fopen(file, "r");
    if (stat == NULL || fscanf(stat, "%*d %*s %c", &state) != 1) {
      abort();
    }
    fclose(stat);
    sched_yield();
  }
}

static void await_waiter(void) {
  while (waiter == 0) {
    sched_yield();
  }
  await_sleep(waiter);
  waiter = 0;
}

static void *waits(void *what) {
  announce("waiter");
  switch ((intptr_t) what) {
    case 0:
      check(pthread_mutex_lock(&mutex));
      check(pthread_mutex_unlock(&mutex));
      break;
    case 1:
      check(pthread_rwlock_rdlock(&rwlock));
      check(pthread_rwlock_unlock(&rwlock));
      break;
    case 2:
      check(pthread_spin_lock(&spinlock));
      check(pthread_spin_unlock(&spinlock));
      break;
    case 3:
      check(pthread_mutex_lock(&mutex));
      while (!flag) {
        check(pthread_cond_wait(&condition, &mutex));
      }
      check(pthread_mutex_unlock(&mutex));
      break;
    case 4: check(sem_wait(&semaphore)); break;
    case 5: pthread_barrier_wait(&barrier); break;
    default: await_sleep(getpid());
  }
  return NULL;
}

static void takes_long(void) {
  flag = 1;
  await_sleep(getpid());
}

static void *does_once(void *unused) {
  announce("waiter");
  check(pthread_once(&once, takes_long));
  return unused;
}

static void contended_locks(void) {
  check(pthread_mutex_lock(&mutex));
  pthread_t thread = start(waits, (void *) 0);
  await_waiter();
  check(pthread_mutex_unlock(&mutex));
  check(pthread_join(thread, NULL));
  check(pthread_rwlock_wrlock(&rwlock));
  thread = start(waits, (void *) 1);
  await_waiter();
  check(pthread_rwlock_unlock(&rwlock));
  check(pthread_join(thread, NULL));
  check(pthread_spin_lock(&spinlock));
  thread = start(waits, (void *) 2);
  while (waiter == 0) {
    sched_yield();
  }
  pause_millis(50); /* nobody can see that it spins */
  waiter = 0;
  check(pthread_spin_unlock(&spinlock));
  check(pthread_join(thread, NULL));
}

/* Another thread has to wait for each of them; who lets it go on is the first thread. */
static void contended(void) {
  kymo_name(&mutex, "the mutex");
  contended_locks();
  pthread_t thread = start(waits, (void *) 3);
  await_waiter();
  check(pthread_mutex_lock(&mutex));
  flag = 1;
  check(pthread_cond_signal(&condition));
  check(pthread_mutex_unlock(&mutex));
  check(pthread_join(thread, NULL));
  thread = start(waits, (void *) 4);
  await_waiter();
  check(sem_post(&semaphore));
  check(pthread_join(thread, NULL));
  check(pthread_barrier_destroy(&barrier));
  check(pthread_barrier_init(&barrier, NULL, 2));
  thread = start(waits, (void *) 5);
  await_waiter();
  pthread_barrier_wait(&barrier);
  check(pthread_join(thread, NULL));
  check(pthread_join(start(waits, (void *) 6), NULL));
  flag = 0;
  thread = start(does_once, NULL);
  while (!flag) {
    sched_yield();
  }
  check(pthread_once(&once, takes_long));
  check(pthread_join(thread, NULL));
}

static void unlock(void *unused) {
  (void) unused;
  check(pthread_mutex_unlock(&mutex));
}

static void *waits_for_ever(void *what) {
  announce("cancelled");
  switch ((intptr_t) what) {
    case 0:
      check(pthread_mutex_lock(&mutex));
      pthread_cleanup_push(unlock, NULL);
      for (;;) {
        pthread_cond_wait(&condition, &mutex);
      }
      pthread_cleanup_pop(0);
      break;
    case 1: sem_wait(&semaphore); break;
    default: pthread_join((pthread_t) what, NULL);
  }
  return NULL;
}

static void cancel(void *what) {
  void *result;
  pthread_t thread = start(waits_for_ever, what);
  await_waiter();
  check(pthread_cancel(thread));
  check(pthread_join(thread, &result));
  check(result != PTHREAD_CANCELED);
}

static void cancels(void) {
  for (long i = 0; i < number; i++) {
    cancel((void *) 0);
    check(pthread_mutex_lock(&mutex)); /* the thread had it again, and gave it back */
    check(pthread_mutex_unlock(&mutex));
    cancel((void *) 1);
    pthread_t asleep = start(sleeps, NULL);
    cancel((void *) asleep);
    check(pthread_cancel(asleep));
    check(pthread_join(asleep, NULL));
  }
}

static void *locks(void *unused) {
  for (long i = 0; i < number; i++) {
    check(pthread_mutex_lock(&mutex));
    flag++;
    check(pthread_mutex_unlock(&mutex));
  }
  return unused;
}

static void together(void) {
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) {
    threads[i] = start(locks, NULL);
  }
  for (int i = 0; i < 8; i++) {
    check(pthread_join(threads[i], NULL));
  }
  check(flag != 8 * number);
}

static void forks(void) {
  check(pthread_mutex_lock(&mutex));
  pid_t child = fork();
  if (child == 0) {
    check(pthread_mutex_unlock(&mutex)); /* held since before it was made */
    together();
    exit(0);
  }
  check(pthread_mutex_unlock(&mutex));
  int status;
  waitpid(child, &status, 0);
  check(status);
  if (vfork() == 0) {
    execl("/bin/true", "true", (char *) NULL);
    _exit(1);
  }
  waitpid(-1, &status, 0);
  check(status);
}

static volatile long handled;

/* Only what a handler may do. */
static void handle(int signal) {
  (void) signal;
  int error = errno;
  sem_post(&semaphore);
  sem_trywait(&semaphore);
  sem_post(&semaphore);
  handled++;
  errno = error;
}

static void signals(void) {
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, NULL);
  long locks_taken = 0;
  while (handled < number) {
    check(pthread_mutex_lock(&mutex));
    check(pthread_mutex_unlock(&mutex));
    if (++locks_taken % 1000 == 0 && sem_wait(&semaphore) != 0) {
      check(errno == EINTR ? 0 : errno);
    }
  }
  often = (struct itimerval) {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  printf("locks=%ld handled=%ld\n", locks_taken, handled);
}

/* Ten thousand of them, with stacks as small as may be. */
static void shorts(void) {
  pthread_attr_t small;
  pthread_t threads[10];
  pthread_attr_init(&small);
  check(pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN));
  for (long i = 0; i < number; i++) {
    for (int j = 0; j < 10; j++) {
      check(pthread_create(&threads[j], &small, returns, NULL));
    }
    for (int j = 0; j < 10; j++) {
      check(pthread_join(threads[j], NULL));
    }
  }
}

static pthread_key_t key;

static void destructor(void *unused) {
  (void) unused;
  check(pthread_mutex_lock(&mutex));
  check(pthread_mutex_unlock(&mutex));
}

static void *has_destructor(void *unused) {
  check(pthread_setspecific(key, &key));
  return unused;
}

static void destructors(void) {
  check(pthread_key_create(&key, destructor));
  for (long i = 0; i < number; i++) {
    check(pthread_join(start(has_destructor, NULL), NULL));
  }
}

/* The first thread ends before the others do. */
static void first(void) {
  pthread_t thread = start(locks, NULL);
  check(pthread_detach(thread));
  pthread_exit(NULL);
}

__attribute__((constructor)) static void early(void) {
  check(pthread_mutex_lock(&mutex));
  check(pthread_mutex_unlock(&mutex));
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "each";
  number = count > 2 ? atol(arguments[2]) : 1;
  check(sem_init(&semaphore, 0, 0));
  check(pthread_spin_init(&spinlock, 0));
  check(pthread_barrier_init(&barrier, NULL, 1));
  struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"each", each}, {"many", many}, {"contended", contended}, {"cancels", cancels},
      {"together", together}, {"forks", forks}, {"destructors", destructors}, {"first", first}, {"signals", signals},
      {"shorts", shorts}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, what) == 0) {
      all[i].run();
    }
  }
  printf("done %s %ld\n", what, number);
  return 3;
}
