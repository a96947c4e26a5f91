#include "code.h"

#include <stdlib.h>
#include <string.h>

/* Stack slots of a probe: a number and a token, in the handler also the exception. */
enum { PROBE_STACK = 3, HANDLER_STACK = 4 };

struct weaving {
  struct pool *pool;
  const struct method *method;
  struct code code;
  const uint8_t *old;
  uint32_t length;
  struct moved moved;
  struct output *out;
  int32_t number;
  /* The constant of a number that is too large for sipush, otherwise 0. */
  uint32_t number_constant;
  uint32_t token;
  /* Offset of the old instruction that the enter is put before. */
  uint32_t begin;
  /* Offset of the woven code in the output. */
  uint32_t base;
  uint32_t handler;
  bool damaged;
};

bool scratch_open(struct scratch *scratch) {
  scratch->to = malloc((UINT16_MAX + 1) * sizeof *scratch->to);
  scratch->types = frames_room();
  return scratch->to && scratch->types;
}

void scratch_close(struct scratch *scratch) {
  free(scratch->to);
  free(scratch->types);
}

/* Bytes of a load or store of the token. */
static uint32_t token_length(const struct weaving *weaving) {
  return weaving->token < 4 ? 1 : weaving->token < 256 ? 2 : 4;
}

static uint32_t probe_length(const struct weaving *weaving) {
  return 6 + token_length(weaving);
}

static void put_token(const struct weaving *weaving, uint8_t opcode, uint8_t short_opcode) {
  if (weaving->token < 4) {
    put1(weaving->out, short_opcode + weaving->token);
  } else if (weaving->token < 256) {
    put1(weaving->out, opcode);
    put1(weaving->out, weaving->token);
  } else {
    put1(weaving->out, WIDE);
    put1(weaving->out, opcode);
    put2(weaving->out, weaving->token);
  }
}

static void put_number(const struct weaving *weaving) {
  bool large = weaving->number_constant != 0;
  put1(weaving->out, large ? LDC_W : SIPUSH);
  put2(weaving->out, large ? weaving->number_constant : (uint32_t) weaving->number);
}

static void put_call(const struct weaving *weaving, uint32_t hook) {
  put1(weaving->out, INVOKESTATIC);
  put2(weaving->out, hook);
}

static void put_enter(const struct weaving *weaving) {
  put_number(weaving);
  put_call(weaving, weaving->pool->enter);
  put_token(weaving, LSTORE, LSTORE_0);
}

static void put_end(const struct weaving *weaving, uint32_t hook) {
  put_number(weaving);
  put_token(weaving, LLOAD, LLOAD_0);
  put_call(weaving, hook);
}

/* The length of a switch when its operands are aligned again. */
static uint32_t moved_length(const uint8_t *code, uint32_t at, uint32_t length, uint32_t to) {
  bool is_switch = code[at] == TABLESWITCH || code[at] == LOOKUPSWITCH;
  return is_switch ? length + (at & 3) - (to & 3) : length;
}

/* Finds the new offset of each instruction. */
static bool move(struct weaving *weaving) {
  uint32_t to = 0;
  uint32_t length;
  memset(weaving->moved.to, 0xFF, (weaving->length + 1) * sizeof *weaving->moved.to);
  for (uint32_t at = 0; at < weaving->length; at += length) {
    length = instruction_length(weaving->old, at, weaving->length);
    if (length == 0) {
      return false;
    }
    to += at == weaving->begin ? probe_length(weaving) : 0;
    weaving->moved.to[at] = to;
    to += is_return(weaving->old[at]) && at >= weaving->begin ? probe_length(weaving) : 0;
    to += moved_length(weaving->old, at, length, to);
  }
  weaving->moved.to[weaving->length] = to;
  weaving->moved.old_length = weaving->length;
  weaving->moved.new_length = to;
  return true;
}

static uint32_t here(const struct weaving *weaving) {
  return weaving->out->size - weaving->base;
}

/* The new offset of a jump whose instruction has moved to `from`. */
static int32_t moved_offset(struct weaving *weaving, uint32_t at, int32_t offset, uint32_t from) {
  int64_t target = (int64_t) at + offset;
  if (target < 0 || target >= weaving->length || weaving->moved.to[target] == NOWHERE) {
    weaving->damaged = true;
    return 0;
  }
  return (int32_t) weaving->moved.to[target] - (int32_t) from;
}

/* False if the jump has become too long. */
static bool put_jump(struct weaving *weaving, uint32_t at) {
  uint32_t from = here(weaving);
  const uint8_t *code = weaving->old + at;
  put1(weaving->out, code[0]);
  if (code[0] == GOTO_W || code[0] == JSR_W) {
    put4(weaving->out, (uint32_t) moved_offset(weaving, at, (int32_t) big4(code + 1), from));
    return true;
  }
  int32_t offset = moved_offset(weaving, at, (int16_t) big2(code + 1), from);
  put2(weaving->out, (uint32_t) offset & 0xFFFF);
  return offset >= INT16_MIN && offset <= INT16_MAX;
}

static void put_switch(struct weaving *weaving, uint32_t at, uint32_t length) {
  const uint8_t *code = weaving->old;
  uint32_t from = here(weaving);
  put1(weaving->out, code[at]);
  while (here(weaving) % 4 != 0) {
    put1(weaving->out, 0);
  }
  uint32_t operand = (at + 4) & ~3U;
  put4(weaving->out, (uint32_t) moved_offset(weaving, at, (int32_t) big4(code + operand), from));
  bool table = code[at] == TABLESWITCH;
  uint32_t head = table ? 8 : 4;
  put_bytes(weaving->out, code + operand + 4, head);
  for (operand += 4 + head; operand < at + length; operand += 4) {
    if (!table) {
      put4(weaving->out, big4(code + operand));
      operand += 4;
    }
    put4(weaving->out, (uint32_t) moved_offset(weaving, at, (int32_t) big4(code + operand), from));
  }
}

static bool put_instruction(struct weaving *weaving, uint32_t at, uint32_t length) {
  uint8_t opcode = weaving->old[at];
  if (is_jump(opcode) || opcode == GOTO_W || opcode == JSR_W) {
    return put_jump(weaving, at);
  }
  if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
    put_switch(weaving, at, length);
  } else {
    put_bytes(weaving->out, weaving->old + at, length);
  }
  return true;
}

static bool put_instructions(struct weaving *weaving) {
  uint32_t length;
  for (uint32_t at = 0; at < weaving->length; at += length) {
    length = instruction_length(weaving->old, at, weaving->length);
    if (at == weaving->begin) {
      put_enter(weaving);
    }
    if (is_return(weaving->old[at]) && at >= weaving->begin) {
      put_end(weaving, weaving->pool->leave);
    }
    if (!put_instruction(weaving, at, length)) {
      return false;
    }
  }
  return true;
}

/* Writes each range that the handler protects, between the enter, the leaves and the end, unless `out` is NULL; returns
 * how many there are. */
static uint32_t put_ranges(const struct weaving *weaving, struct output *out) {
  uint32_t ranges = 0;
  uint32_t begin = weaving->moved.to[weaving->begin];
  uint32_t length;
  for (uint32_t at = weaving->begin; at <= weaving->length; at += length) {
    bool end = at == weaving->length;
    length = end ? 1 : instruction_length(weaving->old, at, weaving->length);
    if (!end && !is_return(weaving->old[at])) {
      continue;
    }
    uint32_t to = weaving->moved.to[at];
    if (begin < to) {
      ranges++;
      if (out) {
        put2(out, begin);
        put2(out, to);
        put2(out, weaving->handler);
        put2(out, 0);
      }
    }
    begin = end ? to : weaving->moved.to[at] + probe_length(weaving) + 1;
  }
  return ranges;
}

static bool put_handlers(struct weaving *weaving) {
  const struct class_file *file = weaving->pool->file;
  uint32_t ranges = put_ranges(weaving, NULL);
  uint32_t count = weaving->code.handler_count + ranges;
  if (count > UINT16_MAX) {
    return false;
  }
  put2(weaving->out, count);
  struct cursor in = cursor_of(file, weaving->code.handlers, weaving->code.attributes);
  for (uint32_t i = 0; i < weaving->code.handler_count; i++) {
    for (uint32_t field = 0; field < 3; field++) {
      uint32_t at = read2(&in);
      weaving->damaged |= at > weaving->length || weaving->moved.to[at] == NOWHERE;
      put2(weaving->out, weaving->damaged ? 0 : weaving->moved.to[at]);
    }
    put2(weaving->out, read2(&in));
  }
  put_ranges(weaving, weaving->out);
  return true;
}

static void put_lines(struct weaving *weaving, struct cursor *in) {
  uint32_t lines = read2(in);
  put2(weaving->out, lines);
  for (uint32_t i = 0; i < lines && !in->bad; i++) {
    uint32_t at = read2(in);
    weaving->damaged |= at >= weaving->length || weaving->moved.to[at] == NOWHERE;
    put2(weaving->out, weaving->damaged ? 0 : weaving->moved.to[at]);
    put2(weaving->out, read2(in));
  }
}

/* LocalVariableTable and LocalVariableTypeTable. */
static void put_variables(struct weaving *weaving, struct cursor *in) {
  uint32_t variables = read2(in);
  put2(weaving->out, variables);
  for (uint32_t i = 0; i < variables && !in->bad; i++) {
    uint32_t begin = read2(in);
    uint32_t end = begin + read2(in);
    weaving->damaged |=
        end > weaving->length || weaving->moved.to[begin] == NOWHERE || weaving->moved.to[end] == NOWHERE;
    put2(weaving->out, weaving->damaged ? 0 : weaving->moved.to[begin]);
    put2(weaving->out, weaving->damaged ? 0 : weaving->moved.to[end] - weaving->moved.to[begin]);
    put2(weaving->out, read2(in));
    put2(weaving->out, read2(in));
    put2(weaving->out, read2(in));
  }
}

static enum frames_result put_frames(struct weaving *weaving, const struct scratch *scratch, struct span table) {
  uint32_t head = weaving->out->size;
  put2(weaving->out, weaving->pool->stack_map_table);
  put4(weaving->out, 0);
  struct frames frames = {
      .pool = weaving->pool,
      .method = weaving->method,
      .moved = &weaving->moved,
      .token = weaving->token,
      .token_from = weaving->moved.to[weaving->begin],
      .handler = weaving->handler,
      .types = scratch->types,
  };
  enum frames_result result = write_frames(&frames, table, weaving->out);
  set4(weaving->out, head + 2, weaving->out->size - head - 6);
  return result;
}

/* Every attribute of Code that Java compilers write contains offsets; attributes of other tools are left out. */
static bool put_attributes(struct weaving *weaving, const struct scratch *scratch) {
  const struct class_file *file = weaving->pool->file;
  struct cursor in = cursor_of(file, weaving->code.attributes, weaving->code.end);
  struct span table = {0, 0};
  uint32_t written = 0;
  uint32_t count_at = weaving->out->size;
  put2(weaving->out, 0);
  for (uint32_t left = read2(&in); left > 0 && !in.bad; left--) {
    uint32_t begin = in.at;
    uint32_t end;
    struct span name = read_attribute(file, &in, &end);
    bool lines = is_text(file, name, "LineNumberTable");
    if (lines || is_text(file, name, "LocalVariableTable") || is_text(file, name, "LocalVariableTypeTable")) {
      put_bytes(weaving->out, file->bytes + begin, 6);
      struct cursor contents = cursor_of(file, in.at, end);
      (lines ? put_lines : put_variables)(weaving, &contents);
      weaving->damaged |= contents.bad;
      written++;
    } else if (is_text(file, name, "StackMapTable")) {
      table = (struct span){in.at, end - in.at};
    }
    in.at = end;
  }
  weaving->damaged |= in.bad;
  if (file->version >= 50 && !weaving->damaged) {
    enum frames_result result = put_frames(weaving, scratch, table);
    weaving->damaged |= result == FRAMES_DAMAGED;
    written++;
    if (result == FRAMES_TOO_HARD) {
      return false;
    }
  }
  set2(weaving->out, count_at, written);
  return true;
}

/* Whether a class is this class (which = 0) or its superclass (which = 1). */
static bool is_of_own(const struct class_file *file, uint32_t class, uint32_t *which) {
  struct span name = utf8(file, reference(file, class, 0));
  *which = are_equal(file, name, utf8(file, reference(file, file->this_class, 0))) ? 0 : 1;
  return *which == 0 || are_equal(file, name, utf8(file, reference(file, file->super_class, 0)));
}

static bool is_constructor_call(const struct class_file *file, const uint8_t *code, uint32_t *which) {
  uint32_t target = big2(code + 1);
  struct span name = utf8(file, reference(file, reference(file, target, 1), 0));
  return code[0] == INVOKESPECIAL && is_text(file, name, "<init>")
         && is_of_own(file, reference(file, target, 0), which);
}

/* Finds the instruction after the call of the other constructor. Among calls of such constructors it is the one without
 * a `new` before it; where jumps come in between, that is not certain. */
static enum weave_result find_begin(struct weaving *weaving) {
  const struct class_file *file = weaving->pool->file;
  uint32_t pending[2] = {0, 0};
  bool found = false;
  uint32_t length;
  for (uint32_t at = 0; at < weaving->length; at += length) {
    const uint8_t *code = weaving->old + at;
    uint32_t which;
    length = instruction_length(weaving->old, at, weaving->length);
    if (length == 0) {
      return TOO_HARD;
    }
    bool jumps = is_jump(code[0]) || code[0] == TABLESWITCH || code[0] == LOOKUPSWITCH || code[0] == GOTO_W;
    if (code[0] == NEW && is_of_own(file, big2(code + 1), &which)) {
      pending[which]++;
    } else if (jumps && pending[0] + pending[1] > 0) {
      return TOO_HARD;
    } else if (is_constructor_call(file, code, &which)) {
      if (pending[which] > 0) {
        pending[which]--;
      } else if (found) {
        return TOO_HARD;
      } else {
        found = true;
        weaving->begin = at + length;
      }
    }
  }
  return found && weaving->begin < weaving->length ? WOVEN : NOT_WOVEN;
}

static enum weave_result put_code(struct weaving *weaving, const struct scratch *scratch) {
  struct output *out = weaving->out;
  if (!move(weaving)) {
    return TOO_HARD;
  }
  bool handler = put_ranges(weaving, NULL) > 0;
  weaving->handler = handler ? weaving->moved.new_length : NOWHERE;
  uint32_t all = weaving->moved.new_length + (handler ? probe_length(weaving) + 1 : 0);
  uint32_t stack = weaving->code.max_stack + PROBE_STACK;
  uint32_t locals = weaving->token + 2;
  if (all > UINT16_MAX || stack > UINT16_MAX || locals > UINT16_MAX) {
    return TOO_HARD;
  }
  put2(out, stack < HANDLER_STACK ? HANDLER_STACK : stack);
  put2(out, locals);
  put4(out, all);
  weaving->base = out->size;
  if (!put_instructions(weaving)) {
    return TOO_HARD;
  }
  if (handler) {
    put_end(weaving, weaving->pool->unwind);
    put1(out, ATHROW);
  }
  return put_handlers(weaving) && put_attributes(weaving, scratch) && !weaving->damaged && !out->bad ? WOVEN : TOO_HARD;
}

enum weave_result weave_code(
    struct pool *pool, const struct scratch *scratch, const struct method *method, int32_t number,
    struct output *out) {
  const struct class_file *file = pool->file;
  struct weaving weaving = {.pool = pool, .method = method, .out = out, .number = number};
  if (!read_code(file, method, &weaving.code)) {
    return TOO_HARD;
  }
  weaving.old = file->bytes + weaving.code.instructions.at;
  weaving.length = weaving.code.instructions.length;
  weaving.token = weaving.code.max_locals;
  weaving.moved.to = scratch->to;
  if (is_text(file, utf8(file, method->name), "<init>")) {
    enum weave_result begin = find_begin(&weaving);
    if (begin != WOVEN) {
      return begin;
    }
  }
  if (number > INT16_MAX) {
    weaving.number_constant = integer_constant(pool, number);
  }
  return put_code(&weaving, scratch);
}
