/**
 * The best that an expert of gpu.js writes by hand: points as one texture of (x, y, z, mass), interleaved on the host, and
 * one kernel whose loop over rows and columns of that texture is a native function, with constant bounds and texels sampled
 * at their centres, which is what software rasterisers are fastest at. Gravity of unit strength, for square numbers of points.
 */
import type { Gl } from '../src/host/adapter.ts'
import { type Driver, type DriverKernel, loadDriver } from '../src/host/driver.ts'

export async function expert(gl: Gl, version: 1 | 2, count: number, softening: number): Promise<Expert> {
  const Gpu = await loadDriver()
  const driver = new Gpu({ context: gl, canvas: gl.canvas, mode: version === 2 ? 'webgl2' : 'webgl' }) as Driver
  const side = Math.sqrt(count)
  const attract = driver.createKernel('function (points) { return attraction(this.thread.x, this.thread.y); }', {
    precision: 'single',
    tactic: 'precision',
    output: [side, side],
    pipeline: true,
    immutable: true,
    nativeFunctions: [{ name: 'attraction', source: attraction(version, side, softening) }],
  }) as DriverKernel
  return (position, mass) => {
    const points = new Float32Array(4 * count)
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) points[4 * i + k] = position[3 * i + k] as number
      points[4 * i + 3] = mass[i] as number
    }
    const result = attract(points) as { delete(): void; renderRawOutput(): Float32Array }
    const raw = result.renderRawOutput()
    result.delete()
    const acceleration = new Float32Array(3 * count)
    for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) acceleration[3 * i + k] = raw[4 * i + k] as number
    return acceleration
  }
}

export type Expert = (position: Float32Array, mass: Float32Array) => Float32Array

const attraction = (version: 1 | 2, side: number, softening: number): string => `
#define sampled ${version === 2 ? 'texture' : 'texture2D'}
vec4 attraction(float column, float row) {
  const float texel = 1.0 / ${side}.0;
  vec3 here = sampled(user_points, (vec2(column, row) + 0.5) * texel).xyz;
  vec3 total = vec3(0.0);
  for (int y = 0; y < ${side}; y++) {
    float v = (float(y) + 0.5) * texel;
    for (int x = 0; x < ${side}; x++) {
      vec4 there = sampled(user_points, vec2((float(x) + 0.5) * texel, v));
      vec3 d = there.xyz - here;
      float inverse = inversesqrt(dot(d, d) + ${softening ** 2});
      total += (there.w * inverse) * (inverse * inverse) * d;
    }
  }
  return vec4(total, 0.0);
}`
