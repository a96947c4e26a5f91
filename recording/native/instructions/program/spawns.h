/*
 * Children that use their parent's memory until they are another program: vfork, and posix_spawn of the C library. QEMU
 * gives them memory of their own and lets the parent go on. So the parent waits here, and gets what a child that failed
 * has left for it.
 */
#ifndef KYMO_SPAWNS_H
#define KYMO_SPAWNS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Before the calling thread makes a child.
 *
 * stack: of the child; below: the caller's stack pointer
 */
void ky_before_spawn(uint64_t stack, uint64_t below);

/* In the parent: waits until the child is another program or has ended. Does nothing if nothing was prepared. */
void ky_after_spawn(bool made);

/* In any child, first. */
void ky_in_child(void);

/* Before the calling process ends. */
void ky_child_ends(void);

#endif
