/* What threads wait for at monitors, and the pauses of the garbage collector, as the virtual machine's tool interface
 * (JVMTI) reports them: it costs nothing where nobody waits, and cannot fail later. Sleeps are seen by the native method
 * behind Thread.sleep, which is bound to a function here that calls the virtual machine's own. */
#ifndef KYMO_AGENT_WAITS_H
#define KYMO_AGENT_WAITS_H

#include <jni.h>
#include <stdbool.h>

#include "output.h"

/* Begins to keep them; by a class of the boot loader. False if the virtual machine cannot report them.
 *
 * counter: whether the recording's clock is the processor's counter */
bool waits_begin(JNIEnv *env, bool waits, bool pauses, bool counter);

/* Keeps no more. What is under way now is not kept either. */
void waits_end(JNIEnv *env);

/* Writes what has ended since the last time, the newest first, and how many were not kept for want of memory (4 bytes)
 * before it. Each is, with the most significant byte first:
 *
 *   u1 kind      enum wait_kind
 *   u8 thread    Java's number of the thread, 0 for a pause
 *   u8 begin     clock
 *   u8 end
 *   u4 object    identity of what was waited for
 *   u8 other     of a join: number of the thread that was waited for
 *   u2 length    of the class, then its signature
 *   u2 length    of the thread's name, then the name; both in Java's own UTF-8
 */
void waits_take(struct output *out);

/* Writes the threads that are waiting to enter a monitor: for each its number and when it began, 8 bytes each. */
void waits_entering(struct output *out);

/* dev.kymo.agent.waits.MonitorEvents has the same numbers. */
enum wait_kind { WAITED_TO_ENTER = 1, WAITED_FOR_NOTIFY = 2, WAITED_FOR_THREAD = 3, PAUSED = 4, SLEPT = 5 };

#endif
