#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform highp sampler2D user_sourcePosition;
uniform highp sampler2D user_sourceAttribute0;
uniform highp sampler2D user_sourceAttribute1;
uniform vec2 user_sourcePositionScale;
uniform vec2 user_sourceAttribute0Scale;
uniform vec2 user_sourceAttribute1Scale;
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

vec4 packSources() {
  int page = rowOf(int(gl_FragCoord.x));
  int source = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  float p0 = user_p0;
  float p1 = user_p1;
  float p2 = user_p2;
  float p3 = user_p3;
  float p4 = user_p4;
  float p5 = user_p5;
  float p6 = user_p6;
  float xj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 0);
  float yj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 1);
  float zj = flatNumber(user_sourcePosition, user_sourcePositionScale, 3 * source + 2);
  float ofSource0 = flatNumber(user_sourceAttribute0, user_sourceAttribute0Scale, source);
  float ofSource1 = flatNumber(user_sourceAttribute1, user_sourceAttribute1Scale, source);
  float s0 = sqrt(ofSource0);
  float s1 = 0.5 * ofSource1;
  if (page == 0) return vec4(xj, yj, zj, s0);
  return vec4(s1, 0.0, 0.0, 0.0);
}
void main() { result = packSources(); }
