#include "entries.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../facts.h"

#define MAX_ENTRIES 256
#define STUB 8 /* bytes of an interrupt's own code */

struct symbols ky_symbols;
struct offsets ky_offsets;

static struct entry entries[MAX_ENTRIES];
static char names[MAX_ENTRIES][64];
static uint32_t count;

/* A word of the file, and where its number goes. */
struct word {
  const char *name;
  uint64_t *value;
};

static uint64_t path_in_file, dentry_in_path, name_in_dentry, name_in_string;

static const struct word SYMBOLS[] = {
  {"__switch_to", &ky_symbols.switch_to},
  {"do_task_dead", &ky_symbols.task_dead},
  {"__set_task_comm", &ky_symbols.set_comm},
  {"perf_event_mmap", &ky_symbols.mapped},
  {"entry_SYSCALL_64", &ky_symbols.syscall},
  {NULL, NULL},
};

static const struct word OFFSETS[] = {
  {"task_struct.pid", &ky_offsets.pid},
  {"task_struct.tgid", &ky_offsets.tgid},
  {"task_struct.comm", &ky_offsets.comm},
  {"task_struct.mm", &ky_offsets.mm},
  {"task_struct.real_parent", &ky_offsets.parent},
  {"vm_area_struct.vm_start", &ky_offsets.vm_start},
  {"vm_area_struct.vm_end", &ky_offsets.vm_end},
  {"vm_area_struct.vm_pgoff", &ky_offsets.vm_pgoff},
  {"vm_area_struct.vm_flags", &ky_offsets.vm_flags},
  {"vm_area_struct.vm_file", &ky_offsets.vm_file},
  {"file.f_path", &path_in_file},
  {"path.dentry", &dentry_in_path},
  {"dentry.d_name", &name_in_dentry},
  {"qstr.name", &name_in_string},
  {"dentry.d_parent", &ky_offsets.dentry_parent},
  {NULL, NULL},
};

/* What only the run queue is read with; some kernels do not have all of it. */
static uint64_t rt_in_queue, active_in_rt, queue_in_active, running_in_rt, fair_entity, fair_node, rt_entity, rt_node;

static const struct word RUN_QUEUE_SYMBOLS[] = {
  {"runqueues", &ky_symbols.run_queues},
  {"__per_cpu_offset", &ky_symbols.per_cpu_offset},
  {NULL, NULL},
};

static const struct word RUN_QUEUE[] = {
  {"rq.cfs_tasks", &ky_offsets.fair_tasks},
  {"rq.rt", &rt_in_queue},
  {"rt_rq.active", &active_in_rt},
  {"rt_rq.rt_nr_running", &running_in_rt},
  {"rt_prio_array.queue", &queue_in_active},
  {"task_struct.se", &fair_entity},
  {"sched_entity.group_node", &fair_node},
  {"task_struct.rt", &rt_entity},
  {"sched_rt_entity.run_list", &rt_node},
  {NULL, NULL},
};

static bool knows_run_queue;

static void set(const struct word *words, bool *known, const char *name, uint64_t value) {
  for (size_t i = 0; words[i].name != NULL; i++) {
    if (strcmp(words[i].name, name) == 0) {
      *words[i].value = value;
      known[i] = true;
    }
  }
}

static void add(uint64_t begin, uint64_t end, bool interrupt, bool code, const char *name) {
  if (count < MAX_ENTRIES) {
    entries[count] = (struct entry){begin, end, count + 1, interrupt, code};
    snprintf(names[count++], sizeof *names, "%s", name);
  }
}

static const char *missing(const struct word *words, const bool *known) {
  for (size_t i = 0; words[i].name != NULL; i++) {
    if (!known[i]) {
      return words[i].name;
    }
  }
  return NULL;
}

const char *ky_read_places(const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return path;
  }
  bool symbols[sizeof SYMBOLS / sizeof *SYMBOLS] = {false};
  bool offsets[sizeof OFFSETS / sizeof *OFFSETS] = {false};
  bool queue_symbols[sizeof RUN_QUEUE_SYMBOLS / sizeof *RUN_QUEUE_SYMBOLS] = {false};
  bool queue[sizeof RUN_QUEUE / sizeof *RUN_QUEUE] = {false};
  char line[256];
  char name[64];
  uint64_t first, second;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "symbol %63s %" SCNx64, name, &first) == 2) {
      set(SYMBOLS, symbols, name, first);
      set(RUN_QUEUE_SYMBOLS, queue_symbols, name, first);
    } else if (sscanf(line, "offset %63s %" SCNx64, name, &first) == 2) {
      set(OFFSETS, offsets, name, first);
      set(RUN_QUEUE, queue, name, first);
    } else if (sscanf(line, "exception %" SCNx64 " %" SCNx64 " %63s", &first, &second, name) == 3) {
      add(first, first + 1, false, second == 1, name);
    } else if (sscanf(line, "interrupt %" SCNx64 " %" SCNx64 " %63s", &first, &second, name) == 3) {
      add(first, second, true, false, name);
    } else if (sscanf(line, "kernel %" SCNx64 " %" SCNx64, &first, &second) == 2) {
      ky_symbols.kernel_begin = first;
      ky_symbols.kernel_end = second;
    }
  }
  fclose(file);
  ky_offsets.path_dentry = path_in_file + dentry_in_path;
  ky_offsets.dentry_name = name_in_dentry + name_in_string;
  ky_offsets.rt_queues = rt_in_queue + active_in_rt + queue_in_active;
  ky_offsets.rt_running = rt_in_queue + running_in_rt;
  ky_offsets.fair_link = fair_entity + fair_node;
  ky_offsets.rt_link = rt_entity + rt_node;
  knows_run_queue = missing(RUN_QUEUE_SYMBOLS, queue_symbols) == NULL && missing(RUN_QUEUE, queue) == NULL;
  const char *symbol = missing(SYMBOLS, symbols);
  return symbol == NULL ? missing(OFFSETS, offsets) : symbol;
}

bool ky_knows_run_queue(void) {
  return knows_run_queue;
}

void ky_tell_entries(void) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t fact[] = {entries[i].number, entries[i].interrupt ? 2 : 1};
    ky_fact(FACT_ENTRY, fact, sizeof fact, names[i], strlen(names[i]), NULL, 0);
  }
}

const struct entry *ky_entry_at(uint64_t address) {
  for (uint32_t i = 0; i < count; i++) {
    if (address >= entries[i].begin && address < entries[i].end && (address - entries[i].begin) % STUB == 0) {
      return &entries[i];
    }
  }
  return NULL;
}
