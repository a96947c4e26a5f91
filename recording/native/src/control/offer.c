#include "offer.h"

#include <stdint.h>
#include <string.h>

#include "base/layout.h"
#include "base/session.h"
#include "calls/functions.h"
#include "events/events.h"
#include "kymo.h"

/* The switches that hooks and events read first: the recorder turns them on, and the next hook or event joins. After
 * that they are set as the recording wants them. */
static struct {
  char magic[16];
  uint8_t *functions;
  uint8_t *recording;
  uint8_t *events;
  uint64_t event_count;
  uint32_t state;
  uint32_t unused;
  char directory[SESSION_PATH];
} offer __attribute__((aligned(16), used)) = {
    .magic = OFFER_MAGIC,
    .functions = &ky_functions_shown,
    .recording = &kymo_recording_,
    .events = ky_event_states,
    .event_count = KYMO_MOST_EVENTS,
};

_Static_assert(offsetof(__typeof__(offer), state) == OFFER_STATE, "as OfferLayout");
_Static_assert(offsetof(__typeof__(offer), directory) == OFFER_DIRECTORY, "as OfferLayout");

bool ky_is_offered(void) {
  return __atomic_load_n(&offer.state, __ATOMIC_ACQUIRE) == OFFER_MADE;
}

bool ky_take_offer(char *directory, size_t size) {
  uint32_t made = OFFER_MADE;
  if (!__atomic_compare_exchange_n(
          &offer.state, &made, OFFER_TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return false;
  }
  size_t length = strnlen(offer.directory, sizeof offer.directory);
  if (length == 0 || length >= size) {
    return false;
  }
  memcpy(directory, offer.directory, length);
  directory[length] = 0;
  return true;
}
