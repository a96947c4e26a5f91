/*
 * A plugin for QEMU's user mode: writes down which blocks of instructions each thread of a program executes, its
 * system calls and signals, for `kymo record --instructions`. README.md has the way of one block.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../blocks.h"
#include "../facts.h"
#include "../qemu-plugin.h"
#include "../trace.h"
#include "death.h"
#include "memory.h"
#include "orders.h"
#include "own.h"
#include "places.h"
#include "programs.h"
#include "spawns.h"
#include "targets.h"

#define EXPORT __attribute__((visibility("default")))

/* QEMU gives the smallest free number to a new thread. */
#define MAX_VCPUS 8192

#define MAX_ARGUMENTS 6

#define SET_NAME 15

/* Flags of clone for a child that uses its parent's memory while that waits. */
#define SPAWN (CLONE_VM | CLONE_VFORK)

/* A thread of the program: QEMU calls it a virtual CPU. */
struct vcpu {
  struct trace trace;
  bool begun;
  bool leaving; /* it starts a program that is not recorded, if there is no error */
  uint64_t arguments[MAX_ARGUMENTS]; /* of the system call that it is in */
};

static struct vcpu vcpus[MAX_VCPUS];

/* What is recorded of each; NULL: not yet, or nothing any more. */
static struct open_chunk *chunks[MAX_VCPUS];

static _Atomic uint32_t threads;
static pid_t process;

/* Whether instructions are recorded; markers, other places and orders switch it. */
static _Atomic bool recording = true;

/* Whether recording stops at the first fault. */
static bool until_fault;

/* This thread, if it is recorded. */
static __thread struct {
  const uint64_t *registers; /* NULL: it is not */
  unsigned int index;
} own;

static void begin(unsigned int index, const uint64_t *registers) {
  struct vcpu *vcpu = &vcpus[index];
  own.registers = registers;
  own.index = index;
  vcpu->begun = true;
  uint32_t thread = atomic_fetch_add(&threads, 1) + 1;
  ky_begin_trace(&vcpu->trace, ky_process, thread, (uint32_t) syscall(SYS_gettid));
  chunks[index] = vcpu->trace.open;
}

static void end(unsigned int index) {
  chunks[index] = NULL;
  if (vcpus[index].begun) {
    ky_end_trace(&vcpus[index].trace);
    vcpus[index].begun = false;
  }
}

/* Whether a thread is recorded; begins that with its first block, and again when recording goes on. */
static bool is_recorded(unsigned int index, const uint64_t *registers) {
  if (index >= MAX_VCPUS || !recording) {
    return false;
  }
  struct vcpu *vcpu = &vcpus[index];
  if (!vcpu->begun) {
    begin(index, registers);
  } else if (chunks[index] == NULL && vcpu->trace.open != NULL && !is_after_window(&vcpu->trace)) {
    ky_gap_event(&vcpu->trace);
    chunks[index] = vcpu->trace.open;
  }
  if (!recording) { // another thread has switched it off meanwhile
    chunks[index] = NULL;
  }
  return chunks[index] != NULL;
}

static void switch_recording(bool on) {
  recording = on && !ky_had_last_order();
  for (unsigned int i = 0; i < MAX_VCPUS && !on; i++) {
    chunks[i] = NULL;
  }
}

/* A signal has come to a recorded thread. */
static void on_signal(struct trace *trace, uint64_t signal, uint64_t address) {
  uint8_t code;
  bool fault = ky_signal_event(trace, signal, address, signal != 0 && ky_peek(&code, address, sizeof code) == 0);
  if (!fault || !until_fault || !ky_give_last_order()) {
    return;
  }
  struct {
    uint64_t clock, address;
    uint32_t thread, signal;
  } fact = {trace_clock(trace), address, trace->number, (uint32_t) signal};
  ky_fact(FACT_FAULT, &fact, sizeof fact, NULL, 0, NULL, 0);
  switch_recording(false);
}

/* A signal ends the process. */
static void on_death(int signal) {
  if (own.registers != NULL && chunks[own.index] != NULL) {
    on_signal(&vcpus[own.index].trace, (uint64_t) signal, own.registers[RIP]);
  }
}

/* The block that leads here is recorded as before; from the next one on it is otherwise. */
static void on_place(unsigned int index, void *data) {
  (void) index;
  enum place place = (enum place) (uintptr_t) data;
  if (ky_pass(place)) {
    switch_recording(place == PLACE_BEGIN);
  }
}

static __attribute__((noinline)) void on_full(unsigned int index) {
  struct trace *trace = &vcpus[index].trace;
  ky_give_room(trace);
  if (is_after_window(trace)) {
    chunks[index] = NULL;
  }
}

static __attribute__((noinline)) void on_unpredicted(unsigned int index, struct block *block,
    const uint64_t *registers) {
  if (!is_recorded(index, registers)) {
    return;
  }
  struct trace *trace = &vcpus[index].trace;
  if (block->handler) {
    uint64_t address;
    uint64_t signal = ky_handled_signal(registers, &address);
    on_signal(trace, signal, address);
    if (chunks[index] == NULL) {
      return;
    }
  }
  ky_unpredicted(trace, block);
  if ((trace->open->progress & PROGRESS_BLOCKS) == 0) {
    on_full(index);
  }
}

void ky_on_block(unsigned int index, struct block *block, const uint64_t *registers);

void ky_on_block(unsigned int index, struct block *block, const uint64_t *registers) {
  struct open_chunk *open = index < MAX_VCPUS ? chunks[index] : NULL;
  if (__builtin_expect(open == NULL, 0)) {
    if (recording) {
      on_unpredicted(index, block, registers);
    }
  } else if (__builtin_expect(!is_predicted(open, block), 0)) {
    on_unpredicted(index, block, registers);
  } else if (__builtin_expect((open->progress & PROGRESS_BLOCKS) == 0, 0)) {
    on_full(index);
  }
}

/*
 * QEMU's code has the guest's registers at %rbp, and they are up to date where a block begins. Version 1 of the
 * interface has no other way to them.
 */
__attribute__((naked)) static void on_block(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_block");
}

void ky_on_repetition(unsigned int index, struct block *block, const uint64_t *registers);

/*
 * QEMU 7.2 begins a block for each repetition of a string instruction, and one more when the count has become 0. That
 * one executes nothing.
 */
void ky_on_repetition(unsigned int index, struct block *block, const uint64_t *registers) {
  bool recorded = index < MAX_VCPUS && chunks[index] != NULL;
  const struct block *last = recorded ? ky_last_block(&vcpus[index].trace) : NULL;
  if (last == NULL || last->last != block->address || registers[RCX] != 0) {
    ky_on_block(index, block, registers);
  }
}

__attribute__((naked)) static void on_repetition(unsigned int index __attribute__((unused)),
    void *data __attribute__((unused))) {
  __asm__("mov %rbp, %rdx\n\tjmp ky_on_repetition");
}

static void on_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *translated) {
  (void) id;
  static atomic_flag mapped = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&mapped)) {
    ky_program_at(ky_mapped_modules()); /* the program and its dynamic linker, before the first of their blocks */
    ky_tell_program();
  }
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(translated); i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, i);
    for (enum place place = PLACE_BEGIN; place <= PLACE_END; place++) {
      if (ky_is_place(place, instruction)) {
        qemu_plugin_register_vcpu_insn_exec_cb(
          instruction, on_place, QEMU_PLUGIN_CB_NO_REGS, (void *) (uintptr_t) place);
      }
    }
  }
  struct block *block = ky_block(translated);
  if (block != NULL) {
    qemu_plugin_vcpu_udata_cb callback = block->repeated ? on_repetition : on_block;
    qemu_plugin_register_vcpu_tb_exec_cb(translated, callback, QEMU_PLUGIN_CB_NO_REGS, block);
    return;
  }
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&told)) {
    ky_notice("instructions missing: a block of code could not be kept, because there are too many or it is too long");
  }
}

/* The number of a thread that begins may be that of one that has ended. */
static void on_vcpu(qemu_plugin_id_t id, unsigned int index) {
  (void) id;
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (index < MAX_VCPUS) {
    end(index);
  } else if (!atomic_flag_test_and_set(&told)) {
    ky_notice("instructions missing: threads beyond 8192 at a time are not recorded");
  }
}

static void handler_is_set(struct vcpu *vcpu, uint64_t action) {
  uint64_t handler;
  if (action != 0 && ky_peek(&handler, action, sizeof handler) == sizeof handler && ky_handler(handler)
      && vcpu->begun && vcpu->trace.open != NULL) {
    ky_forget_event(&vcpu->trace);
  }
}

static void name_is_set(struct vcpu *vcpu, uint64_t address) {
  char name[16] = "";
  if (ky_peek(name, address, sizeof name) == 0) {
    return;
  }
  struct {
    uint64_t clock;
    uint32_t thread, tid;
  } fact = {trace_clock(&vcpu->trace), vcpu->trace.number, vcpu->trace.open->tid};
  ky_fact(FACT_THREAD, &fact, sizeof fact, name, strnlen(name, sizeof name), NULL, 0);
}

/* A fact: the process goes on in a program that is not recorded; without a name: it does not after all. */
static void leave(struct vcpu *vcpu, const char *name) {
  uint64_t clock = vcpu->begun && vcpu->trace.open != NULL ? trace_clock(&vcpu->trace) : ky_clock();
  ky_fact(FACT_LEFT, &clock, sizeof clock, name, strlen(name), NULL, 0);
  vcpu->leaving = *name != 0;
}

/* Whether as much of a text can be read as is compared with the name of a variable. */
static bool is_text(uint64_t address) {
  char byte = 1;
  size_t at = 0;
  while (at < sizeof "LD_" && byte != 0 && ky_peek(&byte, address + at, sizeof byte) == sizeof byte) {
    at++;
  }
  return at == sizeof "LD_" || byte == 0;
}

static bool is_list(uint64_t address, bool (*is_item)(uint64_t)) {
  uint64_t item = address;
  for (; address != 0 && item != 0; address += sizeof item) {
    if (ky_peek(&item, address, sizeof item) != sizeof item || (item != 0 && is_item != NULL && !is_item(item))) {
      return false;
    }
  }
  return true;
}

/* Addresses that are not there are left to the system, which says so to the program. */
static void program_is_started(struct vcpu *vcpu, int directory, const uint64_t arguments[3], uint64_t flags) {
  char path[PATH_MAX];
  char name[PATH_MAX + 32];
  if (!ky_peek_text(path, sizeof path, arguments[0]) || !is_list(arguments[1], NULL)
      || !is_list(arguments[2], is_text) || !ky_target_name(name, sizeof name, directory, path, flags)) {
    return;
  }
  char options[128];
  snprintf(options, sizeof options, ",order=%u%s%s,begin=%" PRIu64 ",end=%" PRIu64, ky_order,
    recording ? "" : ",off=1", until_fault ? ",fault=1" : "", ky_window.begin, ky_window.end);
  if (ky_exec(name, (char *const *) arguments[1], (char *const *) arguments[2], options)) {
    leave(vcpu, name);
  }
}

static void on_syscall(qemu_plugin_id_t id, unsigned int index, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
    uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
  (void) id, (void) a7, (void) a8;
  if (index >= MAX_VCPUS) {
    return;
  }
  struct vcpu *vcpu = &vcpus[index];
  uint64_t arguments[MAX_ARGUMENTS] = {a1, a2, a3, a4, a5, a6};
  memcpy(vcpu->arguments, arguments, sizeof arguments);
  if (chunks[index] != NULL) {
    ky_syscall_event(&vcpu->trace, (uint64_t) number, arguments, MAX_ARGUMENTS);
  }
  if (number == SYS_rt_sigaction) {
    handler_is_set(vcpu, a2);
  } else if (number == SYS_execve) {
    program_is_started(vcpu, AT_FDCWD, arguments, 0);
  } else if (number == SYS_execveat) {
    program_is_started(vcpu, (int32_t) a1, arguments + 1, a5);
  } else if (number == SYS_clone && (a1 & SPAWN) == SPAWN && a2 != 0 && own.registers != NULL) {
    ky_before_spawn(a2, own.registers[RSP]);
  } else if (number == SYS_exit_group || number == SYS_exit) {
    ky_child_ends();
  } else if (number == SYS_prctl && a1 == SET_NAME && vcpu->begun && vcpu->trace.open != NULL) {
    name_is_set(vcpu, a2);
  }
}

/* What may stand in place of a secret is longer than a value by at most this, in each word. */
#define LEFT_OUT 3

/*
 * The command that QEMU runs: what follows its options, each of which has a value. begins: now. Words have
 * FACT_BETWEEN between them; then blanks follow, so that secrets can be left out where it stands.
 */
static size_t command(char *to, size_t size, bool begins) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  static char all[64 * 1024];
  ssize_t length = read(file, all, sizeof all - 1);
  close(file);
  if (length <= 0) {
    return 0;
  }
  all[length] = 0;
  char *end = all + length;
  char *next = all + strlen(all) + 1;
  while (next < end && *next == '-') {
    next += strlen(next) + 1;
    next += next < end ? strlen(next) + 1 : 0;
  }
  if (next < end && begins) {
    ky_remember_program(next, (size_t) (next - all));
  }
  size_t used = 0;
  size_t room = 0;
  for (; next < end && used + room + LEFT_OUT < size; next++) {
    to[used++] = *next == 0 ? FACT_BETWEEN : *next;
    room += *next == 0 ? LEFT_OUT : 0;
  }
  used -= used > 0 && to[used - 1] == FACT_BETWEEN;
  memset(to + used, ' ', room);
  return used + room;
}

/* Begins this process in the recording. */
static bool begin_process(enum begin how, uint32_t parent, uint32_t blocks) {
  static char text[32 * 1024];
  process = getpid();
  if (!ky_begin_facts()) {
    return false;
  }
  size_t length = command(text, sizeof text, how != BEGIN_FORK);
  ky_process_fact((uint32_t) process, (uint32_t) getppid(), parent, how, blocks, text, length);
  return true;
}

/* A child by fork has one thread, the one that called fork, and writes files of its own. */
static void after_fork(unsigned int forked) {
  uint32_t parent = ky_process;
  for (unsigned int index = 0; index < MAX_VCPUS; index++) {
    end(index);
  }
  ky_blocks_after_fork();
  threads = 0;
  if (!ky_had_last_order() && begin_process(BEGIN_FORK, parent, ky_block_count())) {
    is_recorded(forked, own.registers);
    ky_follow_orders(switch_recording);
  } else {
    recording = false;
    atomic_fetch_add(&ky_shared->lost, !ky_had_last_order() && !ky_is_over()); /* at least one */
  }
}

static void on_return(qemu_plugin_id_t id, unsigned int index, int64_t number, int64_t result) {
  (void) id;
  if (index >= MAX_VCPUS) {
    return;
  }
  struct vcpu *vcpu = &vcpus[index];
  if (vcpu->leaving) {
    leave(vcpu, "");
  }
  bool forks = number == SYS_clone || number == SYS_fork || number == SYS_vfork;
  if (forks && result == 0 && getpid() != process) {
    ky_in_child();
    after_fork(index);
    return;
  }
  if (number == SYS_clone) {
    ky_after_spawn(result > 0);
  }
  if (chunks[index] != NULL) {
    ky_return_event(&vcpu->trace, result);
  }
  const uint64_t *arguments = vcpu->arguments;
  if (number == SYS_mmap && result > 0 && (arguments[2] & PROT_EXEC) != 0 && (int32_t) arguments[4] >= 0) {
    ky_module((uint64_t) result, arguments[1], (int32_t) arguments[4], arguments[5]);
  }
}

EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments);

/*
 * Arguments: directory=..., where the files go; parent=..., the number of the process that called execve; start=... and
 * stop=..., places; off=1, if recording is to begin at a place that children know, a marker, or by an order; order=...,
 * the one that is followed; begin=N and end=N, the instructions of each thread that are recorded; fault=1, if recording
 * is to stop at a fault.
 */
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments) {
  const char *directory = "";
  uint32_t parent = 0;
  for (int i = 0; i < count; i++) {
    if (strncmp(arguments[i], "directory=", 10) == 0) {
      directory = arguments[i] + 10;
    } else if (strncmp(arguments[i], "parent=", 7) == 0) {
      parent = (uint32_t) strtoul(arguments[i] + 7, NULL, 10);
    } else if (strncmp(arguments[i], "start=", 6) == 0) {
      recording = !ky_set_place(PLACE_BEGIN, arguments[i] + 6);
    } else if (strncmp(arguments[i], "stop=", 5) == 0) {
      ky_set_place(PLACE_END, arguments[i] + 5);
    } else if (strcmp(arguments[i], "off=1") == 0) {
      recording = false;
    } else if (strncmp(arguments[i], "order=", 6) == 0) {
      ky_order = (uint32_t) strtoul(arguments[i] + 6, NULL, 10);
    } else if (strncmp(arguments[i], "begin=", 6) == 0) {
      ky_window.begin = strtoull(arguments[i] + 6, NULL, 10);
    } else if (strncmp(arguments[i], "end=", 4) == 0) {
      ky_window.end = strtoull(arguments[i] + 4, NULL, 10);
    } else if (strcmp(arguments[i], "fault=1") == 0) {
      until_fault = true;
    }
  }
  if (info->system_emulation || strcmp(info->target_name, "x86_64") != 0) {
    fputs("kymo: instructions are recorded by qemu-x86_64 only\n", stderr);
    return -1;
  }
  bool opened = ky_open_recording(directory);
  if (parent != 0 && (!opened || ky_is_over() || ky_had_last_order())) {
    return 0; /* the recording is over, and a program that is started now is not recorded */
  }
  bool begun = opened && begin_process(parent == 0 ? BEGIN_FIRST : BEGIN_EXEC, parent, 0);
  if (!begun && parent != 0) {
    return 0; /* no file can be made, which is no reason to end what another program has started */
  }
  if (!begun) {
    fprintf(stderr, "kymo: cannot write instructions: directory=%s\n", directory);
    return -1;
  }
  ky_follow_orders(switch_recording);
  ky_before_death(on_death);
  qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
  qemu_plugin_register_vcpu_exit_cb(id, on_vcpu);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
  qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
  return 0;
}
