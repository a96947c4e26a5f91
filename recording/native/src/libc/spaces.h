/* Lets a program have what the kernel gives only to processes with one thread. */
#ifndef KYMO_SPACES_H
#define KYMO_SPACES_H

/* unshare or setns, as system calls with these arguments. */
long ky_change_spaces(long number, long first, long second);

#endif
