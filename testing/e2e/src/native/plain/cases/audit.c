/* Is told by the loader what it does (LD_AUDIT). */
#define _GNU_SOURCE
#include <link.h>

unsigned la_version(unsigned version) {
  return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  (void) map, (void) space, (void) cookie;
  return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}
