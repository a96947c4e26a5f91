#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../trace.h"
#include "arguments.h"
#include "data.h"
#include "details.h"
#include "entries.h"
#include "processor.h"

static struct {
  bool on;       /* whether it is one */
  bool counting; /* between markers */
  bool ready;    /* whether the run queue is wanted at each switch */
  uint64_t clock; /* where the last block begins */
  struct wishes wishes;
} replay;

/* Ends the last block: this many of its instructions were executed. */
static void count_last(unsigned instructions) {
  if (ky_processor.last != NULL) {
    replay.clock += instructions;
    if (ky_processor.code->begun >= instructions) {
      ky_instruction_failed();
      ky_data_failed(replay.clock);
    }
  }
  ky_processor.last = NULL;
}

void ky_on_replayed(unsigned int index, struct block *block, const uint64_t *registers);

void ky_on_replayed(unsigned int index, struct block *block, const uint64_t *registers) {
  (void) index;
  if (!replay.counting) {
    return;
  }
  block = ky_executed_block(block, registers[RIP]);
  const struct entry *entry = ky_entry_of(block);
  if (entry != NULL) {
    count_last(ky_executed(entry, ky_return_address(entry, registers)));
  } else if (ky_processor.last != NULL) {
    count_last((unsigned) ky_processor.code->begun + 1);
  }
  if (ky_is_range_over(replay.clock)) {
    ky_end_details();
    ky_end_data();
    _exit(0);
  }
  ky_block_begins(block);
  ky_processor.code->wanted = ky_in_range(replay.clock, block->instructions);
}

__attribute__((naked)) static void on_replayed(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_replayed");
}

void ky_on_instruction(unsigned int index, uint64_t number, const uint64_t *registers);

void ky_on_instruction(unsigned int index, uint64_t number, const uint64_t *registers) {
  (void) index;
  ky_instruction_begins(replay.clock + number, registers);
}

__attribute__((naked)) static void on_instruction(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_instruction");
}

static bool is_wanted(uint64_t clock) {
  return ky_processor.last != NULL && clock >= replay.wishes.from && clock < replay.wishes.to;
}

/* Where the instruction is that was begun last; 0: it is not known. */
static uint64_t address_of_begun(void) {
  const struct block *block = ky_processor.last;
  if (block == NULL || ky_processor.code->begun >= block->instructions) {
    return 0;
  }
  uint64_t address = block->address;
  for (uint64_t i = 0; i < ky_processor.code->begun; i++) {
    address += block->bytes[i];
  }
  return address;
}

void ky_on_data(unsigned int index, void *none, const uint64_t *registers);

void ky_on_data(unsigned int index, void *none, const uint64_t *registers) {
  (void) index, (void) none;
  /* What the plugin has QEMU store for an instruction comes before its callbacks. */
  uint64_t clock = replay.clock + ky_processor.code->begun;
  unsigned place = ky_data_at(address_of_begun());
  if (place != 0 && is_wanted(clock)) {
    ky_data_reached(place, clock, registers);
  }
}

__attribute__((naked)) static void on_data(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_data");
}

static void on_memory(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address, void *data) {
  (void) index, (void) data;
  if (ky_processor.code->wanted == 0) {
    return;
  }
  qemu_plugin_mem_value value = qemu_plugin_mem_get_value(info);
  uint64_t low = 0;
  uint64_t high = 0;
  switch (value.type) {
    case QEMU_PLUGIN_MEM_VALUE_U8:
      low = value.data.u8;
      break;
    case QEMU_PLUGIN_MEM_VALUE_U16:
      low = value.data.u16;
      break;
    case QEMU_PLUGIN_MEM_VALUE_U32:
      low = value.data.u32;
      break;
    case QEMU_PLUGIN_MEM_VALUE_U64:
      low = value.data.u64;
      break;
    case QEMU_PLUGIN_MEM_VALUE_U128:
      low = value.data.u128.low;
      high = value.data.u128.high;
      break;
  }
  ky_memory_used(address, qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info), low, high);
}

const char *ky_replay_argument(const char *argument) {
  const char *value;
  if ((value = ky_value_of(argument, "to")) != NULL) {
    replay.on = true;
    replay.wishes.to = strtoull(value, NULL, 10);
  } else if ((value = ky_value_of(argument, "from")) != NULL) {
    replay.wishes.from = strtoull(value, NULL, 10);
  } else if ((value = ky_value_of(argument, "at")) != NULL) {
    return ky_add_data(value);
  } else if ((value = ky_value_of(argument, "value")) != NULL) {
    return ky_add_value(value);
  } else if (strcmp(argument, "registers=on") == 0) {
    replay.wishes.registers = true;
  } else if (strcmp(argument, "memory=on") == 0) {
    replay.wishes.memory = true;
  } else if (strcmp(argument, "ready=on") == 0) {
    replay.ready = true;
  }
  return NULL;
}

bool ky_is_replay(void) {
  return replay.on;
}

static void on_exit_of_replay(qemu_plugin_id_t id, void *data) {
  (void) id, (void) data;
  ky_end_details();
  ky_end_data();
}

const char *ky_begin_replay(qemu_plugin_id_t id, bool counting) {
  if (replay.ready && !ky_knows_run_queue()) {
    return "this kernel's run queue is not known";
  }
  replay.counting = counting;
  ky_begin_details(&replay.wishes);
  qemu_plugin_register_atexit_cb(id, on_exit_of_replay, NULL);
  return NULL;
}

void ky_replay_counts(bool on) {
  if (on == replay.counting) {
    return;
  }
  count_last(ky_processor.last == NULL ? 0 : ky_processor.last->instructions);
  replay.counting = on;
  ky_processor.code->wanted = 0;
}

void ky_replay_switches(uint64_t task) {
  uint64_t clock = replay.clock + ky_processor.code->begun;
  ky_replay_switch(clock, task, replay.ready && is_wanted(clock));
}

void ky_replay_block(struct qemu_plugin_tb *translated, struct block *block) {
  qemu_plugin_register_vcpu_tb_exec_cb(translated, on_replayed, QEMU_PLUGIN_CB_R_REGS, block);
}

void ky_replay_instruction(struct qemu_plugin_insn *instruction, size_t number, qemu_plugin_u64 wanted) {
  if (replay.wishes.registers || replay.wishes.memory) {
    qemu_plugin_register_vcpu_insn_exec_cond_cb(instruction, on_instruction, QEMU_PLUGIN_CB_R_REGS,
      QEMU_PLUGIN_COND_NE, wanted, 0, (void *) (uintptr_t) number);
  }
  if (replay.wishes.memory) {
    qemu_plugin_register_vcpu_mem_cb(instruction, on_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
  }
  if (ky_may_be_data(qemu_plugin_insn_vaddr(instruction))) {
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_data, QEMU_PLUGIN_CB_R_REGS, NULL);
  }
}
