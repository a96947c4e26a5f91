package dev.kymo.instructions.calls;

/** Takes the calls of a thread, in order. */
interface NestSink {
  void enter(int method, long clock);

  void leave(int method, long clock);

  /** A call ends because the program goes on in one of its callers, as after an exception. */
  void unwind(int method, long clock);

  /** Nothing happens, but the thread has come so far. */
  void present(long clock);
}
