#include "facts.h"

#include <string.h>

/* Annotations of classes that record events, and of methods that the JIT compiler replaces. If a class file contains
 * such a name, its annotations must be read. */
static const char UNRECORDED[] = "Ldev/kymo/api/Unrecorded;";
static const char INTRINSIC[] = "IntrinsicCandidate;";

static bool ends_with(const struct class_file *file, struct span text, const char *end) {
  uint32_t length = (uint32_t) strlen(end);
  return text.length >= length && memcmp(file->bytes + text.at + text.length - length, end, length) == 0;
}

static bool has_annotations(const struct class_file *file) {
  for (uint32_t i = 1; i < file->constant_count; i++) {
    struct span text = utf8(file, i);
    if (is_text(file, text, UNRECORDED) || ends_with(file, text, INTRINSIC)) {
      return true;
    }
  }
  return false;
}

uint32_t count_facts(const struct class_file *file) {
  struct cursor in = cursor_of(file, file->methods, file->size);
  uint32_t methods = read2(&in);
  return in.bad || has_annotations(file) ? 0 : FACTS_OF_CLASS + methods * FACTS_OF_METHOD;
}

/* How much an instruction can grow when offsets grow, as ASM's CodeSizeEvaluator computes it. */
static uint32_t growth(uint8_t opcode) {
  if (opcode == LDC) {
    return 1;
  }
  if (opcode == GOTO || opcode == JSR) {
    return 2;
  }
  return is_jump(opcode) ? 5 : 0;
}

static bool goes_back(const uint8_t *code, uint32_t at) {
  uint8_t opcode = code[at];
  if (is_jump(opcode)) {
    return (int16_t) big2(code + at + 1) <= 0;
  }
  if (opcode == GOTO_W || opcode == JSR_W) {
    return (int32_t) big4(code + at + 1) <= 0;
  }
  return opcode == TABLESWITCH && (int32_t) big4(code + ((at + 4) & ~3U)) <= 0;
}

static bool look_at_instructions(const struct class_file *file, struct span instructions, int32_t *facts) {
  const uint8_t *code = file->bytes + instructions.at;
  uint32_t size = 0;
  uint32_t length;
  for (uint32_t at = 0; at < instructions.length; at += length) {
    length = instruction_length(code, at, instructions.length);
    if (length == 0) {
      return false;
    }
    uint8_t opcode = code[at];
    bool is_switch = opcode == TABLESWITCH || opcode == LOOKUPSWITCH;
    size += is_switch ? length + (at & 3) : length + growth(opcode);
    facts[7] += is_return(opcode);
    facts[9] |= opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC ? FACT_CALLS : 0;
    facts[9] |= goes_back(code, at) ? FACT_LOOPS : 0;
  }
  facts[5] = (int32_t) size;
  return true;
}

/* The line of the first instruction that has a line. */
static int32_t first_line(const struct class_file *file, const struct code *code) {
  uint32_t first = UINT32_MAX;
  uint32_t line = 0;
  struct cursor in = cursor_of(file, code->attributes, code->end);
  for (uint32_t left = read2(&in); left > 0 && !in.bad; left--) {
    uint32_t end;
    struct span name = read_attribute(file, &in, &end);
    if (is_text(file, name, "LineNumberTable")) {
      for (uint32_t lines = read2(&in); lines > 0 && !in.bad; lines--) {
        uint32_t at = read2(&in);
        uint32_t number = read2(&in);
        if (at < first) {
          first = at;
          line = number;
        }
      }
    }
    in.at = end;
  }
  return (int32_t) line;
}

static bool find_method_facts(const struct class_file *file, struct cursor *in, int32_t *facts) {
  struct method method = read_method(file, in);
  struct span name = utf8(file, method.name);
  struct span descriptor = utf8(file, method.descriptor);
  memset(facts, 0, FACTS_OF_METHOD * sizeof *facts);
  facts[0] = (int32_t) name.at;
  facts[1] = (int32_t) name.length;
  facts[2] = (int32_t) descriptor.at;
  facts[3] = (int32_t) descriptor.length;
  facts[4] = (int32_t) method.access;
  if (in->bad) {
    return false;
  }
  if (method.code.length == 0) {
    return true;
  }
  struct code code;
  if (!read_code(file, &method, &code) || !look_at_instructions(file, code.instructions, facts)) {
    return false;
  }
  facts[6] = (int32_t) code.max_locals;
  facts[8] = first_line(file, &code);
  return true;
}

bool find_facts(const struct class_file *file, int32_t *facts) {
  facts[0] = 0;
  facts[1] = 0;
  struct cursor in = cursor_of(file, file->methods, file->size);
  uint32_t methods = read2(&in);
  for (uint32_t i = 0; i < methods; i++) {
    if (!find_method_facts(file, &in, facts + FACTS_OF_CLASS + i * FACTS_OF_METHOD)) {
      return false;
    }
  }
  for (uint32_t left = read2(&in); left > 0 && !in.bad; left--) {
    uint32_t end;
    struct span name = read_attribute(file, &in, &end);
    if (is_text(file, name, "SourceFile")) {
      struct span source = utf8(file, read2(&in));
      facts[0] = (int32_t) source.at;
      facts[1] = (int32_t) source.length;
    }
    in.at = end;
  }
  return !in.bad;
}
