/* A program that becomes itself.
 * calls: main 3, again 2, last 1
 * uftrace: begins anew with the new program */
#include <stdlib.h>
#include <unistd.h>
static void again(char *program, int left) {
  char number[] = {(char) ('0' + left), 0};
  execl(program, program, number, (char *) NULL);
}
static int last(void) { return 6; }
int main(int count, char **arguments) {
  int left = count > 1 ? atoi(arguments[1]) : 2;
  if (left > 0) again(arguments[0], left - 1);
  return last() - 6;
}
