/* Puts probes into a class file. */
#ifndef KYMO_AGENT_WEAVE_H
#define KYMO_AGENT_WEAVE_H

#include "classfile.h"
#include "output.h"

/* Writes the class file with probes in the methods whose number is greater than 0; numbers are in the class file's
 * order. False if this weaver cannot do it: the file is damaged, or code is too hard, which another weaver may
 * manage. */
bool weave(const struct class_file *file, const int32_t *numbers, uint32_t count, struct output *out);

#endif
