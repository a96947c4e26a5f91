#include "marker.h"

#include <string.h>

#include "blocks.h"
#include "qemu-plugin.h"

/* nopl with a displacement that no compiler writes; the byte left out is KYMO_BEGIN or KYMO_END. */
static const uint8_t MARKER[] = {0x0F, 0x1F, 0x80, 0, 0x44, 0x54, 0x53};
#define KIND 3

enum marker ky_marker_of(const struct qemu_plugin_insn *instruction) {
  uint8_t code[LONGEST_INSTRUCTION];
  if (qemu_plugin_insn_size(instruction) != sizeof MARKER) {
    return MARKER_NONE;
  }
  ky_copy_code(code, instruction);
  if (memcmp(code, MARKER, KIND) != 0 || memcmp(code + KIND + 1, MARKER + KIND + 1, sizeof MARKER - KIND - 1) != 0) {
    return MARKER_NONE;
  }
  return code[KIND] == 1 ? MARKER_BEGIN : code[KIND] == 2 ? MARKER_END : MARKER_NONE;
}
