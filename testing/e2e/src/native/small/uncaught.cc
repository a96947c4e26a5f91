/* calls: main 1, inner 1
 * exit: 134 */
static void inner() { throw 1; }
int main() { inner(); }
