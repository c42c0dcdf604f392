/** Draws points and lines with WebGL2 from arrays, if the simulation does not run on WebGPU. */

import { grounds, type Painter, type Picture, type PointArrays, uniformLength, uniformsOf } from './picture.ts'

const block = `#version 300 es
precision highp float;
layout(std140) uniform Uniforms {
  mat4 matrix;
  vec2 size; float pixels; float least;
  float light; float box; float perSpeed; float look;
  vec4 stops[4];
  vec4 line;
  float cover; float most;
};`

const pointShader = `${block}
in vec3 position;
in vec3 velocity;
out vec2 at;
out vec3 colour;

vec3 colourOf(float speed) {
  float t = 3.0 * clamp(speed * perSpeed, 0.0, 1.0);
  int n = min(int(t), 2);
  return mix(stops[n].rgb, stops[n + 1].rgb, t - float(n));
}

void main() {
  vec3 p = box == 0.0 ? position : vec3(position.xy - box * floor(position.xy / box + 0.5), position.z);
  vec4 middle = matrix * vec4(p, 1);
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  float radius = clamp(pixels / middle.w, least, most);
  vec2 turned = at;
  if (look == 2.0) {
    vec2 forward = normalize((matrix * vec4(velocity, 0)).xy * size + vec2(1e-20, 0));
    turned = at.y * forward + at.x * vec2(-forward.y, forward.x);
  }
  gl_Position = middle + vec4(turned * radius * 2.0 / size * middle.w, 0, 0);
  colour = colourOf(length(velocity));
}`

const shadeShader = `${block}
in vec2 at;
in vec3 colour;
out vec4 shown;

void main() {
  float d2 = dot(at, at);
  if (look == 2.0) {
    if (0.275 * (1.0 - at.y) < abs(at.x) || at.y + 0.75 < 0.6 * abs(at.x)) discard;
    shown = vec4(colour, 1);
    return;
  }
  if (d2 > 1.0) discard;
  if (look == 1.0) {
    vec3 normal = vec3(at, sqrt(1.0 - d2));
    float lit = 0.28 + 0.72 * max(0.0, dot(normal, vec3(-0.45, 0.55, 0.7)));
    float shine = pow(max(0.0, dot(normal, vec3(-0.3, 0.42, 0.86))), 24.0) * 0.35;
    shown = vec4(colour * lit + shine, 1);
    return;
  }
  float a = light * (exp(-3.5 * d2) - 0.0302 + 0.9 * exp(-40.0 * d2));
  shown = vec4(colour * a, a * cover);
}`

const endShader = `${block}
in vec3 position;
void main() { gl_Position = matrix * vec4(position, 1); }`

const lineShader = `${block}
out vec4 shown;
void main() { shown = vec4(line.rgb * line.a, line.a); }`

/** @param points returns the arrays to draw, which are uploaded when they have changed */
export function webglPainter(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  points: () => PointArrays,
  edges: Uint32Array<ArrayBuffer>,
): Painter {
  const context = canvas.getContext('webgl2', { alpha: false, antialias: false, powerPreference: 'high-performance' })
  if (!context) throw new Error('this browser has neither WebGPU nor WebGL2, so nothing can be drawn')
  const gl = context
  const pointProgram = linked(gl, pointShader, shadeShader)
  const lineProgram = linked(gl, endShader, lineShader)
  const [positions, velocities, ends, uniforms] = [0, 1, 2, 3].map(() => gl.createBuffer())
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, uniforms ?? null)
  gl.bufferData(gl.UNIFORM_BUFFER, 4 * uniformLength, gl.DYNAMIC_DRAW)
  const { dimension } = points()

  const input = (index: number, buffer: WebGLBuffer | null | undefined, divisor: number) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer ?? null)
    gl.enableVertexAttribArray(index)
    gl.vertexAttribPointer(index, dimension, gl.FLOAT, false, 0, 0)
    gl.vertexAttribDivisor(index, divisor)
  }
  const forPoints = gl.createVertexArray()
  gl.bindVertexArray(forPoints)
  input(0, positions, 1)
  input(1, velocities, 1)
  const forLines = gl.createVertexArray()
  gl.bindVertexArray(forLines)
  input(0, positions, 0)
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, ends ?? null)
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, edges, gl.STATIC_DRAW)
  gl.bindVertexArray(null)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  let uploaded: PointArrays | undefined

  function upload(arrays: PointArrays): void {
    if (arrays === uploaded) return
    uploaded = arrays
    for (const [buffer, array] of [
      [positions, arrays.position],
      [velocities, arrays.velocity],
    ] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer ?? null)
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.STREAM_DRAW)
    }
  }

  function draw(picture: Picture): void {
    upload(points())
    const [red = 0, green = 0, blue = 0] = grounds[picture.theme]
    gl.viewport(0, 0, picture.width, picture.height)
    gl.clearColor(red, green, blue, 1)
    gl.depthMask(true)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.bindBuffer(gl.UNIFORM_BUFFER, uniforms ?? null)
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, uniformsOf(picture, 'webgl'))
    gl.disable(gl.DEPTH_TEST)
    if (edges.length > 0) {
      gl.useProgram(lineProgram)
      gl.bindVertexArray(forLines)
      gl.drawElements(gl.LINES, edges.length, gl.UNSIGNED_INT, 0)
    }
    if (picture.look === 'ball') gl.enable(gl.DEPTH_TEST)
    gl.useProgram(pointProgram)
    gl.bindVertexArray(forPoints)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, picture.count)
    gl.bindVertexArray(null)
  }

  return { draw, dispose: () => gl.getExtension('WEBGL_lose_context')?.loseContext() }
}

function linked(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) continue
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.bindAttribLocation(program, 0, 'position')
  gl.bindAttribLocation(program, 1, 'velocity')
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`the points cannot be drawn: ${gl.getProgramInfoLog(program)}`)
  gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'Uniforms'), 0)
  return program
}
