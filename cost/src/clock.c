/* The clock of the programs that are counted: it stands still. What happens by the clock then never happens: the turn of a connection that
 * ends after a millisecond, a timer that wakes a shard, a deadline that is a digit shorter when the request leaves late. It is loaded
 * before the C library and takes the place of its function; the library itself goes on by the real one. */

#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    /* Later than the real one, so that the kernel lets nobody who waits for an instant of this clock wake before he is woken. */
    now->tv_sec = 4000000000;
    now->tv_nsec = 0;
    return 0;
}
