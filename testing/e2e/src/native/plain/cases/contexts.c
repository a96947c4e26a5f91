/* Stacks that are switched without the kernel. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <ucontext.h>

#include "cases.h"

static void *count_calls(void *number) {
  return (void *) (intptr_t) calls((int) (intptr_t) number);
}

static int join(pthread_t thread) {
  void *result = NULL;
  return pthread_join(thread, &result) == 0 ? (int) (intptr_t) result : -1;
}

static ucontext_t main_context, contexts[2];

static void of_context(int number) {
  for (int i = 0; i < 3; i++) {
    say("%d.%d ", number, calls(i));
    swapcontext(contexts + number, number == 0 ? contexts + 1 : contexts);
  }
}

CASE(contexts) {
  static char stacks[2][1 << 16];
  for (int i = 0; i < 2; i++) {
    getcontext(contexts + i);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = sizeof stacks[i];
    contexts[i].uc_link = &main_context;
    makecontext(contexts + i, (void (*)(void)) of_context, 1, i);
  }
  swapcontext(&main_context, contexts);
  say("back\n");
  return calls(2);
}

static void many_arguments(int a, int b, int c, int d, int e, int f, int g, int h) {
  say("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h);
}

CASE(context_with_many_arguments) {
  static char stack[1 << 16];
  getcontext(contexts);
  contexts[0].uc_stack.ss_sp = stack;
  contexts[0].uc_stack.ss_size = sizeof stack;
  contexts[0].uc_link = &main_context;
  makecontext(contexts, (void (*)(void)) many_arguments, 8, 1, 2, 3, 4, 5, 6, 7, 8);
  swapcontext(&main_context, contexts);
  return calls(3);
}

static void last_context(int number) {
  say("context %d\n", calls(number));
}

CASE(context_without_a_next_one) {
  static char stack[1 << 16];
  getcontext(contexts);
  contexts[0].uc_stack.ss_sp = stack;
  contexts[0].uc_stack.ss_size = sizeof stack;
  contexts[0].uc_link = NULL;
  makecontext(contexts, (void (*)(void)) last_context, 1, 5);
  setcontext(contexts); /* its end is the end of the thread */
  return 1;
}

static void *swap_in_thread(void *number) {
  static char stacks[4][1 << 15];
  ucontext_t mine;
  ucontext_t other;
  getcontext(&other);
  other.uc_stack.ss_sp = stacks[(intptr_t) number];
  other.uc_stack.ss_size = sizeof stacks[0];
  other.uc_link = &mine;
  makecontext(&other, (void (*)(void)) count_calls, 1, 5);
  swapcontext(&mine, &other);
  calls(5);
  return number;
}

CASE(contexts_of_threads) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(threads + i, NULL, swap_in_thread, (void *) (intptr_t) i);
  }
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += join(threads[i]);
  }
  return sum;
}
