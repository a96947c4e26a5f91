#include "waits.h"

#include <dlfcn.h>
#include <jvmti.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/clock.h"

/* With more than this number nobody seems to take them. */
enum { MOST_KEPT = 500000 };

/* Places for threads that wait now; and how far from its own a thread finds one. Nobody touches what is not used. */
enum { PLACES = 1 << 14, FURTHEST = 128 };

struct wait {
  struct wait *next;
  enum wait_kind kind;
  int64_t thread;
  int64_t begin;
  int64_t end;
  int32_t object;
  int64_t other;
  uint16_t class_length;
  uint16_t name_length;
  char text[];
};

static _Atomic(struct wait *) ended;
static atomic_int kept;
static atomic_uint lost;

static jvmtiEnv *tool;
static jclass thread_class;
static jfieldID thread_number;

/* What Thread.sleep calls; it differs between versions of the JDK, and so does the unit of the time. */
typedef void (*sleep_function)(JNIEnv *, jclass, jlong);
static JNINativeMethod sleep_method;
static sleep_function machine_sleep;

static bool by_counter;
/* A pause begins and ends in one thread of the virtual machine, while no other one does. */
static int64_t pause_begun;

/* When threads have begun to wait: at other places than their own stack, because a virtual thread may go on in another
 * thread of the kernel. Thread 0: the place is free. Only the thread itself takes, changes and frees its places. */
static struct place {
  _Atomic int64_t thread; /* twice its number; one more: it waits for a notification, in which it may also enter */
  _Atomic int64_t begin;
} places[PLACES];

static int64_t now(void) {
  return (int64_t) clock_now(by_counter);
}

static uint16_t length_of(const char *text) {
  size_t length = text ? strlen(text) : 0;
  return length > UINT16_MAX ? UINT16_MAX : (uint16_t) length;
}

static void keep(const struct wait *like, const char *class, const char *name) {
  uint16_t class_length = length_of(class);
  uint16_t name_length = length_of(name);
  struct wait *wait =
      atomic_load(&kept) < MOST_KEPT ? malloc(sizeof *wait + class_length + name_length) : NULL;
  if (!wait) {
    atomic_fetch_add(&lost, 1);
    return;
  }
  *wait = *like;
  wait->class_length = class_length;
  wait->name_length = name_length;
  if (class_length > 0) {
    memcpy(wait->text, class, class_length);
  }
  if (name_length > 0) {
    memcpy(wait->text + class_length, name, name_length);
  }
  atomic_fetch_add(&kept, 1);
  wait->next = atomic_load(&ended);
  while (!atomic_compare_exchange_weak(&ended, &wait->next, wait)) {
  }
}

/* The thread has waited for the object, from then until now. */
static void keep_wait(JNIEnv *env, enum wait_kind kind, int64_t begin, jthread thread, jobject object) {
  struct wait wait = {.kind = kind, .begin = begin, .end = now()};
  jvmtiThreadInfo info = {0};
  char *class = NULL;
  wait.thread = (*env)->GetLongField(env, thread, thread_number);
  jclass type = (*env)->GetObjectClass(env, object);
  if (kind == WAITED_FOR_NOTIFY && (*env)->IsAssignableFrom(env, type, thread_class)) {
    wait.kind = WAITED_FOR_THREAD;
    wait.other = (*env)->GetLongField(env, object, thread_number);
  }
  (*tool)->GetObjectHashCode(tool, object, &wait.object);
  (*tool)->GetClassSignature(tool, type, &class, NULL);
  (*tool)->GetThreadInfo(tool, thread, &info);
  keep(&wait, class, info.name);
  (*tool)->Deallocate(tool, (unsigned char *) class);
  (*tool)->Deallocate(tool, (unsigned char *) info.name);
}

static int64_t waiting(JNIEnv *env, jthread thread, bool for_notify) {
  return 2 * (*env)->GetLongField(env, thread, thread_number) + for_notify;
}

static struct place *first_of(int64_t thread, uint32_t further) {
  uint64_t hash = (uint64_t) thread * 0x9E3779B97F4A7C15u;
  return &places[((hash >> 32) + further) % PLACES];
}

static struct place *place_of(int64_t thread) {
  for (uint32_t i = 0; i < FURTHEST; i++) {
    if (atomic_load(&first_of(thread, i)->thread) == thread) {
      return first_of(thread, i);
    }
  }
  return NULL;
}

static struct place *free_place(int64_t thread) {
  for (uint32_t i = 0; i < FURTHEST; i++) {
    int64_t nobody = 0;
    if (atomic_compare_exchange_strong(&first_of(thread, i)->thread, &nobody, thread)) {
      return first_of(thread, i);
    }
  }
  atomic_fetch_add(&lost, 1);
  return NULL;
}

/* A place that was not left, because nobody was listening then, is used again. */
static void begin_to_wait(int64_t thread) {
  struct place *place = place_of(thread);
  place = place ? place : free_place(thread);
  if (place) {
    atomic_store(&place->begin, now());
  }
}

/* When the thread began to wait; 0 if nobody was listening. */
static int64_t end_to_wait(int64_t thread) {
  struct place *place = place_of(thread);
  int64_t begin = place ? atomic_exchange(&place->begin, 0) : 0;
  if (place) {
    atomic_store(&place->thread, 0);
  }
  return begin;
}

static void JNICALL enters(jvmtiEnv *of, JNIEnv *env, jthread thread, jobject object) {
  (void) of;
  (void) object;
  begin_to_wait(waiting(env, thread, false));
}

static void JNICALL entered(jvmtiEnv *of, JNIEnv *env, jthread thread, jobject object) {
  (void) of;
  int64_t begin = end_to_wait(waiting(env, thread, false));
  if (begin != 0) { /* of a virtual thread that was notified the virtual machine says only this */
    keep_wait(env, WAITED_TO_ENTER, begin, thread, object);
  }
}

static void JNICALL waits(jvmtiEnv *of, JNIEnv *env, jthread thread, jobject object, jlong timeout) {
  (void) of;
  (void) object;
  (void) timeout;
  begin_to_wait(waiting(env, thread, true));
}

static void JNICALL waited(jvmtiEnv *of, JNIEnv *env, jthread thread, jobject object, jboolean timed_out) {
  (void) of;
  (void) timed_out;
  int64_t begin = end_to_wait(waiting(env, thread, true));
  if (begin != 0) {
    keep_wait(env, WAITED_FOR_NOTIFY, begin, thread, object);
  }
}

/* An exception that ends the sleep is passed on. */
static void JNICALL sleep_for(JNIEnv *env, jclass type, jlong time) {
  jthread thread;
  if ((*tool)->GetCurrentThread(tool, &thread) != JVMTI_ERROR_NONE) {
    machine_sleep(env, type, time);
    return;
  }
  struct wait wait = {.kind = SLEPT, .thread = (*env)->GetLongField(env, thread, thread_number), .begin = now()};
  machine_sleep(env, type, time);
  wait.end = now();
  jthrowable thrown = (*env)->ExceptionOccurred(env);
  if (thrown) {
    (*env)->ExceptionClear(env);
  }
  jvmtiThreadInfo info = {0};
  (*tool)->GetThreadInfo(tool, thread, &info);
  keep(&wait, NULL, info.name);
  (*tool)->Deallocate(tool, (unsigned char *) info.name);
  if (thrown) {
    (*env)->Throw(env, thrown);
  }
}

/* Finds the native method behind Thread.sleep, and what the virtual machine does there. */
static void find_sleep(JNIEnv *env) {
  static char *const names[] = {"sleepNanos0", "sleep0", "sleep"};
  static const char *const functions[] = {"JVM_SleepNanos", "JVM_Sleep"};
  union {
    void *found;
    sleep_function function;
  } known = {NULL};
  for (uint32_t i = 0; i < sizeof functions / sizeof *functions && !known.found; i++) {
    known.found = dlsym(RTLD_DEFAULT, functions[i]);
  }
  for (uint32_t i = 0; i < sizeof names / sizeof *names && known.found && !machine_sleep; i++) {
    jboolean native = JNI_FALSE;
    jmethodID method = (*env)->GetStaticMethodID(env, thread_class, names[i], "(J)V");
    (*env)->ExceptionClear(env);
    if (method && (*tool)->IsMethodNative(tool, method, &native) == JVMTI_ERROR_NONE && native) {
      sleep_method = (JNINativeMethod){names[i], "(J)V", (void *) sleep_for};
      machine_sleep = known.function;
    }
  }
}

/* Called by a class of the boot loader, as Thread is: for others the virtual machine prints a warning. */
static void bind_sleep(JNIEnv *env, bool here) {
  if (machine_sleep) {
    JNINativeMethod method = sleep_method;
    union {
      sleep_function function;
      void *pointer;
    } own = {machine_sleep};
    method.fnPtr = here ? (void *) sleep_for : own.pointer;
    (*env)->RegisterNatives(env, thread_class, &method, 1);
    (*env)->ExceptionClear(env);
  }
}

/* No function of the tool interface may be called in a pause. */
static void JNICALL pause_begins(jvmtiEnv *of) {
  (void) of;
  pause_begun = now();
}

static void JNICALL pause_ends(jvmtiEnv *of) {
  (void) of;
  if (pause_begun != 0) {
    struct wait pause = {.kind = PAUSED, .begin = pause_begun, .end = now()};
    pause_begun = 0;
    keep(&pause, NULL, NULL);
  }
}

static void listen(bool on, jvmtiEvent event) {
  (*tool)->SetEventNotificationMode(tool, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL);
}

static void listen_to(bool monitors, bool pauses) {
  listen(monitors, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
  listen(monitors, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
  listen(monitors, JVMTI_EVENT_MONITOR_WAIT);
  listen(monitors, JVMTI_EVENT_MONITOR_WAITED);
  listen(pauses, JVMTI_EVENT_GARBAGE_COLLECTION_START);
  listen(pauses, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static bool open_tool(JNIEnv *env) {
  static const jvmtiEventCallbacks callbacks = {
      .MonitorContendedEnter = enters,
      .MonitorContendedEntered = entered,
      .MonitorWait = waits,
      .MonitorWaited = waited,
      .GarbageCollectionStart = pause_begins,
      .GarbageCollectionFinish = pause_ends,
  };
  JavaVM *machine;
  jvmtiEnv *made;
  if ((*env)->GetJavaVM(env, &machine) != JNI_OK
      || (*machine)->GetEnv(machine, (void **) &made, JVMTI_VERSION_1_2) != JNI_OK) {
    return false;
  }
  jvmtiCapabilities wanted = {.can_generate_monitor_events = 1, .can_generate_garbage_collection_events = 1};
  jclass type = (*env)->FindClass(env, "java/lang/Thread");
  thread_number = type ? (*env)->GetFieldID(env, type, "tid", "J") : NULL;
  thread_class = thread_number ? (*env)->NewGlobalRef(env, type) : NULL;
  bool done = thread_class && (*made)->AddCapabilities(made, &wanted) == JVMTI_ERROR_NONE
              && (*made)->SetEventCallbacks(made, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE;
  if (!done) {
    (*env)->ExceptionClear(env);
    (*made)->DisposeEnvironment(made);
    return false;
  }
  tool = made;
  find_sleep(env);
  return true;
}

bool waits_begin(JNIEnv *env, bool monitors, bool pauses, bool counter) {
  by_counter = counter;
  if (!tool && !open_tool(env)) {
    return false;
  }
  struct output forgotten = {0};
  waits_take(&forgotten); /* of a recording before this one */
  output_close(&forgotten);
  for (uint32_t i = 0; i < PLACES; i++) {
    atomic_store(&places[i].begin, 0);
    atomic_store(&places[i].thread, 0);
  }
  listen_to(monitors, pauses);
  if (monitors) {
    bind_sleep(env, true);
  }
  return true;
}

void waits_end(JNIEnv *env) {
  if (tool) {
    listen_to(false, false);
    bind_sleep(env, false);
  }
}

static void put8(struct output *out, int64_t value) {
  put4(out, (uint32_t) ((uint64_t) value >> 32));
  put4(out, (uint32_t) value);
}

static void put_wait(struct output *out, const struct wait *wait) {
  put1(out, wait->kind);
  put8(out, wait->thread);
  put8(out, wait->begin);
  put8(out, wait->end);
  put4(out, (uint32_t) wait->object);
  put8(out, wait->other);
  put2(out, wait->class_length);
  put_bytes(out, wait->text, wait->class_length);
  put2(out, wait->name_length);
  put_bytes(out, wait->text + wait->class_length, wait->name_length);
}

void waits_take(struct output *out) {
  struct wait *wait = atomic_exchange(&ended, NULL);
  put4(out, atomic_exchange(&lost, 0));
  while (wait) {
    struct wait *next = wait->next;
    put_wait(out, wait);
    free(wait);
    atomic_fetch_sub(&kept, 1);
    wait = next;
  }
}

void waits_entering(struct output *out) {
  for (uint32_t i = 0; i < PLACES; i++) {
    int64_t begin = atomic_load(&places[i].begin);
    int64_t thread = atomic_load(&places[i].thread);
    if (thread != 0 && thread % 2 == 0 && begin != 0) {
      put8(out, thread / 2);
      put8(out, begin);
    }
  }
}
