#version 300 es
precision highp float;
precision highp int;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 tile1Output;
uniform highp sampler2D user_sources;
uniform highp sampler2D user_previous;
uniform highp sampler2D user_targetPosition;
uniform vec2 user_sourcesScale;
uniform vec2 user_previousScale;
uniform vec2 user_targetPositionScale;
uniform int user_firstTarget;
uniform int user_lastTarget;
uniform int user_first;
uniform int user_last;
uniform int user_resume;

#define sampled texture
int rowOf(int n) { return n / 256; }
int columnOf(int n) { return n - 256 * (n / 256); }
int elementAt(int row, int column) { return 256 * row + column; }
int quotient(int a, int b) {
  int q = int(float(a) / float(b));
  int rest = a - q * b;
  return rest < 0 ? q - 1 : rest >= b ? q + 1 : q;
}
int remainder(int a, int b) { return a - b * quotient(a, b); }
float component(vec4 v, int n) { return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w; }
float centre(int n, float scale) { return (float(n) + 0.5) * scale; }
vec4 texel(highp sampler2D sheet, vec2 scale, int column, int row) {
  return sampled(sheet, vec2(centre(column, scale.x), centre(row, scale.y)));
}
float flatNumber(highp sampler2D sheet, vec2 scale, int n) {
  int at = n / 4;
  return component(texel(sheet, scale, columnOf(at), rowOf(at)), n - 4 * at);
}
vec4 tile1;

#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
#define PAIR(column, page0) { \
  int j = elementAt(row, column); \
  float xj = page0.x; \
  float yj = page0.y; \
  float zj = page0.z; \
  float dx = xj - xi; \
  float dy = yj - yi; \
  float dz = zj - zi; \
  float r2 = dx * dx + dy * dy + dz * dz; \
  if (j != target) { \
    vec2 next = vec2(r2, float(j)); \
    if (next.x < least[2]) { \
      bool moving = false; \
      for (int q = 0; q < 3; q++) { \
        moving = moving || next.x < least[q]; \
        vec2 kept = vec2(least[q], at[q]); \
        if (moving) { least[q] = next.x; at[q] = next.y; next = kept; } \
      } \
    } \
  } \
}
vec4 pairLoop() {
  int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
  float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
  float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
  float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
  float least[3];
  float at[3];
  least[0] = user_resume == 1 ? before(0).x : 3.4028234e38;
  least[1] = user_resume == 1 ? before(0).y : 3.4028234e38;
  least[2] = user_resume == 1 ? before(0).z : 3.4028234e38;
  at[0] = user_resume == 1 ? before(0).w : -1.0;
  at[1] = user_resume == 1 ? before(1).x : -1.0;
  at[2] = user_resume == 1 ? before(1).y : -1.0;
  for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
    int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
    int to = row == rowOf(until) ? columnOf(until) : 256;
    vec2 scale = user_sourcesScale;
    float rowCentre = centre(row, scale.y);
    for (; column + 4 <= to; column += 4) {
      vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
      vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
      vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
      vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
      PAIR(column, page0At0)
      PAIR(column + 1, page0At1)
      PAIR(column + 2, page0At2)
      PAIR(column + 3, page0At3)
    }
    for (; column < to; column++) {
      vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
      PAIR(column, page0At0)
    }
  }
  tile1 = vec4(at[1], at[2], 0.0, 0.0);
  return vec4(least[0], least[1], least[2], at[0]);
}
void main() { result = pairLoop(); tile1Output = tile1; }
