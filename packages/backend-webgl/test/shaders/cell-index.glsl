#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform highp sampler2D user_array0;
uniform vec2 user_array0Scale;
uniform float user_p0;
uniform float user_p1;
uniform float user_p2;
uniform float user_p3;
uniform float user_p4;
uniform float user_p5;

#define ELEMENTS 300
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
  float p2 = user_p2;
  float p3 = user_p3;
  float p4 = user_p4;
  float p5 = user_p5;
  float loaded0 = flatNumber(user_array0, user_array0Scale, 3 * element + 0);
  float loaded1 = flatNumber(user_array0, user_array0Scale, 3 * element + 1);
  float loaded2 = flatNumber(user_array0, user_array0Scale, 3 * element + 2);
  float e0 = floor(p0 * (p1 + loaded0));
  float e1 = floor(p2 * (p3 + loaded1));
  float e2 = floor(p4 * (p5 + loaded2));
  int cell0 = int(e0 - 4.0 * floor(0.25 * e0));
  cell0 += cell0 < 0 ? 4 : cell0 >= 4 ? -4 : 0;
  int cell1 = int(e1 - 5.0 * floor(0.2 * e1));
  cell1 += cell1 < 0 ? 5 : cell1 >= 5 ? -5 : 0;
  int cell2 = int(e2 - 6.0 * floor(0.16666666666666666 * e2));
  cell2 += cell2 < 0 ? 6 : cell2 >= 6 ? -6 : 0;
  return vec4(float(cell0 + 4 * (cell1 + 5 * cell2)), 0.0, 0.0, 0.0);
}
void main() { result = elementLoop(); }
