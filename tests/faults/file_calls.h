// The file functions that the model compiler calls: every call is counted, and any can be made to fail as on a full
// disk.

#ifndef FILE_CALLS_H
#define FILE_CALLS_H

#include <stdbool.h>

// Counts from 0 again; from here on call `which` (from 1) fails, and all after it where `for_ever`. 0: none.
void files_watch(long which, bool for_ever);

long file_calls_made(void);  // since the watch began
bool file_call_failed(void); // since the watch began

#endif
