/* What dev.kymo.agent.NativeWeaver calls. */
#include <jni.h>
#include <stdlib.h>

#include "facts.h"
#include "weave.h"

static const char WEAVER[] = "dev/kymo/agent/NativeWeaver";

/* Until it is released no Java code may run in this thread, and the garbage collector may wait. */
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
  jbyteArray array = done ? (*env)->NewByteArray(env, (jsize) out.size) : NULL;
  if (array) {
    (*env)->SetByteArrayRegion(env, array, 0, (jsize) out.size, (const jbyte *) out.bytes);
  }
  output_close(&out);
  return array;
}

/* Binds the methods here, because Java 24 and later print a warning when they are looked up. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *machine, void *reserved) {
  (void) reserved;
  static const JNINativeMethod methods[] = {
      {"find", "([B)[I", (void *) find},
      {"weave", "([B[I)[B", (void *) weave_class},
  };
  JNIEnv *env;
  if ((*machine)->GetEnv(machine, (void **) &env, JNI_VERSION_1_8) != JNI_OK) {
    return JNI_ERR;
  }
  jclass type = (*env)->FindClass(env, WEAVER);
  return type && (*env)->RegisterNatives(env, type, methods, 2) == JNI_OK ? JNI_VERSION_1_8 : JNI_ERR;
}
