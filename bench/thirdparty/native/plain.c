/* All-pairs sums as one writes them in C, one number at a time: what the compiler makes of it is its own affair. */

#define SCALAR
#include "sums.h"

INLINE void every_pair(const enum law law) {
  begin();
  for (int i = 0; i < count; i++)
    for (int first = 0; first < count; first += BLOCK) {
      int last = first + BLOCK < count ? first + BLOCK : count;
      float tx = 0, ty = 0, tz = 0;
      for (int j = first; j < last; j++) {
        float dx = displacement(law, x[j], x[i], 0), dy = displacement(law, y[j], y[i], 1);
        float dz = displacement(law, z[j], z[i], 2);
        float c = core(law, weight[j], dx * dx + dy * dy + dz * dz, radius[i], radius[j]);
        if (is_vector(law)) tx += c * dx, ty += c * dy, tz += c * dz;
        else tx += c;
      }
      result[0][i] += tx, result[1][i] += ty, result[2][i] += tz;
    }
  finish(law);
}

static void gravity(void) { every_pair(GRAVITY); }
static void coulomb(void) { every_pair(COULOMB); }
static void lennard_jones(void) { every_pair(LENNARD_JONES); }
static void gaussian(void) { every_pair(GAUSSIAN); }

static Loop *const loops[] = {gravity, coulomb, lennard_jones, gaussian};

int main(int argc, char **argv) {
  Run run = read_run(argc, argv);
  make_results();
  Output output = output_of(run.what);
  return serve(loops + run.what, 1, &output, 1);
}
