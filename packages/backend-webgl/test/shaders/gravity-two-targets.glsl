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
uniform float user_p0;
uniform float user_p1;

#define TILE_TARGETS 10240
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
#define before_1(page) (user_resume == 1 ? texel(user_previous, user_previousScale, elementAt(page, columnOf(target_1)), rowOf(target_1)) : vec4(0.0))
#define PAIR(column, page0) { \
  int j = elementAt(row, column); \
  float xj = page0.x; \
  float yj = page0.y; \
  float zj = page0.z; \
  float s0 = page0.w; \
  { \
    float dx = xj - xi; \
    float dy = yj - yi; \
    float dz = zj - zi; \
    float e0 = inversesqrt(p1 + dx * dx + dy * dy + dz * dz); \
    float coefficient = s0 * e0 * (e0 * e0); \
    { \
      part0 += coefficient * dx; \
      part1 += coefficient * dy; \
      part2 += coefficient * dz; \
    } \
  } \
  { \
    float dx = xj - xi_1; \
    float dy = yj - yi_1; \
    float dz = zj - zi_1; \
    float e0 = inversesqrt(p1 + dx * dx + dy * dy + dz * dz); \
    float coefficient = s0 * e0 * (e0 * e0); \
    { \
      part0_1 += coefficient * dx; \
      part1_1 += coefficient * dy; \
      part2_1 += coefficient * dz; \
    } \
  } \
}
vec4 pairLoop() {
  int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  int target_1 = target + 1 * TILE_TARGETS;
  int until = target >= user_firstTarget && target < user_lastTarget || target_1 >= user_firstTarget && target_1 < user_lastTarget ? user_last : user_first;
  float p0 = user_p0;
  float p1 = user_p1;
  float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
  float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
  float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
  float xi_1 = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target_1 + 0);
  float yi_1 = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target_1 + 1);
  float zi_1 = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target_1 + 2);
  float total0 = 0.0;
  float total1 = 0.0;
  float total2 = 0.0;
  float total0_1 = 0.0;
  float total1_1 = 0.0;
  float total2_1 = 0.0;
  for (int row = rowOf(user_first); elementAt(row, 0) < until; row++) {
    int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
    int to = row == rowOf(until) ? columnOf(until) : 256;
    float part0 = 0.0;
    float part1 = 0.0;
    float part2 = 0.0;
    float part0_1 = 0.0;
    float part1_1 = 0.0;
    float part2_1 = 0.0;
    for (; column + 4 <= to; column += 4) {
      vec4 page0At0 = texelFetch(user_sources, ivec2(column, row), 0);
      vec4 page0At1 = texelFetch(user_sources, ivec2(column + 1, row), 0);
      vec4 page0At2 = texelFetch(user_sources, ivec2(column + 2, row), 0);
      vec4 page0At3 = texelFetch(user_sources, ivec2(column + 3, row), 0);
      PAIR(column, page0At0)
      PAIR(column + 1, page0At1)
      PAIR(column + 2, page0At2)
      PAIR(column + 3, page0At3)
    }
    for (; column < to; column++) {
      vec4 page0At0 = texelFetch(user_sources, ivec2(column, row), 0);
      PAIR(column, page0At0)
    }
    {
      total0 += part0;
      total1 += part1;
      total2 += part2;
    }
    {
      total0_1 += part0_1;
      total1_1 += part1_1;
      total2_1 += part2_1;
    }
  }
  tile1 = vec4(before_1(0).x + total0_1, before_1(0).y + total1_1, before_1(0).z + total2_1, 0.0);
  return vec4(before(0).x + total0, before(0).y + total1, before(0).z + total2, 0.0);
}
void main() { result = pairLoop(); tile1Output = tile1; }
