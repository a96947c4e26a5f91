/* What the verifier is told of local variables and the stack (StackMapTable), with the token's variable added. */
#ifndef KYMO_AGENT_FRAMES_H
#define KYMO_AGENT_FRAMES_H

#include "pool.h"

/* How the code of a method has moved. */
struct moved {
  /* For each offset of an instruction, and that of the end, where it is now; NOWHERE for others. */
  uint32_t *to;
  uint32_t old_length;
  uint32_t new_length;
};

enum { NOWHERE = UINT32_MAX };

struct frames {
  struct pool *pool;
  const struct method *method;
  const struct moved *moved;
  /* The variable of the token, and from which offset of the woven code it is set. */
  uint32_t token;
  uint32_t token_from;
  /* Where the handler of all that is thrown begins; NOWHERE if there is none. */
  uint32_t handler;
  /* What frames_room gave, to be freed in the end. */
  struct type *types;
};

/* Memory for the types of one frame; NULL if there is none. */
struct type *frames_room(void);

enum frames_result { FRAMES_WRITTEN, FRAMES_TOO_HARD, FRAMES_DAMAGED };

/* Writes the contents of the attribute anew. Too hard is a constructor with a place behind its begin that can be
 * reached before it.
 *
 * table: the attribute's contents; length 0 if there is none */
enum frames_result write_frames(const struct frames *frames, struct span table, struct output *out);

#endif
