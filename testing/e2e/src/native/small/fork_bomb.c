/* Each process of three generations forks twice; a child goes on in its
 * parent's calls.
 * calls: main 15, generation 49, leaf 8
 * uftrace: does not count the calls that a child is in */
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) { }
static int generation(int n) {
  if (n == 0) { leaf(); return 0; }
  for (int i = 0; i < 2; i++) {
    if (fork() == 0) _exit(generation(n - 1));
  }
  while (wait(NULL) > 0) { }
  return 0;
}
int main(void) { return generation(3); }
