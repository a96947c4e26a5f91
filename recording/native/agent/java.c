/* The functions that dev.kymo.agent.weave.NativeWeaver and dev.kymo.recorder.platform.AgentLibrary call. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/peers.h"
#include "facts.h"
#include "ring.h"
#include "waits.h"
#include "weave.h"

static const char WEAVER[] = "dev/kymo/agent/weave/NativeWeaver";
static const char LIBRARY[] = "dev/kymo/recorder/platform/AgentLibrary";

/* Until the array is released no Java code may run on this thread, and the garbage collector may have to wait. */
static const uint8_t *bytes_of(JNIEnv *env, jbyteArray array) {
  return (*env)->GetPrimitiveArrayCritical(env, array, NULL);
}

static void release(JNIEnv *env, jbyteArray array, const uint8_t *bytes) {
  (*env)->ReleasePrimitiveArrayCritical(env, array, (void *) bytes, JNI_ABORT);
}

static int32_t *facts_of(const uint8_t *bytes, uint32_t size, uint32_t *count) {
  struct class_file file;
  int32_t *facts = NULL;
  if (class_file_open(&file, bytes, size)) {
    *count = count_facts(&file);
    facts = *count == 0 ? NULL : malloc(*count * sizeof *facts);
    if (facts && !find_facts(&file, facts)) {
      free(facts);
      facts = NULL;
    }
  }
  class_file_close(&file);
  return facts;
}

static jintArray JNICALL find(JNIEnv *env, jclass type, jbyteArray classFile) {
  (void) type;
  uint32_t size = (uint32_t) (*env)->GetArrayLength(env, classFile);
  const uint8_t *bytes = bytes_of(env, classFile);
  if (!bytes) {
    return NULL;
  }
  uint32_t count = 0;
  int32_t *facts = facts_of(bytes, size, &count);
  release(env, classFile, bytes);
  jintArray array = facts ? (*env)->NewIntArray(env, (jsize) count) : NULL;
  if (array) {
    (*env)->SetIntArrayRegion(env, array, 0, (jsize) count, (const jint *) facts);
  }
  free(facts);
  return array;
}

static bool weave_bytes(
    const uint8_t *bytes, uint32_t size, const int32_t *numbers, uint32_t count, struct output *out) {
  struct class_file file;
  bool done = class_file_open(&file, bytes, size) && weave(&file, numbers, count, out);
  class_file_close(&file);
  return done;
}

/* Closes the output. */
static jbyteArray array_of(JNIEnv *env, struct output *out) {
  jbyteArray array = out->bad ? NULL : (*env)->NewByteArray(env, (jsize) out->size);
  if (array) {
    (*env)->SetByteArrayRegion(env, array, 0, (jsize) out->size, (const jbyte *) out->bytes);
  }
  output_close(out);
  return array;
}

static jbyteArray JNICALL weave_class(JNIEnv *env, jclass type, jbyteArray classFile, jintArray methods) {
  (void) type;
  uint32_t size = (uint32_t) (*env)->GetArrayLength(env, classFile);
  uint32_t count = (uint32_t) (*env)->GetArrayLength(env, methods);
  int32_t *numbers = malloc((count + 1) * sizeof *numbers);
  if (!numbers) {
    return NULL;
  }
  (*env)->GetIntArrayRegion(env, methods, 0, (jsize) count, (jint *) numbers);
  const uint8_t *bytes = bytes_of(env, classFile);
  struct output out = {0};
  bool done = bytes && weave_bytes(bytes, size, numbers, count, &out);
  if (bytes) {
    release(env, classFile, bytes);
  }
  free(numbers);
  out.bad |= !done;
  return array_of(env, &out);
}

static jlong JNICALL read_clock(JNIEnv *env, jclass type) {
  (void) env;
  (void) type;
  return ticks();
}

static jlong JNICALL record_word(JNIEnv *env, jclass type, jlong word, jlong thread) {
  (void) env;
  (void) type;
  return record(word, thread);
}

static jlong JNICALL record_words(JNIEnv *env, jclass type, jlong word, jlong thread, jlong argument) {
  (void) env;
  (void) type;
  return record_argument(word, thread, argument);
}

/* The address of a function that Java code calls without JNI, by its number of arguments. */
static jlong JNICALL function(JNIEnv *env, jclass type, jint arguments) {
  (void) env;
  (void) type;
  switch (arguments) {
    case 0:
      return ticks() == 0 ? 0 : (jlong) (uintptr_t) ticks;
    case 2:
      return (jlong) (uintptr_t) record;
    case 3:
      return (jlong) (uintptr_t) record_argument;
    default:
      return 0;
  }
}

static jobject JNICALL new_ring(JNIEnv *env, jclass type) {
  (void) type;
  void *ring = calloc(1, sizeof(struct lent_ring));
  return ring ? (*env)->NewDirectByteBuffer(env, ring, sizeof(struct lent_ring)) : NULL;
}

static void JNICALL free_ring(JNIEnv *env, jclass type, jlong ring) {
  (void) env;
  (void) type;
  free((void *) (uintptr_t) ring);
}

static void JNICALL use(JNIEnv *env, jclass type, jlong ring) {
  (void) env;
  (void) type;
  use_ring((struct lent_ring *) (uintptr_t) ring);
}

static jobject JNICALL map(JNIEnv *env, jclass type, jbyteArray file, jlong size) {
  (void) type;
  jbyte *path = (*env)->GetByteArrayElements(env, file, NULL);
  int open_file = path ? open((const char *) path, O_RDWR | O_CLOEXEC) : -1;
  if (path) {
    (*env)->ReleaseByteArrayElements(env, file, path, JNI_ABORT);
  }
  if (open_file < 0) {
    return NULL;
  }
  void *mapped = mmap(NULL, (size_t) size, PROT_READ | PROT_WRITE, MAP_SHARED, open_file, 0);
  close(open_file);
  return mapped == MAP_FAILED ? NULL : (*env)->NewDirectByteBuffer(env, mapped, size);
}

static jint JNICALL process_id(JNIEnv *env, jclass type) {
  (void) env;
  (void) type;
  return (jint) getpid();
}

static jlong JNICALL address_of(JNIEnv *env, jclass type, jobject mapped) {
  (void) type;
  return (jlong) (uintptr_t) (*env)->GetDirectBufferAddress(env, mapped);
}

static void JNICALL unmap(JNIEnv *env, jclass type, jlong address, jlong size) {
  (void) env;
  (void) type;
  munmap((void *) (uintptr_t) address, (size_t) size);
}

static jbyteArray JNICALL peers_of(JNIEnv *env, jclass type, jint descriptor, jlongArray numbers) {
  (void) type;
  struct peers peers;
  char text[2 * PEER_TEXT + 2];
  if (!ky_peers_find(descriptor, &peers)) {
    return NULL;
  }
  (*env)->SetLongArrayRegion(env, numbers, 0, 2, (const jlong[]) {(jlong) peers.out, (jlong) peers.in});
  int size = snprintf(text, sizeof text, "%s\n%s", peers.local, peers.remote);
  jbyteArray array = (*env)->NewByteArray(env, size);
  if (array) {
    (*env)->SetByteArrayRegion(env, array, 0, size, (const jbyte *) text);
  }
  return array;
}

static jboolean JNICALL begin_waits(JNIEnv *env, jclass type, jboolean monitors, jboolean pauses, jboolean counter) {
  (void) type;
  return waits_begin(env, monitors, pauses, counter);
}

static void JNICALL end_waits(JNIEnv *env, jclass type) {
  (void) type;
  waits_end(env);
}

static jbyteArray JNICALL take_waits(JNIEnv *env, jclass type) {
  (void) type;
  struct output out = {0};
  waits_take(&out);
  return array_of(env, &out);
}

static jbyteArray JNICALL entering(JNIEnv *env, jclass type) {
  (void) type;
  struct output out = {0};
  waits_entering(&out);
  return array_of(env, &out);
}

/* Calls a function of the C library as if it took six numbers: on 64-bit processors further arguments do no harm. */
static jlong JNICALL call(
    JNIEnv *env, jclass type, jbyteArray name, jintArray error, jlong a, jlong b, jlong c, jlong d, jlong e, jlong f) {
  (void) type;
  union {
    void *found;
    int64_t (*function)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
  } known = {NULL};
  jbyte *text = (*env)->GetByteArrayElements(env, name, NULL);
  if (text) {
    known.found = dlsym(RTLD_DEFAULT, (const char *) text);
    (*env)->ReleaseByteArrayElements(env, name, text, JNI_ABORT);
  }
  errno = 0;
  jlong result = known.found ? known.function(a, b, c, d, e, f) : 0;
  jint number = known.found ? errno : -1;
  (*env)->SetIntArrayRegion(env, error, 0, 1, &number);
  return result;
}

/* Binds a class's methods if the class is there: Kymo's own processes have no weaver. */
static bool bind(JNIEnv *env, const char *type, const JNINativeMethod *methods, jint count) {
  jclass found = (*env)->FindClass(env, type);
  if (!found) {
    (*env)->ExceptionClear(env);
    return true;
  }
  return (*env)->RegisterNatives(env, found, methods, count) == JNI_OK;
}

/* Binds the methods here, because Java 24 and later print a warning when they look methods up. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *machine, void *reserved) {
  (void) reserved;
  static const JNINativeMethod weaver[] = {
      {"find", "([B)[I", (void *) find},
      {"weave", "([B[I)[B", (void *) weave_class},
  };
  static const JNINativeMethod library[] = {
      {"readClock", "()J", (void *) read_clock},
      {"record", "(JJ)J", (void *) record_word},
      {"record", "(JJJ)J", (void *) record_words},
      {"function", "(I)J", (void *) function},
      {"newRing", "()Ljava/nio/ByteBuffer;", (void *) new_ring},
      {"freeRing", "(J)V", (void *) free_ring},
      {"use", "(J)V", (void *) use},
      {"map", "([BJ)Ljava/nio/ByteBuffer;", (void *) map},
      {"processId", "()I", (void *) process_id},
      {"address", "(Ljava/nio/ByteBuffer;)J", (void *) address_of},
      {"unmap", "(JJ)V", (void *) unmap},
      {"peers", "(I[J)[B", (void *) peers_of},
      {"begin", "(ZZZ)Z", (void *) begin_waits},
      {"end", "()V", (void *) end_waits},
      {"takeWaits", "()[B", (void *) take_waits},
      {"entering", "()[B", (void *) entering},
      {"call", "([B[IJJJJJJ)J", (void *) call},
  };
  JNIEnv *env;
  if ((*machine)->GetEnv(machine, (void **) &env, JNI_VERSION_1_8) != JNI_OK) {
    return JNI_ERR;
  }
  bool bound = bind(env, WEAVER, weaver, sizeof weaver / sizeof *weaver)
               && bind(env, LIBRARY, library, sizeof library / sizeof *library);
  return bound ? JNI_VERSION_1_8 : JNI_ERR;
}
