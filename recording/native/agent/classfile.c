#include "classfile.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0xCAFEBABE };

uint32_t big2(const uint8_t *bytes) {
  return (uint32_t) bytes[0] << 8 | bytes[1];
}

uint32_t big4(const uint8_t *bytes) {
  return big2(bytes) << 16 | big2(bytes + 2);
}

struct cursor cursor_of(const struct class_file *file, uint32_t at, uint32_t end) {
  bool fits = at <= end && end <= file->size;
  return (struct cursor){.bytes = file->bytes, .at = fits ? at : 0, .end = fits ? end : 0, .bad = !fits};
}

static const uint8_t *take(struct cursor *in, uint32_t bytes) {
  if (in->bad || in->end - in->at < bytes) {
    in->bad = true;
    return NULL;
  }
  const uint8_t *taken = in->bytes + in->at;
  in->at += bytes;
  return taken;
}

uint32_t read1(struct cursor *in) {
  const uint8_t *bytes = take(in, 1);
  return bytes ? *bytes : 0;
}

uint32_t read2(struct cursor *in) {
  const uint8_t *bytes = take(in, 2);
  return bytes ? big2(bytes) : 0;
}

uint32_t read4(struct cursor *in) {
  const uint8_t *bytes = take(in, 4);
  return bytes ? big4(bytes) : 0;
}

void skip(struct cursor *in, uint32_t bytes) {
  take(in, bytes);
}

/* Bytes of a constant after its tag; the bytes of UTF-8 text come in addition. */
static uint32_t constant_length(uint32_t tag) {
  switch (tag) {
    case TAG_UTF8:
    case TAG_CLASS:
    case 8: /* String */
    case 16: /* MethodType */
    case 19: /* Module */
    case 20: /* Package */
      return 2;
    case 15: /* MethodHandle */
      return 3;
    case TAG_LONG:
    case TAG_DOUBLE:
      return 8;
    case TAG_INTEGER:
    case 4: /* Float */
    case 9: /* Field */
    case TAG_METHOD:
    case TAG_INTERFACE_METHOD:
    case TAG_NAME_AND_TYPE:
    case 17: /* Dynamic */
    case 18: /* InvokeDynamic */
      return 4;
    default:
      return 0;
  }
}

static bool read_constants(struct class_file *file, struct cursor *in) {
  file->constant_count = read2(in);
  file->constants = calloc(file->constant_count + 1, sizeof *file->constants);
  if (!file->constants) {
    return false;
  }
  for (uint32_t i = 1; i < file->constant_count; i++) {
    file->constants[i] = in->at;
    uint32_t tag = read1(in);
    uint32_t length = constant_length(tag);
    if (length == 0) {
      return false;
    }
    if (tag == TAG_UTF8) {
      skip(in, read2(in));
    } else {
      skip(in, length);
    }
    i += tag == TAG_LONG || tag == TAG_DOUBLE;
  }
  file->constants_end = in->at;
  return !in->bad;
}

bool class_file_open(struct class_file *file, const uint8_t *bytes, uint32_t size) {
  *file = (struct class_file){.bytes = bytes, .size = size};
  struct cursor in = cursor_of(file, 0, size);
  if (read4(&in) != MAGIC) {
    return false;
  }
  skip(&in, 2);
  file->version = read2(&in);
  if (!read_constants(file, &in)) {
    return false;
  }
  skip(&in, 2);
  file->this_class = read2(&in);
  file->super_class = read2(&in);
  skip(&in, 2 * read2(&in));
  for (uint32_t fields = read2(&in); fields > 0 && !in.bad; fields--) {
    read_method(file, &in);
  }
  file->methods = in.at;
  return !in.bad;
}

void class_file_close(struct class_file *file) {
  free(file->constants);
  file->constants = NULL;
}

uint32_t tag_of(const struct class_file *file, uint32_t constant) {
  uint32_t at = constant < file->constant_count ? file->constants[constant] : 0;
  return at == 0 ? 0 : file->bytes[at];
}

struct span utf8(const struct class_file *file, uint32_t constant) {
  if (tag_of(file, constant) != TAG_UTF8) {
    return (struct span){0, 0};
  }
  uint32_t at = file->constants[constant];
  return (struct span){at + 3, big2(file->bytes + at + 1)};
}

uint32_t reference(const struct class_file *file, uint32_t constant, uint32_t number) {
  uint32_t tag = tag_of(file, constant);
  uint32_t fields = tag == TAG_CLASS ? 1 : tag >= 9 && tag <= TAG_NAME_AND_TYPE ? 2 : 0;
  return number < fields ? big2(file->bytes + file->constants[constant] + 1 + 2 * number) : 0;
}

bool is_text(const struct class_file *file, struct span text, const char *expected) {
  return text.length == strlen(expected) && memcmp(file->bytes + text.at, expected, text.length) == 0;
}

bool are_equal(const struct class_file *file, struct span one, struct span other) {
  return one.length == other.length && memcmp(file->bytes + one.at, file->bytes + other.at, one.length) == 0;
}

struct span read_attribute(const struct class_file *file, struct cursor *in, uint32_t *end) {
  struct span name = utf8(file, read2(in));
  uint32_t length = read4(in);
  if (in->bad || in->end - in->at < length) {
    in->bad = true;
    length = 0;
  }
  *end = in->at + length;
  return name;
}

struct method read_method(const struct class_file *file, struct cursor *in) {
  struct method method = {.all = {in->at, 0}};
  method.access = read2(in);
  method.name = read2(in);
  method.descriptor = read2(in);
  method.attributes = in->at;
  for (uint32_t left = read2(in); left > 0 && !in->bad; left--) {
    uint32_t end;
    struct span name = read_attribute(file, in, &end);
    if (!in->bad) {
      if (is_text(file, name, "Code")) {
        method.code = (struct span){in->at, end - in->at};
      }
      in->at = end;
    }
  }
  method.all.length = in->at - method.all.at;
  return method;
}

bool read_code(const struct class_file *file, const struct method *method, struct code *code) {
  struct cursor in = cursor_of(file, method->code.at, method->code.at + method->code.length);
  code->max_stack = read2(&in);
  code->max_locals = read2(&in);
  uint32_t length = read4(&in);
  code->instructions = (struct span){in.at, length};
  skip(&in, length);
  code->handler_count = read2(&in);
  code->handlers = in.at;
  skip(&in, 8 * code->handler_count);
  code->attributes = in.at;
  code->end = in.end;
  return !in.bad && length > 0 && length <= UINT16_MAX;
}

bool is_return(uint8_t opcode) {
  return opcode >= IRETURN && opcode <= RETURN;
}

bool is_jump(uint8_t opcode) {
  return (opcode >= IFEQ && opcode <= JSR) || opcode == IFNULL || opcode == IFNONNULL;
}

static uint32_t fixed_length(uint8_t opcode) {
  if (opcode == BIPUSH || opcode == LDC || (opcode >= ILOAD && opcode <= ALOAD)
      || (opcode >= ISTORE && opcode <= ASTORE) || opcode == RET || opcode == 188 /* newarray */) {
    return 2;
  }
  if (is_jump(opcode) || opcode == SIPUSH || opcode == LDC_W || opcode == 20 /* ldc2_w */ || opcode == IINC
      || (opcode >= 178 && opcode <= INVOKESTATIC) /* fields and calls */ || opcode == NEW
      || opcode == 189 /* anewarray */ || opcode == 192 || opcode == 193 /* checkcast, instanceof */) {
    return 3;
  }
  if (opcode == 197 /* multianewarray */) {
    return 4;
  }
  if (opcode == 185 /* invokeinterface */ || opcode == INVOKEDYNAMIC || opcode == GOTO_W || opcode == JSR_W) {
    return 5;
  }
  return opcode <= 195 ? 1 : 0;
}

/* A switch: the opcode, up to three bytes until its operands are aligned, the operands. */
static uint32_t switch_length(const uint8_t *code, uint32_t at, uint32_t end) {
  bool table = code[at] == TABLESWITCH;
  uint64_t operands = (at + 4) & ~3U;
  uint64_t length = table ? 12 : 8;
  if (operands + length > end) {
    return 0;
  }
  if (table) {
    int64_t low = (int32_t) big4(code + operands + 4);
    int64_t high = (int32_t) big4(code + operands + 8);
    length += low <= high ? 4 * (uint64_t) (high - low + 1) : UINT32_MAX;
  } else {
    length += 8 * (uint64_t) big4(code + operands + 4);
  }
  return operands + length <= end ? (uint32_t) (operands + length) - at : 0;
}

uint32_t instruction_length(const uint8_t *code, uint32_t at, uint32_t end) {
  uint32_t length;
  if (code[at] == TABLESWITCH || code[at] == LOOKUPSWITCH) {
    return switch_length(code, at, end);
  }
  if (code[at] == WIDE) {
    length = at + 1 < end && code[at + 1] == IINC ? 6 : 4;
  } else {
    length = fixed_length(code[at]);
  }
  return length <= end - at ? length : 0;
}
