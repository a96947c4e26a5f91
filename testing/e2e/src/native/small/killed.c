/* calls: main 1, outer 1, inner 1
 * exit: 137
 * uftrace: reports nothing of a program that is killed */
#include <signal.h>
#include <unistd.h>
static void inner(void) { kill(getpid(), SIGKILL); pause(); }
static void outer(void) { inner(); }
int main(void) { outer(); return 0; }
