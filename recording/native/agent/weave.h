/* A class file with probes. */
#ifndef KYMO_AGENT_WEAVE_H
#define KYMO_AGENT_WEAVE_H

#include "classfile.h"
#include "output.h"

/* Writes the class file with probes in those methods whose number is more than 0, in the class file's order. False if
 * this weaver cannot do it: the file is damaged, or woven code does not fit where another weaver knows a way. */
bool weave(const struct class_file *file, const int32_t *numbers, uint32_t count, struct output *out);

#endif
