package dev.kymo.agent.weave;

/** A way in which the probes fit into a method. */
enum Fit {
  /** A leave before each return. */
  LEAVES,
  /** One leave, to which all returns jump. */
  ONE_LEAVE,
  NONE;

  /** HotSpot never compiles methods beyond this size; probes must not push one over it. */
  private static final int COMPILABLE_SIZE = 8000;

  /** The class file format's limit, with room for what the estimate misses. */
  private static final int LARGEST_SIZE = 65_000;

  private static final int MOST_LOCALS = 65_535;
  private static final int SLOTS_OF_TOKEN = 2;
  private static final int BYTES_PER_PROBE = 10;
  private static final int BYTES_OF_HANDLERS = 16;

  /** Of a jump, or of a long one. */
  private static final int BYTES_PER_JUMP = 3;

  private static final int BYTES_PER_LONG_JUMP = 5;

  /** Why a method has no probes, for which there was no other reason. */
  static String why(MethodFacts method) {
    return method.locals() + SLOTS_OF_TOKEN > MOST_LOCALS
        ? "it has no variable left for its probes: locals=" + method.locals()
        : "its probes do not fit into it: bytes=" + method.size() + " returns=" + method.returns();
  }

  static Fit of(MethodFacts method) {
    int size = method.size();
    int most = size <= COMPILABLE_SIZE ? COMPILABLE_SIZE : LARGEST_SIZE;
    int always = size + BYTES_PER_PROBE + BYTES_OF_HANDLERS;
    int jump = most == COMPILABLE_SIZE ? BYTES_PER_JUMP : BYTES_PER_LONG_JUMP;
    if (method.locals() + SLOTS_OF_TOKEN > MOST_LOCALS) {
      return NONE;
    } else if (always + method.returns() * BYTES_PER_PROBE <= most) {
      return LEAVES;
    } else {
      return always + BYTES_PER_PROBE + method.returns() * jump <= most ? ONE_LEAVE : NONE;
    }
  }
}
