/* Processes that cannot be recorded: the recorder makes a notice of each. */
#ifndef KYMO_UNFOLLOWED_H
#define KYMO_UNFOLLOWED_H

/* Appends a line to the file `unfollowed` of a session, if that can be reached. In signal handlers and
 * children made by vfork as well; errno stays.
 *
 * @param program that it runs; NULL: not known */
void ky_unfollowed(const char *session, long pid, const char *why, const char *program);

/* Why the loader puts no library into a program, as a word about it; NULL if it does, or it cannot be said.
 * As ky_unfollowed(). */
const char *ky_obstacle(const char *program);

#endif
