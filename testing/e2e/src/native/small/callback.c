/* calls: main 1, by_value 10 */
#include <stdlib.h>
static int by_value(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
int main(void) {
  int numbers[] = {1, 2, 3, 4, 5, 6};
  int comparisons = 0;
  for (int i = 0; i < 10; i++) {
    int key = numbers[0];
    comparisons += bsearch(&key, numbers, 1, sizeof key, by_value) != NULL;
  }
  return comparisons == 10 ? 0 : 1;
}
