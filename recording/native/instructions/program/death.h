#ifndef KYMO_INSTRUCTIONS_DEATH_H
#define KYMO_INSTRUCTIONS_DEATH_H

/*
 * A signal that nobody handles ends the process: QEMU 7.2 tells its plugins nothing then. The last that it does is to
 * call kill() for itself, once in all of its code, in the thread that the signal has come to.
 */

/* Has a function called before that. */
void ky_before_death(void (*dies)(int signal));

#endif
