/*
 * A plugin for QEMU's system mode: writes down which blocks of instructions each thread of a whole system executes,
 * its system calls, exceptions and interrupts, for `kymo machine record`. One processor, which counts instructions.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../blocks.h"
#include "../facts.h"
#include "../marker.h"
#include "../qemu-plugin.h"
#include "../trace.h"
#include "arguments.h"
#include "entries.h"
#include "guest.h"
#include "places.h"
#include "processor.h"
#include "replay.h"

#define EXPORT __attribute__((visibility("default")))

#define ARGUMENTS 6

static struct qemu_plugin_scoreboard *board;

/* Markers that are left until recording begins. */
static long passes;

/* The last exception. */
static struct {
  uint64_t address; /* where it came */
  uint64_t clock;
} exception;

/* Recording has ended for good. */
static bool stopped;

static void looked_at(struct block *block, const uint64_t *registers) {
  struct trace *trace = &ky_task->trace;
  const struct entry *entry = ky_entry_of(block);
  if (entry != NULL) {
    uint64_t address = ky_return_address(entry, registers);
    ky_entry_event(trace, ky_processor.last, entry->number, ky_executed(entry, address), address);
    if (!entry->interrupt) {
      exception.address = address;
      exception.clock = trace_clock(trace);
    }
  } else if (ky_processor.last != NULL && ky_processor.code->begun != ky_processor.whole) {
    /* An access to a device ends the block after it. */
    unsigned begun = (unsigned) ky_processor.code->begun + 1;
    ky_cut_event(trace, ky_processor.last, begun);
  }
  if ((block->flags & IS_USER) != 0 && ky_task->in_syscall) {
    ky_task->in_syscall = false;
    ky_return_event(trace, (int64_t) registers[RAX]);
  } else if ((block->flags & IS_SYSCALL) != 0) {
    uint64_t arguments[ARGUMENTS] = {
      registers[RDI], registers[RSI], registers[RDX], registers[R10], registers[R8], registers[R9]};
    ky_task->in_syscall = true;
    ky_syscall_event(trace, registers[RAX], arguments, ARGUMENTS);
  }
}

/* Recording ends for good. */
static void stop(void) {
  stopped = true;
  ky_record(false);
  ky_processor.last = NULL;
}

static __attribute__((noinline)) void on_unpredicted(struct block *block, const uint64_t *registers) {
  struct trace *trace = &ky_task->trace;
  looked_at(block, registers);
  if ((trace->open->progress & PROGRESS_BLOCKS) == 0) {
    ky_give_room(trace);
    if (is_after_window(trace)) {
      stop();
      return;
    }
  }
  if (!is_predicted(trace->open, block)) {
    ky_unpredicted(trace, block);
  }
}

void ky_on_block(unsigned int index, struct block *block, const uint64_t *registers);

void ky_on_block(unsigned int index, struct block *block, const uint64_t *registers) {
  (void) index;
  struct open_chunk *open = ky_open;
  block = ky_executed_block(block, registers[RIP]);
  if (__builtin_expect(open != NULL, 1)) {
    uint8_t watched = ky_task->in_syscall ? IS_ENTRY | IS_SYSCALL | IS_USER : IS_ENTRY | IS_SYSCALL;
    if (__builtin_expect((block->flags & watched) != 0 || ky_processor.code->begun != ky_processor.whole
          || (open->progress & PROGRESS_BLOCKS) == 0 || !is_predicted(open, block), 0)) {
      on_unpredicted(block, registers);
    }
  }
  ky_block_begins(block);
}

/* QEMU's code has the guest's registers at %rbp, and they are up to date where a block begins. */
__attribute__((naked)) static void on_block(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_block");
}

/* What the kernel's functions are called with, at their first instruction. */
enum hook { HOOK_NONE, HOOK_SWITCH, HOOK_DEAD, HOOK_COMM, HOOK_MAPPED, HOOK_SIGNAL, HOOK_OOPS, HOOK_PANIC };

/* Of a siginfo. */
enum { INFO_SIGNAL, INFO_ERROR, INFO_CODE, INFO_WORDS };

static void stop_at_fault(uint32_t signal, const char *what, uint64_t address, uint64_t clock) {
  if (ky_open == NULL) {
    return; /* nothing is recorded, or no longer */
  }
  ky_fault_is_met(clock, address, signal, what);
  stop();
}

/* The kernel makes a signal of an exception, and a few other ones. */
static void signal_is_made(uint64_t address) {
  uint32_t info[INFO_WORDS];
  if (ky_read(info, address, sizeof info) && ky_is_fault(info[INFO_SIGNAL]) && (int32_t) info[INFO_CODE] > 0) {
    stop_at_fault(info[INFO_SIGNAL], "", exception.address, exception.clock);
  }
}

/* panic() is called by whoever has found something wrong. */
static void kernel_panics(uint64_t stack) {
  uint64_t caller = 0;
  ky_read(&caller, stack, sizeof caller);
  stop_at_fault(0, "kernel panic", caller, ky_open == NULL ? 0 : trace_clock(&ky_task->trace));
}

void ky_on_hook(unsigned int index, enum hook hook, const uint64_t *registers);

void ky_on_hook(unsigned int index, enum hook hook, const uint64_t *registers) {
  (void) index;
  switch (hook) {
    case HOOK_SWITCH:
      if (ky_is_replay()) {
        ky_replay_switches(registers[RSI]);
      } else {
        ky_switch_to(registers[RSI]);
      }
      break;
    case HOOK_DEAD:
      ky_task_is_dead();
      break;
    case HOOK_COMM:
      ky_task_is_named(registers[RDI], registers[RSI], (registers[RDX] & 0xFF) != 0);
      break;
    case HOOK_MAPPED:
      ky_area_is_mapped(registers[RDI]);
      break;
    case HOOK_SIGNAL:
      signal_is_made(registers[RDI]);
      break;
    case HOOK_OOPS:
      stop_at_fault(0, "kernel oops", exception.address, exception.clock);
      break;
    case HOOK_PANIC:
      kernel_panics(registers[RSP]);
      break;
    case HOOK_NONE:
      break;
  }
}

__attribute__((naked)) static void on_hook(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_hook");
}

static void on_marker(unsigned int index, void *data) {
  (void) index;
  enum marker marker = (enum marker) (uintptr_t) data;
  if (marker == MARKER_BEGIN && --passes > 0) {
    return;
  }
  bool on = marker == MARKER_BEGIN && !stopped;
  if (ky_is_replay()) {
    ky_replay_counts(on);
  } else if (on != ky_is_recording()) {
    ky_record(on);
    ky_processor.last = NULL; /* recorded before, or not at all */
  }
}

/* As with a marker, recording is otherwise from the next block on. */
static void on_place(unsigned int index, void *data) {
  (void) index;
  enum marker marker = (enum marker) (uintptr_t) data;
  if (ky_open == NULL || !ky_pass(marker, ky_is_in_program())) {
    return;
  }
  if (marker == MARKER_BEGIN) {
    ky_window.begin = trace_clock(&ky_task->trace);
    ky_take_room(&ky_task->trace);
  } else {
    stop();
  }
}

/* Its part of the board is there now. */
static void on_processor(qemu_plugin_id_t id, unsigned int index) {
  (void) id;
  ky_processor.code = qemu_plugin_scoreboard_find(board, index);
}

/* What there is to do at an address of the kernel; 0 is none. */
static enum hook hook_at(uint64_t address) {
  const struct {
    uint64_t address;
    enum hook hook;
  } hooks[] = {
    {ky_symbols.switch_to, HOOK_SWITCH},
    {ky_symbols.task_dead, HOOK_DEAD},
    {ky_symbols.set_comm, HOOK_COMM},
    {ky_symbols.mapped, HOOK_MAPPED},
    {ky_symbols.make_signal, HOOK_SIGNAL},
    {ky_symbols.oops, HOOK_OOPS},
    {ky_symbols.panic, HOOK_PANIC},
  };
  for (size_t i = 0; address != 0 && i < sizeof hooks / sizeof *hooks; i++) {
    if (hooks[i].address == address) {
      return hooks[i].hook;
    }
  }
  return HOOK_NONE;
}

static void look_at(struct qemu_plugin_insn *instruction) {
  uint64_t address = qemu_plugin_insn_vaddr(instruction);
  for (enum marker place = MARKER_BEGIN; place <= MARKER_END && !ky_is_replay(); place++) {
    if (ky_is_place(place, address)) {
      qemu_plugin_register_vcpu_insn_exec_cb(
        instruction, on_place, QEMU_PLUGIN_CB_NO_REGS, (void *) (uintptr_t) place);
    }
  }
  enum hook hook = hook_at(address);
  if (hook == HOOK_SWITCH || (hook != HOOK_NONE && !ky_is_replay())) {
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_hook, QEMU_PLUGIN_CB_R_REGS, (void *) (uintptr_t) hook);
  }
  enum marker marker = ky_marker_of(instruction);
  if (marker != MARKER_NONE) {
    qemu_plugin_register_vcpu_insn_exec_cb(
      instruction, on_marker, QEMU_PLUGIN_CB_NO_REGS, (void *) (uintptr_t) marker);
  }
}

static void on_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *translated) {
  (void) id;
  qemu_plugin_u64 begun = {board, offsetof(struct shared_with_code, begun)};
  qemu_plugin_u64 wanted = {board, offsetof(struct shared_with_code, wanted)};
  struct block *block = ky_block(translated);
  if (block == NULL) {
    static bool told;
    if (!told) {
      told = true;
      ky_notice("instructions missing: a block of code could not be kept, because there are too many or it is too long");
    }
    return;
  }
  block->flags = ky_flags_of(block->address);
  if (ky_is_replay()) {
    ky_replay_block(translated, block);
  } else {
    qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_R_REGS, block);
  }
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(translated); i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, i);
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, QEMU_PLUGIN_INLINE_STORE_U64, begun, i);
    if (ky_is_replay()) {
      ky_replay_instruction(instruction, i, wanted);
    }
    look_at(instruction);
  }
}

EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments);

/*
 * Arguments: directory=..., where the files go; places=..., the file about the kernel; start=N, the marker at which
 * recording begins; begin=PLACE and end=PLACE, other places, and program=PATH, the file that they may be in;
 * signal=ADDRESS, oops=ADDRESS and panic=ADDRESS, functions of the kernel at which it stops. Of a replay: from=N and
 * to=N, the instructions that are looked at; registers=on, memory=on, ready=on for their details and the run queue;
 * at=HEX and after it value=WORDS for each value, data (data.h).
 */
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments) {
  const char *directory = "";
  const char *places = "";
  const char *wrong = NULL;
  for (int i = 0; i < count; i++) {
    const char *value;
    if ((value = ky_value_of(arguments[i], "directory")) != NULL) {
      directory = value;
    } else if ((value = ky_value_of(arguments[i], "places")) != NULL) {
      places = value;
    } else if ((value = ky_value_of(arguments[i], "start")) != NULL) {
      passes = strtol(value, NULL, 10);
    } else if ((value = ky_value_of(arguments[i], "program")) != NULL) {
      ky_set_program(value);
    } else if ((value = ky_value_of(arguments[i], "begin")) != NULL) {
      ky_set_place(MARKER_BEGIN, value);
    } else if ((value = ky_value_of(arguments[i], "end")) != NULL) {
      ky_set_place(MARKER_END, value);
    } else if ((value = ky_value_of(arguments[i], "signal")) != NULL) {
      ky_symbols.make_signal = strtoull(value, NULL, 16);
    } else if ((value = ky_value_of(arguments[i], "oops")) != NULL) {
      ky_symbols.oops = strtoull(value, NULL, 16);
    } else if ((value = ky_value_of(arguments[i], "panic")) != NULL) {
      ky_symbols.panic = strtoull(value, NULL, 16);
    } else if (wrong == NULL) {
      wrong = ky_replay_argument(arguments[i]);
    }
  }
  if (!info->system_emulation || strcmp(info->target_name, "x86_64") != 0 || info->system.smp_vcpus != 1) {
    fputs("kymo: machines are recorded by qemu-system-x86_64 with one processor only\n", stderr);
    return -1;
  }
  const char *missing = ky_read_places(places);
  if (missing != NULL) {
    fprintf(stderr, "kymo: nothing is known about the kernel: path=%s missing=%s\n", places, missing);
    return -1;
  }
  if (wrong == NULL && ky_is_replay()) {
    wrong = ky_begin_replay(id, passes == 0);
  }
  if (wrong != NULL) {
    fprintf(stderr, "kymo: %s\n", wrong);
    return -1;
  }
  if (!ky_open_recording(directory) || !ky_begin_guest()) {
    fprintf(stderr, "kymo: cannot write instructions: directory=%s\n", directory);
    return -1;
  }
  if (!ky_is_replay()) {
    ky_tell_entries();
    ky_record(passes == 0);
  }
  board = qemu_plugin_scoreboard_new(sizeof(struct shared_with_code));
  qemu_plugin_register_vcpu_init_cb(id, on_processor);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
  return 0;
}
