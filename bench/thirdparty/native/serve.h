/* What the programs share: they read points from standard input, then answer requests until it ends. Only the loop is
   timed.

   usage: <program> <law 0-3> <once 0|1> <points> <parameter> ...
   input: x, y, z, weight, radius of all points, float32 each, array after array
   then, for each request of one byte:
     'l'  the number of the loop that was taken, as one float64
     'r'  runs the loop; answers its milliseconds as one float64
     'o'  answers the results of the latest run, float64, target-major */

#pragma once
#include <stdio.h>
#include <time.h>
#include "laws.h"
#include "points.h"

typedef void Loop(void);

typedef struct {
  enum law law;
  int once;
} Run;

static Run read_run(int argc, char **argv) {
  if (argc < 5) fprintf(stderr, "expected a law, once, points and parameters\n"), exit(2);
  Run run = {atoi(argv[1]), atoi(argv[2])};
  make_points(atoi(argv[3]));
  for (int k = 4; k < argc && k < 8; k++) parameter[k - 4] = atof(argv[k]);
  float *const arrays[] = {x, y, z, weight, radius};
  for (int k = 0; k < 5; k++)
    if (fread(arrays[k], sizeof(float), count, stdin) != (size_t)count)
      fprintf(stderr, "expected 5 arrays of %d numbers\n", count), exit(2);
  return run;
}

/* What a program says that was compiled for another processor. */
__attribute__((unused)) static int lacking(const char *feature) {
  fprintf(stderr, "this processor has no %s\n", feature);
  return 4;
}

/* One pass, factors and the removal of a point's own term included. */
static double milliseconds(enum law law, Loop *loop) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int k = 0; k < 3; k++) memset(result[k], 0, padded * sizeof(double));
  loop();
  for (int i = 0; i < count; i++) {
    double f = factor(law, weight[i]);
    /* A point's own term, exp(0) times its weight; of vectors it is zero. */
    if (!is_vector(law)) result[0][i] -= weight[i];
    for (int k = 0; k < 3; k++) result[k][i] *= f;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6;
}

static void answer(double value) { fwrite(&value, sizeof value, 1, stdout); }

/* Takes the fastest of the loops, the best of three runs each, and answers requests. */
static int serve(Run run, Loop *const *loops, int choices) {
  int taken = 0;
  double best = INFINITY;
  for (int k = 0; k < 3 * choices; k++) {
    double time = milliseconds(run.law, loops[k % choices]);
    if (time < best) best = time, taken = k % choices;
  }
  for (int request; (request = getchar()) != EOF; fflush(stdout)) {
    if (request == 'l') answer(taken);
    if (request == 'r') answer(milliseconds(run.law, loops[taken]));
    if (request == 'o')
      for (int i = 0; i < count; i++)
        for (int k = 0; k < (is_vector(run.law) ? 3 : 1); k++) answer(result[k][i]);
  }
  return 0;
}
