#ifndef KYMO_INSTRUCTIONS_REPLAY_H
#define KYMO_INSTRUCTIONS_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../blocks.h"
#include "../qemu-plugin.h"

/*
 * A machine is replayed: only the clock goes on, and what is wanted of instructions is written (details.h, data.h).
 */

bool ky_is_replay(void);

/* An argument about a replay; says what is wrong with it, NULL if nothing is. */
const char *ky_replay_argument(const char *argument);

/* Begins; says what is wrong with what is wanted, NULL if nothing is. counting: whether the clock goes on already. */
const char *ky_begin_replay(qemu_plugin_id_t id, bool counting);

/* The clock goes on from here, or stands still. */
void ky_replay_counts(bool on);

/* The kernel switches to a thread, a task_struct. */
void ky_replay_switches(uint64_t task);

/* A block is translated. */
void ky_replay_block(struct qemu_plugin_tb *translated, struct block *block);

/* Its instruction with this number. wanted: where QEMU's code finds whether details are. */
void ky_replay_instruction(struct qemu_plugin_insn *instruction, size_t number, qemu_plugin_u64 wanted);

#endif
