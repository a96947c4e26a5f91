#include "weave.h"

#include "code.h"

/* Where the number of constants is. */
enum { CONSTANT_COUNT = 8 };

/* Writes a method with its Code attribute woven and its other attributes unchanged. */
static bool put_woven(
    struct pool *pool, const struct scratch *scratch, const struct method *method, int32_t number,
    struct output *out) {
  const struct class_file *file = pool->file;
  uint32_t head = out->size;
  put_bytes(out, file->bytes + method->all.at, method->code.at - method->all.at);
  uint32_t length_at = out->size - 4;
  enum weave_result result = weave_code(pool, scratch, method, number, out);
  if (result == TOO_HARD) {
    return false;
  }
  uint32_t behind = method->code.at + method->code.length;
  if (result == NOT_WOVEN) {
    out->size = head;
    put_bytes(out, file->bytes + method->all.at, method->all.length);
    return !out->bad;
  }
  set4(out, length_at, out->size - length_at - 4);
  put_bytes(out, file->bytes + behind, method->all.at + method->all.length - behind);
  return !out->bad;
}

static bool put_methods(
    struct pool *pool, const struct scratch *scratch, const int32_t *numbers, uint32_t count, struct output *out) {
  const struct class_file *file = pool->file;
  struct cursor in = cursor_of(file, file->methods, file->size);
  if (read2(&in) != count) {
    return false;
  }
  put2(out, count);
  for (uint32_t i = 0; i < count; i++) {
    struct method method = read_method(file, &in);
    if (in.bad) {
      return false;
    }
    if (numbers[i] <= 0 || method.code.length == 0) {
      put_bytes(out, file->bytes + method.all.at, method.all.length);
    } else if (!put_woven(pool, scratch, &method, numbers[i], out)) {
      return false;
    }
  }
  put_bytes(out, file->bytes + in.at, file->size - in.at);
  return !out->bad;
}

static bool put_class(
    struct pool *pool, const struct scratch *scratch, const int32_t *numbers, uint32_t count, struct output *out) {
  const struct class_file *file = pool->file;
  struct output methods = {0};
  bool done = put_methods(pool, scratch, numbers, count, &methods) && !pool->added.bad;
  if (done) {
    put_bytes(out, file->bytes, CONSTANT_COUNT);
    put2(out, pool->count);
    put_bytes(out, file->bytes + CONSTANT_COUNT + 2, file->constants_end - CONSTANT_COUNT - 2);
    put_bytes(out, pool->added.bytes, pool->added.size);
    put_bytes(out, file->bytes + file->constants_end, file->methods - file->constants_end);
    put_bytes(out, methods.bytes, methods.size);
  }
  output_close(&methods);
  return done && !out->bad;
}

bool weave(const struct class_file *file, const int32_t *numbers, uint32_t count, struct output *out) {
  struct pool pool;
  struct scratch scratch;
  bool opened = pool_open(&pool, file);
  bool done = scratch_open(&scratch) && opened && add_probe_constants(&pool)
              && put_class(&pool, &scratch, numbers, count, out);
  scratch_close(&scratch);
  pool_close(&pool);
  return done;
}
