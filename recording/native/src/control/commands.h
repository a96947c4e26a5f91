/* Commands of `kymo ctl` for a process that is being recorded: one line each, with the words of the class
 * RecorderCommands of recorder/. An answer that begins with "error: " says why nothing was done. */
#ifndef KYMO_COMMANDS_H
#define KYMO_COMMANDS_H

struct answer;
struct process;

/* Obeys a line, which it takes apart. Within a guard. */
void ky_obey(struct process *process, char *line, struct answer *answer);

#endif
