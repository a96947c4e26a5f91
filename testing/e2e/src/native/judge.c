/*
 * A plugin for QEMU 10 that knows nothing of Kymo, to judge it. It writes how many instructions were begun, each counted
 * by itself, and the registers at each execution of one instruction, as QEMU's own interface has them.
 * Arguments: output=..., a file; at=..., the instruction's address in hexadecimal digits; from=N and to=N, only while as
 * many instructions have begun. It looks until the marker that ends recording, KYMO_END of kymo.h.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define ADD 0
#define READS_REGISTERS 1
#define REGISTERS 16

typedef struct {
  void *score;
  size_t offset;
} count_t;

typedef struct {
  void *handle;
  const char *name;
  const char *feature;
} descriptor_t;

typedef struct {
  void *data;
  unsigned int length;
} array_t;

extern void *qemu_plugin_scoreboard_new(size_t size);
extern uint64_t qemu_plugin_u64_sum(count_t entry);
extern void qemu_plugin_register_vcpu_init_cb(uint64_t id, void (*callback)(uint64_t, unsigned int));
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t, void *));
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*callback)(uint64_t, void *), void *data);
extern void qemu_plugin_register_vcpu_insn_exec_cb(void *instruction, void (*callback)(unsigned int, void *), int flags,
  void *data);
extern void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(void *instruction, int op, count_t entry, uint64_t value);
extern size_t qemu_plugin_tb_n_insns(const void *block);
extern void *qemu_plugin_tb_get_insn(const void *block, size_t index);
extern uint64_t qemu_plugin_insn_vaddr(const void *instruction);
extern size_t qemu_plugin_insn_data(const void *instruction, void *to, size_t size);
extern array_t *qemu_plugin_get_registers(void);
extern int qemu_plugin_read_register(void *handle, array_t *to);
extern array_t *g_byte_array_new(void);
extern array_t *g_byte_array_set_size(array_t *array, unsigned int size);

static const char *const NAMES[REGISTERS] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10",
  "r11", "r12", "r13", "r14", "r15"};

static void *handles[REGISTERS];
static array_t *bytes;
static count_t begun;
static uint64_t address, from, to;
static FILE *output;
static uint64_t counted;

static const uint8_t END[] = {0x0F, 0x1F, 0x80, 2, 0x44, 0x54, 0x53};

static void started(uint64_t id, unsigned int vcpu) {
  (void) id, (void) vcpu;
  array_t *all = qemu_plugin_get_registers();
  const descriptor_t *descriptors = all->data;
  for (unsigned int i = 0; i < all->length; i++) {
    for (int r = 0; r < REGISTERS; r++) {
      if (strcmp(descriptors[i].name, NAMES[r]) == 0) {
        handles[r] = descriptors[i].handle;
      }
    }
  }
  bytes = g_byte_array_new();
}

static void executed(unsigned int vcpu, void *data) {
  (void) vcpu, (void) data;
  uint64_t now = qemu_plugin_u64_sum(begun);
  if (now < from || now > to) {
    return;
  }
  for (int r = 0; r < REGISTERS; r++) {
    uint64_t value = 0;
    g_byte_array_set_size(bytes, 0);
    if (qemu_plugin_read_register(handles[r], bytes) == (int) sizeof value) {
      memcpy(&value, bytes->data, sizeof value);
    }
    fprintf(output, "%s%s=%" PRIx64, r == 0 ? "" : " ", NAMES[r], value);
  }
  fputc('\n', output);
}

static void over(unsigned int vcpu, void *data) {
  (void) vcpu, (void) data;
  counted = counted == 0 ? qemu_plugin_u64_sum(begun) : counted;
}

static int is_end(const void *instruction) {
  uint8_t code[16];
  return qemu_plugin_insn_data(instruction, code, sizeof code) == sizeof END && memcmp(code, END, sizeof END) == 0;
}

static void translated(uint64_t id, void *block) {
  (void) id;
  int ends = 0;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    void *instruction = qemu_plugin_tb_get_insn(block, i);
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, ADD, begun, 1);
    if (address != 0 && qemu_plugin_insn_vaddr(instruction) == address) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, READS_REGISTERS, NULL);
    }
    ends |= is_end(instruction);
    if (ends && i + 1 == qemu_plugin_tb_n_insns(block)) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, over, 0, NULL);
    }
  }
}

static void ended(uint64_t id, void *data) {
  (void) id, (void) data;
  fprintf(output, "begun %" PRIu64 "\n", counted);
  fclose(output);
}

EXPORT int qemu_plugin_version = 4;

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments);

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments) {
  (void) info;
  for (int i = 0; i < count; i++) {
    if (strncmp(arguments[i], "output=", 7) == 0) {
      output = fopen(arguments[i] + 7, "w");
    } else if (strncmp(arguments[i], "at=", 3) == 0) {
      address = strtoull(arguments[i] + 3, NULL, 16);
    } else if (strncmp(arguments[i], "from=", 5) == 0) {
      from = strtoull(arguments[i] + 5, NULL, 10);
    } else if (strncmp(arguments[i], "to=", 3) == 0) {
      to = strtoull(arguments[i] + 3, NULL, 10);
    }
  }
  if (output == NULL) {
    return -1;
  }
  begun.score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
  qemu_plugin_register_vcpu_init_cb(id, started);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
