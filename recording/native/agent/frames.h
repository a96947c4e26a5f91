/* The verifier's types of local variables and the stack (StackMapTable), with the token's variable added. */
#ifndef KYMO_AGENT_FRAMES_H
#define KYMO_AGENT_FRAMES_H

#include "pool.h"

/* How the code of a method has moved. */
struct moved {
  /* The new offset of each instruction, and of the end, by its old offset; NOWHERE for other offsets. */
  uint32_t *to;
  uint32_t old_length;
  uint32_t new_length;
};

enum { NOWHERE = UINT32_MAX };

struct frames {
  struct pool *pool;
  const struct method *method;
  const struct moved *moved;
  /* The variable of the token, and the offset of the woven code from which it is set. */
  uint32_t token;
  uint32_t token_from;
  /* Where the handler of all exceptions begins; NOWHERE: there is none. */
  uint32_t handler;
  /* From frames_room; to be freed at the end. */
  struct type *types;
};

/* Memory for the types of one frame; NULL if there is none. */
struct type *frames_room(void);

enum frames_result { FRAMES_WRITTEN, FRAMES_TOO_HARD, FRAMES_DAMAGED };

/* Writes new contents of the attribute. A constructor is too hard if a place after its begin can be reached before the
 * begin.
 *
 * table: the attribute's contents; length 0 if there is none */
enum frames_result write_frames(const struct frames *frames, struct span table, struct output *out);

#endif
