#!/bin/sh
# Interesting: gcc generates a left shift.
gcc -O0 -S -o t.s shift.c && grep -q sall t.s
