/* What the programs share: they read points from standard input, then answer requests until it ends. Only the loop is
   timed.

   usage: <program> <law or task> <once 0|1> <points> <parameter> ...
   input: x, y, z, weight, radius of all points, reals, array after array
   then, for each request of one byte:
     'l'  the number of the loop that was taken, as one float64
     'r'  runs the loop; answers its milliseconds as one float64
     'o'  answers the results of the latest run, float64, target-major; 'i' indices, where there are some */

#pragma once
#include <stdio.h>
#include <time.h>
#include "points.h"

typedef void Loop(void);

/* Numbers that a request is answered with. */
typedef struct {
  char request;
  long count;
  double (*at)(long k);
} Output;

typedef struct {
  int what, once;
} Run;

/* Of the law or of the task, in the order of its program. */
static real parameter[4];

static Run read_run(int argc, char **argv) {
  if (argc < 4) fprintf(stderr, "expected a law, once, points and parameters\n"), exit(2);
  Run run = {atoi(argv[1]), atoi(argv[2])};
  make_points(atoi(argv[3]));
  for (int k = 4; k < argc && k < 8; k++) parameter[k - 4] = atof(argv[k]);
  real *const arrays[] = {x, y, z, weight, radius};
  for (int k = 0; k < 5; k++)
    if (fread(arrays[k], sizeof(real), count, stdin) != (size_t)count)
      fprintf(stderr, "expected 5 arrays of %d numbers\n", count), exit(2);
  return run;
}

static double milliseconds(Loop *loop) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  loop();
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6;
}

static void answer(double value) { fwrite(&value, sizeof value, 1, stdout); }

/* Takes the fastest of the loops, the best of three runs each, and answers requests. */
static int serve(Loop *const *loops, int choices, const Output *outputs, int kinds) {
  int taken = 0;
  double best = INFINITY;
  for (int k = 0; k < 3 * choices; k++) {
    double time = milliseconds(loops[k % choices]);
    if (time < best) best = time, taken = k % choices;
  }
  for (int request; (request = getchar()) != EOF; fflush(stdout)) {
    if (request == 'l') answer(taken);
    if (request == 'r') answer(milliseconds(loops[taken]));
    for (int k = 0; k < kinds; k++)
      for (long n = 0; request == outputs[k].request && n < outputs[k].count; n++) answer(outputs[k].at(n));
  }
  return 0;
}

/* Ends a program that was compiled for another processor. */
__attribute__((unused)) static void need(const char *lacking) {
  if (lacking) fprintf(stderr, "this processor has no %s\n", lacking), exit(4);
}
