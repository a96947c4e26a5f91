/* The probes in one method's code.
 *
 *         sipush method             enter: in a constructor after the call of the other constructor
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
 * A jump to a return goes to its leave; a jump to the begin of a method goes to the place after its enter. */
#ifndef KYMO_AGENT_CODE_H
#define KYMO_AGENT_CODE_H

#include "frames.h"

enum weave_result {
  WOVEN,
  /* The method cannot have probes, and its code stays as it was. */
  NOT_WOVEN,
  /* This weaver cannot do it: offsets no longer fit, or the begin of a constructor is not certain. */
  TOO_HARD
};

/* Memory that all methods of a class share. */
struct scratch {
  uint32_t *to;
  struct type *types;
};

bool scratch_open(struct scratch *scratch);
void scratch_close(struct scratch *scratch);

/* Writes the contents of the Code attribute with probes. */
enum weave_result weave_code(
    struct pool *pool, const struct scratch *scratch, const struct method *method, int32_t number, struct output *out);

#endif
