/*
 * Halts the machine that it runs on: of those that Kymo records, no other.
 *
 *   halts          stops the processor for good
 *   halts loops    runs forever
 */
#include <sys/reboot.h>
#include <unistd.h>

int main(int count, char **arguments) {
  (void) arguments;
  if (access("/kymo-orders", F_OK) != 0 || getppid() != 1) {
    return 1;
  }
  if (count > 1) {
    for (volatile int i = 0;; i++) {
    }
  }
  return reboot(RB_HALT_SYSTEM);
}
