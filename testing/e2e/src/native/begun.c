/* A plugin for QEMU 10 that counts the instructions that are begun, each by itself: Kymo's judge. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  void *score;
  size_t offset;
} count_t;

extern void *qemu_plugin_scoreboard_new(size_t size);
extern uint64_t qemu_plugin_u64_sum(count_t entry);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t, void *));
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*callback)(uint64_t, void *), void *data);
extern void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(void *instruction, int op, count_t entry, uint64_t value);
extern size_t qemu_plugin_tb_n_insns(const void *block);
extern void *qemu_plugin_tb_get_insn(const void *block, size_t index);

#define ADD 0

static count_t begun;
static const char *path;

static void translated(uint64_t id, void *block) {
  (void) id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(qemu_plugin_tb_get_insn(block, i), ADD, begun, 1);
  }
}

static void ended(uint64_t id, void *data) {
  (void) id, (void) data;
  FILE *file = fopen(path, "w");
  if (file != NULL) {
    fprintf(file, "%" PRIu64 "\n", qemu_plugin_u64_sum(begun));
    fclose(file);
  }
}

__attribute__((visibility("default"))) int qemu_plugin_version = 4;

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int count,
    char **arguments);

/* Argument: output=..., the file that the count is written to. */
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int count,
    char **arguments) {
  (void) info;
  path = count == 1 ? arguments[0] + sizeof "output=" - 1 : "";
  begun.score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
