#include "load.h"

#include "shared/ring.h"

struct packet_word {
  uint32_t id;
  uint32_t payload;
  uint32_t words;
  uint64_t clock;
};

/* The record that begins with a word; `clock` is the previous record's. */
static struct packet_word record_at(const uint64_t *word, uint32_t left, uint64_t clock) {
  struct packet_word record;
  if ((*word & 255) == RECORD_EXTENDED && left > 1) {
    record.id = (uint32_t) (*word >> 8) & 255;
    record.payload = (uint32_t) (word[1] >> 40);
    record.clock = *word >> 40 | word[1] << 24;
    uint64_t like[2] = {record.id, left > 2 ? word[2] : 0};
    record.words = 1 + ky_words_of(like);
  } else {
    uint32_t low = (uint32_t) (*word >> 8);
    record.id = (uint32_t) *word & 255;
    record.payload = (uint32_t) (*word >> 40);
    record.clock = (clock & ~UINT64_C(0xFFFFFFFF)) | low;
    uint64_t like[2] = {record.id, left > 1 ? word[1] : 0};
    record.words = ky_words_of(like);
  }
  return record;
}

void ky_tallies_take(
    struct tallies *tallies, const uint64_t *words, uint32_t count, uint64_t begin, uint32_t functions) {
  uint32_t *open = tallies->open;
  uint64_t *begins = tallies->begins;
  uint32_t depth = 0;
  uint64_t now = begin;
  uint64_t first = 0;
  for (uint32_t at = 0; at < count;) {
    struct packet_word record = record_at(words + at, count - at, now);
    now = record.clock;
    first = at == 0 ? now : first;
    at += record.words;
    bool is_function = record.payload > 0 && record.payload <= functions;
    struct tally *tally = &tallies->of[is_function ? record.payload : 0];
    if (record.id == RECORD_ENTER) {
      if (is_function && tally->calls++ == 0) {
        tallies->functions[tallies->count++] = record.payload;
      }
      if (depth < MOST_OPEN) {
        open[depth] = record.payload;
        begins[depth] = now;
      }
      depth++;
    } else if (record.id == RECORD_SWITCH) {
      depth = 0;
    } else if ((record.id == RECORD_LEAVE || record.id == RECORD_UNWIND) && depth > 0) {
      depth--;
      if (is_function && depth < MOST_OPEN && open[depth] == record.payload && now > begins[depth]) {
        tally->ended++;
        tally->durations += now - begins[depth];
      }
    }
  }
  tallies->ticks = now > first ? now - first : 1;
}

void ky_tallies_clear(struct tallies *tallies) {
  for (uint32_t i = 0; i < tallies->count; i++) {
    tallies->of[tallies->functions[i]] = (struct tally) {0, 0, 0};
  }
  tallies->of[0] = (struct tally) {0, 0, 0};
  tallies->count = 0;
}

static double weight(const struct load *load) {
  bool is_short = load->average < 0 || load->average * load->rate < load->cost;
  return load->cost * (is_short ? 2 : 1);
}

static void sink(struct load *heap, uint32_t at, uint32_t count) {
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && weight(&heap[child]) < weight(&heap[child + 1])) {
      child++;
    }
    if (weight(&heap[at]) >= weight(&heap[child])) {
      return;
    }
    struct load moved = heap[at];
    heap[at] = heap[child];
    heap[child] = moved;
  }
}

void ky_loads_lower(struct load *loads, uint32_t count, const double *costs, double room) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    loads[i].cost = loads[i].rate * costs[loads[i].mode];
    sum += loads[i].cost;
  }
  for (uint32_t i = count / 2; i-- > 0;) {
    sink(loads, i, count);
  }
  uint32_t left = count;
  while (sum > room && left > 0) {
    struct load *hottest = &loads[0];
    sum -= hottest->cost;
    if (hottest->mode != MODE_SAMPLED) {
      hottest->mode++;
      hottest->cost = hottest->rate * costs[hottest->mode];
      sum += hottest->cost;
    } else { /* the lowest mode: its cost cannot be reduced */
      struct load lowest = *hottest;
      *hottest = loads[--left];
      loads[left] = lowest;
    }
    sink(loads, 0, left);
  }
}
