/**
 * The best kernel that an expert of gpu.js writes by hand. Points are one texture of (x, y, z, mass), interleaved on the host. The loop
 * over rows and columns of that texture is a native function with constant bounds. It samples texels at their centres, because software
 * rasterisers are fastest that way. Gravity of unit strength, for square numbers of points.
 */

import type { Backend } from '@manybody/core'
import { type Driver, type DriverKernel, loadDriver } from '../../../packages/backend-webgl/src/run/host/gpu-js.ts'
import type { Contender } from '../../src/contender.ts'
import { pointsOf } from '../points.ts'

type Context = WebGL2RenderingContext | WebGLRenderingContext

/** @param same a backend that runs on the same contexts, and describes the device */
export function gpuJsByHand(version: 1 | 2, context: () => Context | null, same: Backend): Contender {
  const name = `gpu.js by hand, WebGL${version}`
  return {
    name,
    rival: true,
    about: { name, variant: 'expert' },
    async prepare(problem) {
      const { count, position, attributes, parameters } = pointsOf(problem, 'f32')
      const { mass = [] } = attributes
      const side = Math.sqrt(count)
      if (!Number.isInteger(side)) throw new Error(`it is written for square numbers of points, got ${count}`)
      const [gl, probe] = [context(), await same.probe()]
      if (!gl || !probe.available) throw new Error(`there is no WebGL${version} here`)
      const Gpu = await loadDriver()
      const driver = new Gpu({ context: gl, canvas: gl.canvas, mode: version === 2 ? 'webgl2' : 'webgl' }) as Driver
      const attract = driver.createKernel('function (points) { return attraction(this.thread.x, this.thread.y); }', {
        precision: 'single',
        tactic: 'precision',
        output: [side, side],
        pipeline: true,
        immutable: true,
        nativeFunctions: [{ name: 'attraction', source: attraction(version, side, parameters.softening ?? 0) }],
      }) as DriverKernel
      const acceleration = new Float32Array(3 * count)
      return {
        who: { name, rival: true, device: probe.device, kind: probe.kind, precision: 'f32', variant: 'expert' },
        accuracy: { accumulation: 'running', precision: 'f32' },
        async run() {
          const points = new Float32Array(4 * count)
          for (let i = 0; i < count; i++) {
            for (let k = 0; k < 3; k++) points[4 * i + k] = position[3 * i + k] as number
            points[4 * i + 3] = mass[i] as number
          }
          const result = attract(points) as { delete(): void; renderRawOutput(): Float32Array }
          const raw = result.renderRawOutput()
          result.delete()
          for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) acceleration[3 * i + k] = raw[4 * i + k] as number
          return undefined
        },
        results: async () => ({ acceleration }),
        dispose: () => void driver.destroy(),
      }
    },
  }
}

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
