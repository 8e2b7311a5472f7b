// cmocka with the headers that it wants before it.

#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// The comment keeps the order.
#include <cmocka.h>

#endif
