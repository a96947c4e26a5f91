/* Writes down how it was called. Event OFF gets no number, REPLY is switched off. */
#ifndef KYMO_H
#define KYMO_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
extern uint32_t kymo_event_define(const char *subsystem, uint16_t subsystem_id,
    const char *category, const char *color, uint16_t id, const char *name, int kind,
    const char *begin, const char *description, const char *fields);
extern int kymo_event_on(uint32_t number);
extern void kymo_event(uint32_t number, uint64_t argument);
extern void kymo_event_data(uint32_t number, const void *data, size_t size);
extern void kymo_enter_event(uint32_t number);
extern void kymo_leave_event(uint32_t number);
#ifdef __cplusplus
}
#endif
#endif
