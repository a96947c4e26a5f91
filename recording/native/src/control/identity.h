/* Describes this process and its clock in the recording. All but the first within a guard. */
#ifndef KYMO_IDENTITY_H
#define KYMO_IDENTITY_H

#include "shared/process.h"

/* Finds the command line among the arguments of a constructor, unless the program has changed it: its arguments lie
 * after each other. */
void ky_find_command(int count, char *const *arguments, char *const *environment);

void ky_define_process(struct process *process, const char *name);
void ky_define_clock_pair(struct process *process);

#endif
