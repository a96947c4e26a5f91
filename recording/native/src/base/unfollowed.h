/* Reports processes that cannot be recorded: the recorder writes a notice for each. */
#ifndef KYMO_UNFOLLOWED_H
#define KYMO_UNFOLLOWED_H

/* Appends a line to the file `unfollowed` of a session, if the file can be opened. Also for signal handlers and
 * children made by vfork; errno is kept.
 *
 * @param program that the process runs; NULL: not known */
void ky_unfollowed(const char *session, long pid, const char *why, const char *program);

/* Says why the loader preloads no library into a program; NULL if it does, or if that is not known. May be called
 * where ky_unfollowed() may. */
const char *ky_obstacle(const char *program);

/* What it says of a program with another C library, whose loader ends the program rather than go without ours. */
extern const char ky_other_library[];

#endif
