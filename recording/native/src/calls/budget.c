/* The counterpart of the classes Budget and Governor of recorder/. The thread that has spent its credit itself searches
 * for the reason when it closes a packet, so nothing depends on when another thread gets a processor. */
#include "budget.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "base/guest.h"
#include "base/layout.h"
#include "base/private.h"
#include "functions.h"
#include "load.h"
#include "shared/counts.h"
#include "shared/definitions.h"
#include "shared/process.h"
#include "shared/threads.h"

/* How much more probes cost in a program than in a loop that does nothing else. */
#define IN_A_PROGRAM 6.0

/* Costs of a call in readings of the clock, and in seconds; see bench/functions. */
#define EVENT_READINGS 1.9
#define TIMED_READINGS 2.5
#define SAMPLED_SECONDS 5e-9

/* Unspent credit is kept for this time; this part of it is available after functions have gone down. */
#define SAVED_SECONDS 0.2
#define CREDIT_AFTER 0.1

/* Parts of the budget: what all functions together may cost after some have gone down; what a function may cost in the
 * next higher mode to go up; the least cost assumed for it then; what all may cost at most for any to go up. */
#define TARGET 0.3
#define CALM 0.1
#define NEGLIGIBLE 0.01
#define ROOM 0.3

/* Recent costs of probes count for some seconds, because phases of a program return. */
#define FORGETTING 0.98

#define FIRST_HOLD_SECONDS 4.0
#define LONGEST_HOLD_SECONDS 600.0
#define SEARCH_SECONDS 0.1
#define LOOK_SECONDS 0.09 /* at least: in a shorter time a burst would look larger than it is */

enum { UP_AT_ONCE = 8, READINGS = 64, ROUNDS = 16, REASON = 256 };

/* A function that is, or was, not recorded as events. */
struct governed {
  uint32_t function;
  uint32_t mode;
  double hold; /* seconds */
  double rate; /* calls a tick on its busiest thread */
  uint64_t since; /* clock; 0: never gone down */
  uint64_t calm_since;
};

/* In memory that a fork zeroes. Most of it is never touched. */
struct budget {
  struct lock lock; /* protects everything that changes, except the counters */
  double share; /* of a thread's time */
  double costs[MODE_SAMPLED + 1]; /* ticks of a call by mode */
  bool full; /* nothing more can be counted */
  uint64_t looked_at;
  double recent_share; /* recent cost of probes on the thread where they cost most, as a part of its time */
  uint32_t count;
  struct governed governed[MOST_GOVERNED + 1]; /* from 1 */
  uint32_t of_function[MOST_FUNCTIONS + 1]; /* index in `governed`; 0: none */
  struct tallies tallies;
  struct load loads[MOST_FUNCTIONS];
  struct counters counters;
};

/* Measured from the beginning of the recording to now. Even a short time is exact enough, because both clocks are read
 * within about 50 nanoseconds. */
static double ticks_per_second(const struct process *process) {
  uint64_t nanos = ky_nanos(CLOCK_MONOTONIC) - process->first_nanos;
  uint64_t ticks = ky_clock(process) - process->first_clock;
  return !process->session->tsc || nanos == 0 ? 1e9 : (double) ticks / (double) nanos * 1e9;
}

/* Ticks that a reading of the clock takes: the minimum, because other programs only make it longer. */
static double reading(const struct process *process) {
  bool tsc = process->session->tsc;
  uint64_t best = UINT64_MAX;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t begin = clock_now(tsc);
    uint64_t end = begin;
    for (int i = 0; i < READINGS; i++) {
      end = clock_now(tsc);
    }
    best = end - begin < best ? end - begin : best;
  }
  return (double) best / READINGS;
}

/* NULL if everything may be recorded, or there is no memory. */
static struct budget *budget_of(struct process *process) {
  struct budget *budget = __atomic_load_n(&process->budget, __ATOMIC_ACQUIRE);
  if (budget != NULL || process->session->budget <= 0) {
    return budget;
  }
  struct budget *made = ky_private_memory(sizeof *made);
  if (made == NULL) {
    return NULL;
  }
  double clock = reading(process) * IN_A_PROGRAM;
  made->share = process->session->budget;
  made->costs[MODE_EVENTS] = EVENT_READINGS * clock;
  made->costs[MODE_TIMED] = TIMED_READINGS * clock;
  made->costs[MODE_SAMPLED] = SAMPLED_SECONDS * IN_A_PROGRAM * ticks_per_second(process);
  made->looked_at = ky_clock(process);
  if (!__atomic_compare_exchange_n(
          &process->budget, &budget, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    munmap(made, sizeof *made);
    return budget;
  }
  __atomic_store_n(&process->counters, &made->counters, __ATOMIC_RELEASE);
  return made;
}

/* What events may cost in addition to counting, or counting in addition to events. */
static double room(const struct budget *budget, double taken) {
  double all = budget->share * TARGET;
  return all - taken > all / 2 ? all - taken : all / 2;
}

static struct governed *governed_of(struct budget *budget, uint32_t function) {
  uint32_t *place = &budget->of_function[function];
  if (*place == 0 && budget->count < MOST_GOVERNED) {
    *place = ++budget->count;
    budget->governed[*place] = (struct governed) {function, MODE_EVENTS, FIRST_HOLD_SECONDS, 0, 0, 0};
  }
  return *place == 0 ? NULL : &budget->governed[*place];
}

static void change(struct process *process, struct budget *budget, struct governed *governed, uint32_t mode,
    uint64_t now, const char *reason) {
  uint32_t before = governed->mode;
  governed->since = now;
  governed->calm_since = now;
  governed->mode = mode;
  ky_function_set_slot(governed->function, slot_of((uint32_t) (governed - budget->governed), mode));
  struct definition *definition = ky_definition_begin(process, DEFINITION_METHOD_MODE);
  ky_definition_u32(definition, governed->function);
  ky_definition_u32(definition, mode);
  ky_definition_u32(definition, before);
  ky_definition_string(definition, reason);
  ky_definition_put(process, definition);
}

/* Writes a number with two or three decimals, with a point in every locale: 1.23 */
static const char *decimal(char text[32], double value, int digits) {
  unsigned long long unit = digits == 3 ? 1000 : 100;
  unsigned long long parts = value < 0 ? 0 : (unsigned long long) (value * (double) unit + 0.5);
  snprintf(text, 32, "%llu.%0*llu", parts / unit, digits, parts % unit);
  return text;
}

static void lower(struct process *process, struct budget *budget, const struct load *load, const char *thread,
    uint64_t now) {
  char reason[REASON];
  char length[48] = "";
  char cost[32];
  char share[32];
  double second = ticks_per_second(process);
  struct governed *governed = governed_of(budget, load->function);
  if (governed == NULL) {
    return;
  }
  if (governed->since != 0) {
    governed->hold = governed->hold * 2 < LONGEST_HOLD_SECONDS ? governed->hold * 2 : LONGEST_HOLD_SECONDS;
  }
  if (load->average >= 0) {
    snprintf(length, sizeof length, " of %.0f ns", load->average / second * 1e9);
  }
  snprintf(reason, sizeof reason, "%.0f calls/s%s on thread \"%s\" cost %s %% of its time, budget %s %%",
      load->rate * second, length, thread, decimal(cost, 100 * load->rate * budget->costs[load->before], 2),
      decimal(share, 100 * budget->share, 2));
  change(process, budget, governed, load->mode, now, reason);
}

/* Lowers the modes of functions until the loads fit; returns whether any mode was lowered. */
static bool relieve(struct process *process, struct budget *budget, uint32_t count, double room,
    const struct ring *ring, uint64_t now) {
  bool any = false;
  ky_loads_lower(budget->loads, count, budget->costs, room);
  for (uint32_t i = 0; i < count && !budget->full && !process->stopped; i++) {
    const struct load *load = &budget->loads[i];
    if (load->mode == load->before) {
      continue;
    }
    if (!ky_counters_open(process)) {
      ky_say_no_memory(process, "counters of functions, all of their calls are recorded", COUNTERS_SIZE);
      budget->full = true;
      break;
    }
    char thread[THREAD_NAME + 16];
    ky_name_of(ring, thread);
    lower(process, budget, load, thread, now);
    any = true;
  }
  return any;
}

/* Searches the last closed packet for functions that cost too much. */
static bool search(struct process *process, struct budget *budget, struct ring *ring, uint64_t now) {
  struct tallies *tallies = &budget->tallies;
  const uint8_t *packet = ring->memory + RING_HEADER_SIZE
      + (size_t) ((ring->packet - 1) % RING_SUB_BUFFER_COUNT) * ring->sub_buffer_size;
  uint64_t size = load64_acquire(packet + PACKET_CONTENT_SIZE) / 8;
  if (size < PACKET_HEADER_SIZE || size > ring->sub_buffer_size) { /* the program has overwritten it */
    return false;
  }
  ky_tallies_take(tallies, (const uint64_t *) (const void *) (packet + PACKET_HEADER_SIZE),
      (uint32_t) (size - PACKET_HEADER_SIZE) / 8, load64_acquire(packet + PACKET_BEGIN), ky_functions_known());
  uint32_t count = 0;
  for (uint32_t i = 0; i < tallies->count; i++) {
    uint32_t function = tallies->functions[i];
    const struct tally *tally = &tallies->of[function];
    uint32_t place = budget->of_function[function];
    if (place == 0 || budget->governed[place].mode == MODE_EVENTS) {
      budget->loads[count++] = (struct load) {function, MODE_EVENTS, MODE_EVENTS,
          (double) tally->calls / (double) tallies->ticks,
          tally->ended == 0 ? -1 : (double) tally->durations / tally->ended, 0};
    }
  }
  ky_tallies_clear(tallies);
  return relieve(process, budget, count, room(budget, ring->counted_share), ring, now);
}

void ky_budget_packet(struct process *process, struct ring *ring, uint64_t now) {
  struct budget *budget = budget_of(process);
  if (budget == NULL || ring->thread == 0) {
    return;
  }
  const uint8_t *packet = ring->memory + RING_HEADER_SIZE
      + (size_t) ((ring->packet - 1) % RING_SUB_BUFFER_COUNT) * ring->sub_buffer_size;
  uint64_t begin = load64_acquire(packet + PACKET_BEGIN);
  uint64_t bytes = load64_acquire(packet + PACKET_CONTENT_SIZE) / 8;
  double second = ticks_per_second(process);
  double most = budget->share * SAVED_SECONDS * second;
  double spent = budget->costs[MODE_EVENTS]
      * (double) (bytes < ring->sub_buffer_size ? bytes : ring->sub_buffer_size) / (2 * COMPACT_SIZE);
  uint64_t from = ring->closed_at == 0 ? begin : ring->closed_at;
  double saved = ring->closed_at == 0 ? most : ring->credit;
  saved += now > from ? budget->share * (double) (now - from) : 0;
  spent_store_relaxed(ring, ring->spent + spent);
  ring->credit = (saved < most ? saved : most) - spent;
  ring->closed_at = now;
  if (ring->credit >= 0 || now < ring->next_search || !ky_try_lock(&budget->lock, BUDGET_LOCK)) {
    return; /* if another thread is searching, this one searches at its next packet */
  }
  if (search(process, budget, ring, now)) {
    ring->credit = most * CREDIT_AFTER;
  } else { /* for example user events */
    ring->next_search = now + (uint64_t) (SEARCH_SECONDS * second);
  }
  ky_unlock(&budget->lock, BUDGET_LOCK);
}

void ky_budget_uncountable(struct process *process, uint32_t slot) {
  struct budget *budget = process->budget;
  if (budget == NULL) {
    return;
  }
  ky_lock(&budget->lock, BUDGET_LOCK);
  struct governed *governed = &budget->governed[slot / 2];
  budget->full = true;
  if (slot / 2 <= budget->count && governed->mode != MODE_EVENTS) {
    change(process, budget, governed, MODE_EVENTS, ky_clock(process), "no memory to count its calls in");
  }
  ky_unlock(&budget->lock, BUDGET_LOCK);
}

/* Reads a thread's counters; returns how many were used since the last look. */
static uint32_t collect(struct budget *budget, const struct ring *ring, uint64_t elapsed) {
  struct counters *counters = &budget->counters;
  uint32_t count = 0;
  ky_lock(&counters->lock, COUNTERS_LOCK);
  uint8_t *const *table = counters_load_acquire(ring);
  for (uint32_t slot = 2; table != NULL && slot < counters->slots; slot++) {
    const uint8_t *block = table[slot];
    if (block == NULL) {
      continue;
    }
    uint64_t *before = &counters->before[(block - counters->memory - COUNTERS_HEADER_SIZE) / COUNTER_SIZE];
    uint64_t calls = load64_acquire(block + COUNTER_CALLS);
    uint64_t timed = load64_acquire(block + COUNTER_TIMED);
    double rate = (double) (calls - *before) / (double) elapsed;
    struct governed *governed = &budget->governed[slot / 2];
    bool used = calls != *before;
    *before = calls;
    if (used && governed->mode == mode_of(slot)) {
      governed->rate = rate > governed->rate ? rate : governed->rate;
      budget->loads[count++] = (struct load) {governed->function, governed->mode, governed->mode, rate,
          timed == 0 ? -1 : (double) load64_acquire(block + COUNTER_DURATIONS) / (double) timed, 0};
    }
  }
  ky_unlock(&counters->lock, COUNTERS_LOCK);
  return count;
}

/* Looks at a thread; returns the part of its time that probes have cost. */
static double look(
    struct process *process, struct budget *budget, struct ring *ring, uint64_t now, uint64_t elapsed) {
  uint32_t count = collect(budget, ring, elapsed);
  double counted = 0;
  for (uint32_t i = 0; i < count; i++) {
    counted += budget->loads[i].rate * budget->costs[budget->loads[i].mode];
  }
  double spent = spent_load_relaxed(ring);
  double events = (spent - ring->spent_before) / (double) elapsed;
  ring->spent_before = spent;
  ring->counted_share = counted;
  if (counted > 0 && counted + events > budget->share) {
    relieve(process, budget, count, room(budget, events), ring, now);
  }
  return counted + events;
}

static void go_up(struct process *process, struct budget *budget, struct governed *governed, double seconds,
    double would_cost, uint64_t now) {
  char reason[REASON];
  char cost[32];
  char share[32];
  snprintf(reason, sizeof reason,
      "calm for %.0f s: %.0f calls/s on the busiest thread would cost %s %% of its time, budget %s %%", seconds,
      governed->rate * ticks_per_second(process), decimal(cost, 100 * would_cost, 3),
      decimal(share, 100 * budget->share, 2));
  change(process, budget, governed, governed->mode - 1, now, reason);
}

static void let_up(struct process *process, struct budget *budget, uint64_t now) {
  double room = budget->share * ROOM - budget->recent_share;
  double second = ticks_per_second(process);
  int up = 0;
  for (uint32_t i = 1; i <= budget->count && up < UP_AT_ONCE; i++) {
    struct governed *governed = &budget->governed[i];
    if (governed->mode == MODE_EVENTS) {
      continue;
    }
    double would_cost = governed->rate * budget->costs[governed->mode - 1];
    if (would_cost > budget->share * CALM) {
      governed->calm_since = now;
    }
    double seconds = (double) (now - governed->calm_since) / second;
    if (seconds > governed->hold && would_cost < room && !budget->full) {
      double least = budget->share * NEGLIGIBLE;
      up++;
      room -= would_cost > least ? would_cost : least;
      go_up(process, budget, governed, seconds, would_cost, now);
    }
  }
}

void ky_budget_look(struct process *process) {
  struct budget *budget = __atomic_load_n(&process->budget, __ATOMIC_ACQUIRE);
  if (budget == NULL) {
    return;
  }
  ky_lock(&budget->lock, BUDGET_LOCK);
  uint64_t now = ky_clock(process);
  uint64_t elapsed = now > budget->looked_at ? now - budget->looked_at : 0;
  if ((double) elapsed < LOOK_SECONDS * ticks_per_second(process)) {
    ky_unlock(&budget->lock, BUDGET_LOCK);
    return;
  }
  double busiest = 0;
  budget->looked_at = now;
  for (uint32_t i = 1; i <= budget->count; i++) {
    budget->governed[i].rate = 0;
  }
  for (struct ring *ring = ky_rings(); ring != NULL; ring = ring->next) {
    if (ring->generation == process->generation && thread_load_relaxed(ring) != 0) {
      double share = look(process, budget, ring, now, elapsed);
      busiest = share > busiest ? share : busiest;
    }
  }
  double faded = budget->recent_share * FORGETTING;
  budget->recent_share = busiest > faded ? busiest : faded;
  let_up(process, budget, now);
  ky_unlock(&budget->lock, BUDGET_LOCK);
}
