#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform highp sampler2D user_sources;
uniform highp sampler2D user_targetPosition;
uniform vec2 user_sourcesScale;
uniform vec2 user_targetPositionScale;
uniform int user_firstTarget;
uniform int user_lastTarget;
uniform int user_first;
uniform int user_last;

#define QUADS 75
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

vec4 matrixLoop() {
  int quad = elementAt(int(gl_FragCoord.y), int(gl_FragCoord.x));
  int target = user_firstTarget + quotient(quad, QUADS);
  int firstSource = 4 * remainder(quad, QUADS);
  if (target >= user_lastTarget) return vec4(0.0);
  float xi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 0);
  float yi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 1);
  float zi = flatNumber(user_targetPosition, user_targetPositionScale, 3 * target + 2);
  vec4 terms = vec4(0.0);
  for (int lane = 0; lane < 4; lane++) {
    int j = firstSource + lane;
    if (j < user_first || j >= user_last) continue;
    int row = rowOf(j), column = columnOf(j);
    vec2 scale = user_sourcesScale;
    float rowCentre = centre(row, scale.y);
    vec4 page0 = sampled(user_sources, vec2(centre(column, scale.x), rowCentre));
    float xj = page0.x;
    float yj = page0.y;
    float zj = page0.z;
    float dx = xj - xi;
    float dy = yj - yi;
    float dz = zj - zi;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (j != target) terms[lane] = r2;
  }
  return terms;
}
void main() { result = matrixLoop(); }
