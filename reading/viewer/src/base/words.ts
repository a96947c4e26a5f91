/**
 * The words that recordings have for what a thread waits for and for what the kernel does with it. The
 * recording side writes them, and the server passes them on.
 */

/** What a thread of a Java program waits for. */
export const WAIT_KINDS = ['monitor', 'lock', 'park', 'sleep', 'wait', 'join', 'start'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];
export const [MONITOR, LOCK, PARK, SLEEP, WAIT, JOIN, START] = WAIT_KINDS;

/** What a thread waits for because of the recorder; no other thread lets it go on. */
export const RECORDER_WAIT_KINDS = ['weaving'] as const;
export type RecorderWaitKind = (typeof RECORDER_WAIT_KINDS)[number];

/** Objects of the C thread library that a thread waits for. */
export const NATIVE_WAIT_KINDS = ['mutex', 'rwlock', 'spinlock', 'once', 'condition', 'semaphore', 'barrier'] as const;
export type NativeWaitKind = (typeof NATIVE_WAIT_KINDS)[number];

/** What the kernel's scheduler does with a thread. */
export const SCHEDULER_STATES = ['running', 'runnable', 'blocked', 'interrupted', 'fault', 'handed'] as const;
export type SchedulerState = (typeof SCHEDULER_STATES)[number];
export const [RUNNING, RUNNABLE, BLOCKED, INTERRUPTED, FAULT, HANDED] = SCHEDULER_STATES;

/**
 * What a track shows: a thread's calls, what a thread waited for, what the virtual machine did, what the kernel did
 * with a thread, or what a processor ran.
 */
export const TRACK_KINDS = ['calls', 'states', 'jvm', 'scheduled', 'cpu'] as const;
export type TrackKind = (typeof TRACK_KINDS)[number];
