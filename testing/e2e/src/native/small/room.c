/* Stack that grows inside a function.
 * calls: main 1, fill 5, check 5 */
#include <alloca.h>
#include <string.h>
static int check(const char *text, int n) { return text[n - 1] == 'z'; }
static int fill(int n) {
  char *room = alloca(n);
  char array[n];
  memset(room, 'z', n);
  memset(array, 'z', n);
  return check(room, n) && array[0] == 'z';
}
int main(void) {
  int good = 0;
  for (int i = 1; i <= 5; i++) good += fill(i * 1000);
  return good == 5 ? 0 : 1;
}
