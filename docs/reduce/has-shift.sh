#!/bin/sh
# Interesting: gcc generates a left shift.
gcc -std=c99 -pedantic-errors -O0 -S -o t.s shift.c && grep -q sall t.s
