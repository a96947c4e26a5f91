#ifndef KYMO_INSTRUCTIONS_MARKER_H
#define KYMO_INSTRUCTIONS_MARKER_H

struct qemu_plugin_insn;

/* Instructions without effect that kymo.h has a macro for: there recording begins, or ends. */
enum marker { MARKER_NONE, MARKER_BEGIN, MARKER_END };

/* The marker that an instruction is. */
enum marker ky_marker_of(const struct qemu_plugin_insn *instruction);

#endif
