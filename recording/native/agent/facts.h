/* Facts that decide whether a method is worth its probes; dev.kymo.agent.weave.ClassFacts reads them. */
#ifndef KYMO_AGENT_FACTS_H
#define KYMO_AGENT_FACTS_H

#include "classfile.h"

/* The facts of a class, as integers:
 *
 *   0  offset and length of the source file's name in the class file
 *   2  for each method, in the class file's order:
 *        0  offset and length of the name
 *        2  offset and length of the descriptor
 *        4  access flags
 *        5  maximum size of the code in bytes, with jumps and constants in their longest form; 0 without code
 *        6  slots of local variables
 *        7  places where it returns
 *        8  first line in the source, 0 if unknown
 *        9  FACT_CALLS and FACT_LOOPS
 */
enum { FACTS_OF_CLASS = 2, FACTS_OF_METHOD = 10, FACT_CALLS = 1, FACT_LOOPS = 2 };

/* The number of these integers; 0 if the file is damaged, or has annotations that must be read. */
uint32_t count_facts(const struct class_file *file);
/* Writes them; false if the file is damaged. */
bool find_facts(const struct class_file *file, int32_t *facts);

#endif
