#include "frames.h"

#include <stdlib.h>

enum { MOST_LOCALS = 65536 };

enum { TOP = 0, INTEGER = 1, FLOAT = 2, DOUBLE = 3, LONG = 4, UNINITIALIZED_THIS = 6, OBJECT = 7, UNINITIALIZED = 8 };

enum { SAME_ONE = 64, SAME_ONE_EXTENDED = 247, CHOP = 248, SAME_EXTENDED = 251, APPEND = 252, FULL = 255 };

/* A type of the verifier: its kind, and its class or offset. */
struct type {
  uint8_t kind;
  uint16_t detail;
};

/* Reads and writes one frame after the other. */
struct state {
  const struct frames *frames;
  struct cursor in;
  struct output *out;
  struct type *locals;
  uint32_t local_count;
  struct type *stack;
  uint32_t stack_count;
  /* Offset of this frame, and of the one before it in the woven code. */
  int64_t at;
  int64_t before;
  /* Whether this frame differs from the previous one only in its stack. */
  bool same;
  /* Whether the previous frame had the token. */
  bool had_token;
};

static void add_local(struct state *state, uint8_t kind, uint32_t detail) {
  if (state->local_count >= MOST_LOCALS) {
    state->in.bad = true;
    return;
  }
  state->locals[state->local_count++] = (struct type){kind, (uint16_t) detail};
}

/* Adds a type of a descriptor as a local variable; returns where the type ends. */
static uint32_t add_argument(struct state *state, const uint8_t *text, uint32_t at, uint32_t end) {
  uint32_t begin = at;
  while (at < end && text[at] == '[') {
    at++;
  }
  uint8_t letter = at < end ? text[at] : 0;
  if (letter == 'L') {
    while (at < end && text[at] != ';') {
      at++;
    }
  }
  bool array = text[begin] == '[';
  if (at >= end) {
    state->in.bad = true;
  } else if (array || letter == 'L') {
    const uint8_t *name = array ? text + begin : text + begin + 1;
    uint32_t length = array ? at + 1 - begin : at - begin - 1;
    add_local(state, OBJECT, class_constant(state->frames->pool, name, length));
  } else {
    add_local(state, letter == 'J' ? LONG : letter == 'D' ? DOUBLE : letter == 'F' ? FLOAT : INTEGER, 0);
  }
  return at + 1;
}

/* Adds the variables that the method begins with. */
static void add_arguments(struct state *state) {
  const struct frames *frames = state->frames;
  const struct class_file *file = frames->pool->file;
  if (!(frames->method->access & ACCESS_STATIC)) {
    bool constructor = is_text(file, utf8(file, frames->method->name), "<init>");
    add_local(state, constructor ? UNINITIALIZED_THIS : OBJECT, constructor ? 0 : file->this_class);
  }
  struct span descriptor = utf8(file, frames->method->descriptor);
  const uint8_t *text = file->bytes + descriptor.at;
  uint32_t at = 1;
  while (at < descriptor.length && text[at] != ')' && !state->in.bad) {
    at = add_argument(state, text, at, descriptor.length);
  }
}

static struct type read_type(struct state *state) {
  uint8_t kind = (uint8_t) read1(&state->in);
  uint32_t detail = kind == OBJECT || kind == UNINITIALIZED ? read2(&state->in) : 0;
  if (kind == UNINITIALIZED) {
    const struct moved *moved = state->frames->moved;
    detail = detail < moved->old_length ? moved->to[detail] : NOWHERE;
    state->in.bad |= detail == NOWHERE;
  }
  state->in.bad |= kind > UNINITIALIZED;
  return (struct type){kind, (uint16_t) detail};
}

static void read_types(struct state *state, struct type *types, uint32_t count) {
  for (uint32_t i = 0; i < count && !state->in.bad; i++) {
    types[i] = read_type(state);
  }
}

static void read_full(struct state *state) {
  state->local_count = read2(&state->in);
  read_types(state, state->locals, state->local_count);
  state->stack_count = read2(&state->in);
  read_types(state, state->stack, state->stack_count);
}

/* Reads a frame: its locals and stack replace those of the previous frame. */
static void read_frame(struct state *state) {
  uint32_t kind = read1(&state->in);
  uint32_t step = kind < SAME_ONE ? kind : kind < 2 * SAME_ONE ? kind - SAME_ONE : read2(&state->in);
  state->at += step + 1;
  state->stack_count = 0;
  state->same = kind <= SAME_ONE_EXTENDED || kind == SAME_EXTENDED;
  if ((kind >= SAME_ONE && kind < 2 * SAME_ONE) || kind == SAME_ONE_EXTENDED) {
    state->stack_count = 1;
    state->stack[0] = read_type(state);
  } else if (kind >= CHOP && kind < SAME_EXTENDED) {
    uint32_t chopped = SAME_EXTENDED - kind;
    state->in.bad |= chopped > state->local_count;
    state->local_count -= state->in.bad ? 0 : chopped;
  } else if (kind >= APPEND && kind < FULL) {
    for (uint32_t i = 0; i < kind - SAME_EXTENDED; i++) {
      struct type type = read_type(state);
      add_local(state, type.kind, type.detail);
    }
  } else if (kind == FULL) {
    read_full(state);
  } else {
    state->in.bad |= kind >= 2 * SAME_ONE && kind < SAME_ONE_EXTENDED;
  }
}

static void put_type(struct output *out, struct type type) {
  put1(out, type.kind);
  if (type.kind == OBJECT || type.kind == UNINITIALIZED) {
    put2(out, type.detail);
  }
}

static void put_types(struct output *out, const struct type *types, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    put_type(out, types[i]);
  }
}

/* Writes a whole frame: the variables, unused slots up to the token's, the token. */
static void put_full(struct state *state, uint32_t step, bool token) {
  uint32_t slots = 0;
  for (uint32_t i = 0; i < state->local_count; i++) {
    slots += state->locals[i].kind == LONG || state->locals[i].kind == DOUBLE ? 2 : 1;
  }
  if (slots > state->frames->token) {
    state->in.bad = true;
    return;
  }
  uint32_t gap = token ? state->frames->token - slots : 0;
  put1(state->out, FULL);
  put2(state->out, step);
  put2(state->out, state->local_count + (token ? gap + 1 : 0));
  put_types(state->out, state->locals, state->local_count);
  for (uint32_t i = 0; i < gap; i++) {
    put1(state->out, TOP);
  }
  if (token) {
    put1(state->out, LONG);
  }
  put2(state->out, state->stack_count);
  put_types(state->out, state->stack, state->stack_count);
}

static void put_same(struct state *state, uint32_t step) {
  if (state->stack_count == 0) {
    if (step < SAME_ONE) {
      put1(state->out, step);
    } else {
      put1(state->out, SAME_EXTENDED);
      put2(state->out, step);
    }
    return;
  }
  if (step < SAME_ONE) {
    put1(state->out, SAME_ONE + step);
  } else {
    put1(state->out, SAME_ONE_EXTENDED);
    put2(state->out, step);
  }
  put_type(state->out, state->stack[0]);
}

static void put_frame(struct state *state, uint32_t at, bool token) {
  uint32_t step = (uint32_t) (at - state->before - 1);
  if (state->same && state->had_token == token) {
    put_same(state, step);
  } else {
    put_full(state, step, token);
  }
  state->before = at;
  state->had_token = token;
}

static bool is_before_constructor(const struct state *state) {
  for (uint32_t i = 0; i < state->local_count; i++) {
    if (state->locals[i].kind == UNINITIALIZED_THIS) {
      return true;
    }
  }
  for (uint32_t i = 0; i < state->stack_count; i++) {
    if (state->stack[i].kind == UNINITIALIZED_THIS) {
      return true;
    }
  }
  return false;
}

static void put_handler(struct state *state) {
  state->local_count = 0;
  state->stack_count = 1;
  state->stack[0] = (struct type){OBJECT, (uint16_t) class_constant(state->frames->pool,
                                                                    (const uint8_t *) "java/lang/Throwable", 19)};
  state->same = false;
  put_frame(state, state->frames->handler, true);
}

static enum frames_result write(struct state *state, uint32_t count) {
  const struct frames *frames = state->frames;
  const struct moved *moved = frames->moved;
  bool handler = frames->handler != NOWHERE;
  if (count + handler > UINT16_MAX) {
    return FRAMES_TOO_HARD;
  }
  put2(state->out, count + handler);
  for (uint32_t i = 0; i < count; i++) {
    read_frame(state);
    if (state->in.bad || state->at >= moved->old_length || moved->to[state->at] == NOWHERE) {
      return FRAMES_DAMAGED;
    }
    uint32_t at = moved->to[state->at];
    bool token = at >= frames->token_from;
    if (token && is_before_constructor(state)) {
      return FRAMES_TOO_HARD;
    }
    put_frame(state, at, token);
  }
  if (handler) {
    put_handler(state);
  }
  return state->in.bad ? FRAMES_DAMAGED : FRAMES_WRITTEN;
}

struct type *frames_room(void) {
  return malloc(2 * MOST_LOCALS * sizeof(struct type));
}

enum frames_result write_frames(const struct frames *frames, struct span table, struct output *out) {
  const struct class_file *file = frames->pool->file;
  struct state state = {.frames = frames, .out = out, .at = -1, .before = -1};
  state.in = cursor_of(file, table.at, table.at + table.length);
  state.locals = frames->types;
  state.stack = frames->types + MOST_LOCALS;
  add_arguments(&state);
  return write(&state, table.length == 0 ? 0 : read2(&state.in));
}
