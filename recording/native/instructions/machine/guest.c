#include "guest.h"

#include <stdlib.h>
#include <string.h>

#include "../facts.h"
#include "../qemu-plugin.h"
#include "entries.h"
#include "places.h"

#define MAX_PID 65536
#define MAX_PROCESSES (1024 * 1024)
#define KERNEL 1
#define NAME 16
#define EXECUTABLE 4 /* VM_EXEC */
#define PAGE_BITS 12
#define MAX_PATH 4096
#define MAX_DEPTH 64
#define PIECE 32

struct task *ky_task;
struct open_chunk *ky_open;

static struct task *tasks[MAX_PID];
static uint32_t process_of[MAX_PID];
static uint32_t threads_of[MAX_PROCESSES];
static bool has_program[MAX_PROCESSES];
static bool recording;

/* How often recording has begun: who was executed meanwhile has calls that nobody saw. */
static uint32_t beginnings;

bool ky_read(void *to, uint64_t address, size_t size) {
  static GByteArray *bytes;
  if (bytes == NULL) {
    bytes = g_byte_array_new();
  }
  bool read = qemu_plugin_read_memory_vaddr(address, bytes, size) && bytes->len >= size;
  if (read) {
    memcpy(to, bytes->data, size);
  }
  return read;
}

uint32_t ky_number_at(uint64_t address) {
  uint32_t value = 0;
  return ky_read(&value, address, sizeof value) ? value : 0;
}

uint64_t ky_word_at(uint64_t address) {
  uint64_t value = 0;
  return ky_read(&value, address, sizeof value) ? value : 0;
}

/* Reads a text, with a zero at its end. It may end just before memory that is not there. */
static void text_at(char *to, size_t size, uint64_t address) {
  size_t length = 0;
  while (length + PIECE < size) {
    if (!ky_read(to + length, address + length, PIECE)) {
      break;
    }
    size_t part = strnlen(to + length, PIECE);
    length += part;
    if (part < PIECE) {
      break;
    }
  }
  to[length] = 0;
}

static void about(uint32_t process) {
  static uint32_t last = KERNEL;
  if (last != process) {
    last = process;
    ky_fact(FACT_ABOUT, &process, sizeof process, NULL, 0, NULL, 0);
  }
}

static void name_fact(const struct task *task, const char *name) {
  struct {
    uint64_t clock;
    uint32_t thread, tid;
  } fact = {ky_clock(), task->trace.number, task->pid};
  about(task->process);
  ky_fact(FACT_THREAD, &fact, sizeof fact, name, strnlen(name, NAME), NULL, 0);
}

/* What the current thread executes is recorded, if anything is. */
static void run(struct task *task) {
  ky_task = task;
  ky_open = NULL;
  if (!recording) {
    return;
  }
  if (!task->begun) {
    task->begun = true;
    about(task->process);
    ky_begin_trace(&task->trace, task->process, task->trace.number, task->pid);
  } else if (task->trace.open != NULL) {
    if (ky_clock() > trace_clock(&task->trace)) {
      ky_switch_event(&task->trace, ky_clock());
    }
    if (task->beginnings != beginnings) {
      ky_gap_event(&task->trace);
    }
  }
  task->beginnings = beginnings;
  ky_open = task->trace.open;
}

static struct task *new_task(uint32_t pid, uint32_t process) {
  struct task *task = calloc(1, sizeof *task);
  if (task != NULL) {
    task->pid = pid;
    task->process = process;
    task->trace.process = process;
    task->trace.number = ++threads_of[process];
    tasks[pid] = task;
  }
  return task;
}

static uint32_t new_process(uint32_t pid, uint32_t parent_pid, uint32_t parent, enum begin how, const char *name) {
  uint32_t process = ky_new_process();
  if (process >= MAX_PROCESSES) {
    return KERNEL;
  }
  process_of[pid] = process;
  about(process);
  ky_process_fact(pid, parent_pid, parent, how, 0, name, strnlen(name, NAME));
  return process;
}

/* A thread that is executed for the first time. */
static struct task *first_seen(uint64_t address, uint32_t pid) {
  char name[NAME + 1] = "";
  ky_read(name, address + ky_offsets.comm, NAME);
  uint32_t group = ky_number_at(address + ky_offsets.tgid);
  bool user = ky_word_at(address + ky_offsets.mm) != 0;
  uint32_t process = KERNEL;
  if (user && group < MAX_PID) {
    if (group == pid) {
      uint32_t parent = ky_number_at(ky_word_at(address + ky_offsets.parent) + ky_offsets.tgid);
      uint32_t before = parent < MAX_PID ? process_of[parent] : 0;
      process = new_process(pid, parent, before == 0 ? KERNEL : before, BEGIN_FORK, name);
      has_program[process] = has_program[before];
    } else if (process_of[group] != 0) {
      process = process_of[group];
    }
  }
  struct task *task = new_task(pid, process);
  if (task != NULL) {
    task->in_syscall = user; /* it begins with the return from clone */
    name_fact(task, name);
  }
  return task;
}

/* Code that is in no file has the offset of its address. */
static void module_fact(uint64_t begin, uint64_t length, const char *name) {
  uint64_t fact[] = {ky_clock(), begin, length, begin};
  ky_fact(FACT_MODULE, fact, sizeof fact, name, strlen(name), NULL, 0);
}

bool ky_begin_guest(void) {
  if (!ky_begin_facts() || ky_process != KERNEL) {
    return false;
  }
  static const char name[] = "kernel";
  ky_process_fact(0, 0, 0, BEGIN_MACHINE, 0, name, sizeof name - 1);
  module_fact(0, UINT64_C(1) << 47, "[boot]");
  module_fact(ky_symbols.kernel_begin, ky_symbols.kernel_end - ky_symbols.kernel_begin, "[kernel]");
  struct task *task = new_task(0, KERNEL);
  if (task == NULL) {
    return false;
  }
  name_fact(task, "swapper/0");
  ky_task = task;
  return true;
}

/* Has everybody know how far the current thread has come. */
static void tell_clock(void) {
  if (ky_open != NULL) {
    ky_tell_clock(trace_clock(&ky_task->trace));
  }
}

void ky_record(bool on) {
  tell_clock();
  recording = on;
  beginnings += on ? 1 : 0;
  run(ky_task);
}

bool ky_is_recording(void) {
  return recording;
}

/* Nothing more comes of what is recorded of a thread: all its calls end. */
static void finish(struct task *task) {
  if (task->begun && task->trace.open != NULL) {
    ky_gap_event(&task->trace);
    ky_finish_trace(&task->trace);
  }
}

static void bury(struct task *task) {
  tasks[task->pid] = NULL;
  finish(task);
  free(task);
}

void ky_switch_to(uint64_t address) {
  uint32_t pid = ky_number_at(address + ky_offsets.pid);
  if (pid >= MAX_PID) {
    return;
  }
  tell_clock();
  struct task *before = ky_task;
  struct task *next = tasks[pid] == NULL ? first_seen(address, pid) : tasks[pid];
  if (next != NULL && next != before) {
    run(next);
    if (before->dead) {
      bury(before);
    }
  }
}

void ky_task_is_dead(void) {
  ky_task->dead = true;
}

void ky_task_is_named(uint64_t address, uint64_t text, bool program) {
  uint32_t pid = ky_number_at(address + ky_offsets.pid);
  struct task *task = pid < MAX_PID ? tasks[pid] : NULL;
  if (task == NULL) {
    return; /* it gets its name before it is executed */
  }
  char name[NAME + PIECE + 1];
  text_at(name, sizeof name, text);
  tell_clock();
  if (program && task == ky_task) {
    uint32_t group = ky_number_at(address + ky_offsets.tgid);
    finish(task);
    uint32_t parent = ky_number_at(ky_word_at(address + ky_offsets.parent) + ky_offsets.tgid);
    uint32_t process = new_process(group < MAX_PID ? group : pid, parent, task->process, BEGIN_EXEC, name);
    *task = (struct task){.pid = pid, .process = process, .in_syscall = true};
    task->trace.number = ++threads_of[process];
    run(task);
  }
  name_fact(task, name);
}

/* The path of a dentry: from its name up to the root's. */
static void path_of(char *to, size_t size, uint64_t dentry) {
  char *begin = to + size - 1;
  *begin = 0;
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    uint64_t parent = ky_word_at(dentry + ky_offsets.dentry_parent);
    if (parent == dentry || parent == 0) {
      break;
    }
    char name[256 + PIECE];
    text_at(name, sizeof name, ky_word_at(dentry + ky_offsets.dentry_name));
    size_t length = strlen(name);
    if (length + 1 > (size_t) (begin - to)) {
      break;
    }
    begin -= length;
    memcpy(begin, name, length);
    *--begin = '/';
    dentry = parent;
  }
  memmove(to, begin, strlen(begin) + 1);
}

void ky_area_is_mapped(uint64_t area) {
  uint64_t file = ky_word_at(area + ky_offsets.vm_file);
  if (file == 0 || (ky_word_at(area + ky_offsets.vm_flags) & EXECUTABLE) == 0) {
    return;
  }
  char path[MAX_PATH];
  path_of(path, sizeof path, ky_word_at(file + ky_offsets.path_dentry));
  uint64_t begin = ky_word_at(area + ky_offsets.vm_start);
  uint64_t end = ky_word_at(area + ky_offsets.vm_end);
  tell_clock();
  uint64_t offset = ky_word_at(area + ky_offsets.vm_pgoff) << PAGE_BITS;
  has_program[ky_task->process] |= ky_file_is_mapped(path, begin, end, offset);
  uint64_t fact[] = {ky_clock(), begin, end - begin, offset};
  about(ky_task->process);
  ky_fact(FACT_MODULE, fact, sizeof fact, path, strlen(path), NULL, 0);
}

void ky_fault_is_met(uint64_t clock, uint64_t address, uint32_t signal, const char *what) {
  struct {
    uint64_t clock, address;
    uint32_t thread, signal;
  } fact = {clock, address, ky_task->trace.number, signal};
  about(ky_task->process);
  ky_fact(FACT_FAULT, &fact, sizeof fact, what, strlen(what), NULL, 0);
}

bool ky_is_in_program(void) {
  return has_program[ky_task->process];
}
