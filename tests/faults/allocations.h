// Memory that runs short on command: every allocation of the process is counted, and any can be made to fail.

#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>

// Counts from 0 again; from here on allocation `which` (from 1) fails, and all after it where `for_ever`. 0: none.
void allocations_watch(long which, bool for_ever);
// There is memory again.
void allocations_relent(void);

long allocations_made(void);  // since the watch began, the failed ones included
bool allocation_failed(void); // since the watch began
long blocks_in_use(void);     // allocated and not yet freed

#endif
