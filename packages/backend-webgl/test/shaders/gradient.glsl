#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform highp sampler2D user_array0;
uniform vec2 user_array0Scale;
uniform float user_p0;
uniform float user_p1;

#define ELEMENTS 12
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

vec4 elementLoop() {
  int page = rowOf(int(gl_FragCoord.x));
  int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  if (element >= ELEMENTS) return vec4(0.0);
  float p0 = user_p0;
  float p1 = user_p1;
  int ix = remainder(element, 3), iy = remainder(quotient(element, 3), 4), iz = quotient(element, 12);
  float loaded0 = flatNumber(user_array0, user_array0Scale, (ix == 0 ? 2 : ix - 1) + 3 * (iy + 4 * (iz)));
  float loaded1 = flatNumber(user_array0, user_array0Scale, (ix == 2 ? 0 : ix + 1) + 3 * (iy + 4 * (iz)));
  float loaded2 = flatNumber(user_array0, user_array0Scale, ix + 3 * ((iy == 0 ? 3 : iy - 1) + 4 * (iz)));
  float loaded3 = flatNumber(user_array0, user_array0Scale, ix + 3 * ((iy == 3 ? 0 : iy + 1) + 4 * (iz)));
  return vec4(p0 * (loaded1 - loaded0), p1 * (loaded3 - loaded2), 0.0, 0.0);
}
void main() { result = elementLoop(); }
