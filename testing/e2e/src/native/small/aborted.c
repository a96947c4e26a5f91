/* calls: main 1, inner 1
 * exit: 134 */
#include <stdlib.h>
static void inner(void) { abort(); }
int main(void) { inner(); return 0; }
