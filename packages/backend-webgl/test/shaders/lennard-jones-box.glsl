#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform highp sampler2D user_sources;
uniform highp sampler2D user_previous;
uniform highp sampler2D user_targetPosition;
uniform highp sampler2D user_targetAttribute0;
uniform highp sampler2D user_targetAttribute1;
uniform highp sampler2D user_exclusionOffsets;
uniform highp sampler2D user_exclusions;
uniform vec2 user_sourcesScale;
uniform vec2 user_previousScale;
uniform vec2 user_targetPositionScale;
uniform vec2 user_targetAttribute0Scale;
uniform vec2 user_targetAttribute1Scale;
uniform vec2 user_exclusionOffsetsScale;
uniform vec2 user_exclusionsScale;
uniform int user_firstTarget;
uniform int user_lastTarget;
uniform int user_first;
uniform int user_last;
uniform int user_resume;
uniform float user_p0;
uniform float user_p1;
uniform float user_p2;
uniform float user_p3;
uniform float user_p4;
uniform float user_p5;
uniform float user_p6;

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
float choose(bool when, float a, float b) { return when ? a : b; }

#define before(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target)), rowOf(target)) : vec4(0.0))
#define PAIR(column, page0, page1) { \
  int j = elementAt(row, column); \
  float xj = page0.x; \
  float yj = page0.y; \
  float zj = page0.z; \
  float s0 = page0.w; \
  float s1 = page1.x; \
  bool excluded = j == skip; \
  if (excluded) { \
    next++; \
    skip = next < end ? int(flatNumber(user_exclusions, user_exclusionsScale, next)) : -1; \
  } \
  float e0 = xj - xi; \
  float dx = e0 - p1 * roundEven(p2 * e0); \
  float e1 = yj - yi; \
  float dy = e1 - p3 * roundEven(p4 * e1); \
  float e2 = zj - zi; \
  float dz = e2 - p5 * roundEven(p6 * e2); \
  float r2 = dx * dx + dy * dy + dz * dz; \
  float safeR2 = choose((0.0 < r2), r2, 1.0); \
  float e3 = s1 + t0; \
  float e4 = 1.0 / safeR2; \
  float e5 = e3 * e3 * e4; \
  float e6 = e5 * e5 * e5; \
  float coefficient = s0 * (1.0 - 2.0 * e6) * (e6 * e4); \
  if (!excluded && (r2 <= p0)) { \
    part0 += coefficient * dx; \
    part1 += coefficient * dy; \
    part2 += coefficient * dz; \
  } \
}
vec4 pairLoop() {
  int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
  float p0 = user_p0;
  float p1 = user_p1;
  float p2 = user_p2;
  float p3 = user_p3;
  float p4 = user_p4;
  float p5 = user_p5;
  float p6 = user_p6;
  float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
  float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
  float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
  float ofTarget0 = flatNumber(user_targetAttribute0, user_targetAttribute0Scale, target);
  float ofTarget1 = flatNumber(user_targetAttribute1, user_targetAttribute1Scale, target);
  float t0 = 0.5 * ofTarget1;
  float t1 = 24.0 * sqrt(ofTarget0);
  float total0 = 0.0;
  float total1 = 0.0;
  float total2 = 0.0;
  int next = int(flatNumber(user_exclusionOffsets, user_exclusionOffsetsScale, target));
  int end = int(flatNumber(user_exclusionOffsets, user_exclusionOffsetsScale, target + 1));
  for (; next < end && int(flatNumber(user_exclusions, user_exclusionsScale, next)) < user_first; next++) {}
  int skip = next < end ? int(flatNumber(user_exclusions, user_exclusionsScale, next)) : -1;
  for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
    int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
    int to = row == rowOf(until) ? columnOf(until) : 256;
    vec2 scale = user_sourcesScale;
    float rowCentre = centre(row, scale.y);
    float part0 = 0.0;
    float part1 = 0.0;
    float part2 = 0.0;
    for (; column + 4 <= to; column += 4) {
      vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
      vec4 page1At0 = sampled(user_sources, vec2(centre(256 + column, scale.x), rowCentre));
      vec4 page0At1 = sampled(user_sources, vec2(centre(column + 1, scale.x), rowCentre));
      vec4 page1At1 = sampled(user_sources, vec2(centre(256 + column + 1, scale.x), rowCentre));
      vec4 page0At2 = sampled(user_sources, vec2(centre(column + 2, scale.x), rowCentre));
      vec4 page1At2 = sampled(user_sources, vec2(centre(256 + column + 2, scale.x), rowCentre));
      vec4 page0At3 = sampled(user_sources, vec2(centre(column + 3, scale.x), rowCentre));
      vec4 page1At3 = sampled(user_sources, vec2(centre(256 + column + 3, scale.x), rowCentre));
      PAIR(column, page0At0, page1At0)
      PAIR(column + 1, page0At1, page1At1)
      PAIR(column + 2, page0At2, page1At2)
      PAIR(column + 3, page0At3, page1At3)
    }
    for (; column < to; column++) {
      vec4 page0At0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
      vec4 page1At0 = sampled(user_sources, vec2(centre(256 + column, scale.x), rowCentre));
      PAIR(column, page0At0, page1At0)
    }
    total0 += part0;
    total1 += part1;
    total2 += part2;
  }
  return vec4(before(0).x + t1 * total0, before(0).y + t1 * total1, before(0).z + t1 * total2, 0.0);
}
void main() { result = pairLoop(); }
