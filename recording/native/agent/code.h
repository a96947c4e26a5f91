/* The probes in one method's code.
 *
 *         sipush method             enter: in a constructor behind the call of the other constructor
 *         invokestatic enter
 *         lstore token
 *    begin:
 *         ...
 *    end:
 *         sipush method             leave: before each return
 *         lload token
 *         invokestatic leave
 *         return
 *    begin:
 *         ...
 *    end:
 *    handler:                       of all between begin and end
 *         sipush method
 *         lload token
 *         invokestatic unwind
 *         athrow
 *
 * What jumps to a return jumps to its leave; what jumps to the begin of a method jumps behind its enter. */
#ifndef KYMO_AGENT_CODE_H
#define KYMO_AGENT_CODE_H

#include "frames.h"

enum weave_result {
  WOVEN,
  /* The code is written as it was: nothing here can get probes. */
  NOT_WOVEN,
  /* What this weaver does not do: offsets that no longer fit, a constructor whose begin is not sure. */
  TOO_HARD
};

/* What all methods of a class use. */
struct scratch {
  uint32_t *to;
  struct type *types;
};

bool scratch_open(struct scratch *scratch);
void scratch_close(struct scratch *scratch);

/* Writes what the Code attribute contains, with probes. */
enum weave_result weave_code(
    struct pool *pool, const struct scratch *scratch, const struct method *method, int32_t number, struct output *out);

#endif
