/* How a recorder has a process join that runs already: it finds what is declared here in the process's
 * memory, and writes to it. See OfferLayout in format/. Nothing runs, and nothing is paid, until then. */
#ifndef KYMO_OFFER_H
#define KYMO_OFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a recorder wants this process to join. */
bool ky_is_offered(void);

/* Takes what is offered, once: the directory of a session. False if there is nothing, or no room for it. */
bool ky_take_offer(char *directory, size_t size);

#endif
