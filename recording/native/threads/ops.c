#include "ops.h"

#include "api/objects.h"
#include "control/join.h"
#include "events/events.h"
#include "real.h"

static const uint8_t off;

#define OFF(constant, name, fields) {&off, 0},
struct op_event ky_ops[NUMBER_OF_OPS] = {OPS(OFF)};
#undef OFF

/* Joins the recording if need be, because only then is it known which operations are off. */
static bool is_on(enum op op) {
  const struct process *process = __atomic_load_n(&ky_process, __ATOMIC_ACQUIRE);
  if (process != NULL && process->number == 0 && !ky_own_work) {
    struct guard guard;
    ky_guard_begin(&guard);
    ky_joined(&guard);
    ky_guard_end(&guard);
  }
  return op_state(op) != 0;
}

OUT_OF_LINE void ky_op_slowly(
    struct ring *ring, enum op op, uint64_t now, uint32_t length, WORDS, const void *frame) {
  const uint64_t words[] = {
      compact(RECORD_EVENT_DATA, now, ky_ops[op].number), data_header(length), a, b, c, d};
  struct record unit = {RECORD_UNIT, ky_ops[op].number, now, words, 16 + data_size(length)};
  if (ring != NULL) {
    ky_record_without_room(ring, &unit);
  } else if (is_on(op)) {
    ky_record_slowly(&unit, frame);
  }
}

OUT_OF_LINE uint64_t ky_op_tell(enum op op, uint8_t state, uint64_t at, uint64_t caller) {
  uint64_t time = at != 0 ? at : ticks(state);
  if (is_on(op)) {
    ky_tell_place(caller, true);
  }
  return time;
}

static void define(enum op op, const char *name, const char *fields) {
  bool is_switch = op == STATES || op == OWNERS;
  const char *what = op == STATES ? "Switch: what threads wait for"
      : op == OWNERS              ? "Switch: who lets them go on"
                                  : "";
  uint32_t number = is_switch
      ? (kymo_event_define)("pthread-waits", 0, "threads", "", (uint16_t) op, name, KYMO_INSTANT, "", what, "")
      : (kymo_event_define)(PTHREAD_SUBSYSTEM, (uint16_t) op, name, KYMO_INSTANT, "", what, fields);
  if (number != 0) {
    ky_ops[op].number = number;
    __atomic_store_n(&ky_ops[op].state, kymo_event_states_ + (MAX_PAYLOAD - number), __ATOMIC_RELEASE);
  }
}

/* Runs after libkymo's own constructor, which is in the same library. */
__attribute__((constructor(102))) static void begin(void) {
  ky_real_find();
#define DEFINE(constant, name, fields) define(constant, name, fields);
  OPS(DEFINE)
#undef DEFINE
}
