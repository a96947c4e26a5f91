/* How a recorder makes a running process join: it finds the variable of offer.c in the process's memory, and writes
 * into it (OfferLayout of format/). Until then nothing runs, and there is no cost. */
#ifndef KYMO_OFFER_H
#define KYMO_OFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a recorder wants this process to join. */
bool ky_is_offered(void);

/* Takes the offered session's directory, once. False if there is no offer, or no room for the directory. */
bool ky_take_offer(char *directory, size_t size);

#endif
