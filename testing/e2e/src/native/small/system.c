/* calls: main 1, run 1
 * exit: 3 */
#include <stdlib.h>
#include <sys/wait.h>
static int run(void) { return WEXITSTATUS(system("exit 3")); }
int main(void) { return run(); }
