#include "commands.h"

#include <string.h>

#include "base/answer.h"
#include "control.h"
#include "events/events.h"
#include "events/level.h"
#include "events/pattern.h"
#include "shared/process.h"

static const char *const BLANKS = " \t\r\n\f\v";

static const char *const SEPARATORS = ", \t\r\n\f\v";

static const struct {
  const char *name;
  uint8_t level;
} levels[] = {{"calls", LEVEL_CALLS}, {"events", LEVEL_EVENTS}, {"all", LEVEL_ALL}};

static void switch_events(struct process *process, char *patterns, bool on, struct answer *answer) {
  uint32_t count = 0;
  bool more = true;
  while (more) {
    char *pattern = patterns;
    size_t length = strcspn(pattern, SEPARATORS);
    patterns += length + strspn(pattern + length, SEPARATORS);
    more = pattern[length] != 0;
    pattern[length] = 0;
    if (!ky_is_pattern(pattern, answer)) {
      return;
    }
    count += ky_events_switch(process, pattern, on);
  }
  ky_say_to(answer, "%s: %u %s", on ? "on" : "off", count, count == 1 ? "event" : "events");
}

static void change_level(struct process *process, const char *name, struct answer *answer) {
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
    if (strcmp(levels[i].name, name) == 0) {
      ky_change_level(process, levels[i].level);
      ky_say_to(answer, "level: %s", name);
      return;
    }
  }
  ky_say_to(answer, "error: no such level: level=%s; use calls, events or all", name);
}

static void snapshot(struct process *process, struct answer *answer) {
  if (process->session->when_full != WHEN_FULL_OVERWRITE) {
    ky_say_to(answer, "error: there is no flight recorder to take a snapshot of; record with"
                      " --when-full overwrite");
    return;
  }
  ky_snapshot(process);
  ky_say_to(answer, "snapshot asked for");
}

static void status(struct process *process, struct answer *answer) {
  const char *level = "";
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
    if (levels[i].level == ky_level) {
      level = levels[i].name;
    }
  }
  if (answer->from == 0) {
    ky_say_to(answer, "%s, level %s\n", ky_paused ? "stopped" : "recording", level);
  }
  ky_events_list(process, answer);
}

void ky_obey(struct process *process, char *line, struct answer *answer) {
  line += strspn(line, BLANKS);
  for (size_t end = strlen(line); end > 0 && strchr(BLANKS, line[end - 1]) != NULL; end--) {
    line[end - 1] = 0;
  }
  char *rest = strchr(line, ' ');
  if (rest != NULL) {
    *rest++ = 0;
    rest += strspn(rest, BLANKS);
  } else {
    rest = line + strlen(line);
  }
  if (strcmp(line, "enable") == 0 || strcmp(line, "disable") == 0) {
    switch_events(process, rest, line[0] == 'e', answer);
  } else if (strcmp(line, "level") == 0) {
    change_level(process, rest, answer);
  } else if (strcmp(line, "start") == 0) {
    ky_go_on(process);
    ky_say_to(answer, "recording");
  } else if (strcmp(line, "stop") == 0) {
    ky_rest_saying(process, "recording was stopped by kymo ctl here, until it goes on or ends");
    ky_say_to(answer, "stopped");
  } else if (strcmp(line, "snapshot") == 0) {
    snapshot(process, answer);
  } else if (strcmp(line, "flush") == 0) {
    ky_say_to(answer, "%s", ky_flush(process) ? "flushed"
                                              : "error: the recorder does not answer, it may be gone");
  } else if (strcmp(line, "status") == 0) {
    status(process, answer);
  } else {
    ky_say_to(answer, "error: no such command: command=%s", line);
  }
}
