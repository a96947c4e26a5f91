/* Takes two locks of libkymo's: unordered A B, their ranks. */
#include <stdlib.h>

#include "base/guest.h"

int main(int count, char **words) {
  struct lock first = {0};
  struct lock second = {0};
  if (count != 3) {
    return 2;
  }
  ky_check_locks();
  enum rank one = (enum rank) atoi(words[1]);
  enum rank other = (enum rank) atoi(words[2]);
  ky_lock(&first, one);
  ky_lock(&second, other);
  ky_unlock(&second, other);
  ky_unlock(&first, one);
  return 0;
}
