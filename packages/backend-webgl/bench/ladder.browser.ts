// The naive-against-tuned ladder: gravity over the same points in the same page, whole calls, medians of interleaved runs.
// It prints the rows of a table. `-t WebGL1` runs the second half alone.
//
//   npx vitest run --config tests/browser/ladder.config.ts
//
// Rungs: `naive` is the kernel that gpu.js' documentation would have one write; `expert` is written by hand with gpu.js,
// a native function over a texture of (x, y, z, mass); `texture-loop` is what this backend generates from the law.

import { accelerations, gravity } from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/backend'
import { afterAll, expect, test } from 'vitest'
import { findContext, type Gl } from '../src/context.ts'
import { type Driver, type DriverKernel, loadDriver } from '../src/driver.ts'
import { webgl } from '../src/index.ts'

const law = gravity({ softening: 0.05 })
const workload = accelerations(law)

const sizes = [1024, 4096, 16384]
const rows: string[] = []
const head = [
  ['context', 'N', '`naive`, ms', '`expert`, ms', '`texture-loop`, ms', 'upload, compute, readback, ms', 'of `naive`'],
  ['of `expert`', 'errors: `naive`, `expert`, `texture-loop`', 'bound'],
].flat()

let renderer = ''

afterAll(() =>
  console.log(
    `${renderer}\n`,
    [head, head.map(() => '---'), ...rows].map((row) => `| ${[row].flat().join(' | ')} |`).join('\n'),
  ),
)

const cases = (['WebGL2', 'WebGL1'] as const).flatMap((version) => sizes.map((count) => [version, count] as const))

test.for(cases)('gravity on %s among %i points', { timeout: 600_000 }, async ([version, count]) => {
  const context = () => new OffscreenCanvas(2, 2).getContext(version === 'WebGL2' ? 'webgl2' : 'webgl') as Gl | null
  const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
  const position = Float32Array.from({ length: 3 * count }, (_, n) => noise(n))
  const mass = Float32Array.from({ length: count }, (_, n) => 1 + 0.5 * noise(n + 7))
  const { shape, bindings } = bind(workload, { position, mass })
  const device = await webgl({ context }).open()
  renderer = device.info.name
  const tuned = await device.prepare(workload, shape)
  const naive = await device.prepare(workload, shape, { variant: 'naive' })
  // The expert's kernel fetches texels by number, which WebGL1 cannot.
  const expert = version === 'WebGL2' ? await handWritten(count) : undefined
  const rungs: Readonly<Record<string, () => Promise<ArrayLike<number>>>> = {
    naive: async () => (await naive.run(bindings)).acceleration ?? [],
    ...(expert && { expert: async () => expert(position, mass) }),
    'texture-loop': async () => (await tuned.run(bindings)).acceleration ?? [],
  }
  const sample = Array.from({ length: 64 }, (_, n) => Math.floor((n * count) / 64))
  const truth = truthOf(workload, shape, bindings, { targets: sample })
  const times: Record<string, number[]> = {}
  const parts: Record<'upload' | 'compute' | 'readback', number[]> = { upload: [], compute: [], readback: [] }
  const errors: Record<string, number> = {}
  const rounds = count > 4096 ? 3 : count > 1024 ? 7 : 21
  for (let round = 0; round <= rounds; round++)
    for (const [name, run] of Object.entries(rungs)) {
      const start = performance.now()
      const out = await run()
      // The first round warms up: programs compile, and slices find their size.
      if (round > 0) times[name] = [...(times[name] ?? []), performance.now() - start]
      const sampled = sample.flatMap((t) => [0, 1, 2].map((k) => out[3 * t + k] as number))
      if (round > 0 && name === 'texture-loop')
        for (const part of ['upload', 'compute', 'readback'] as const) parts[part].push(tuned.report.timings[part])
      errors[name] = errorNorms(sampled, truth.results.acceleration ?? [], truth.scales.acceleration ?? []).max
    }
  const median = (sample: readonly number[] = []) => [...sample].sort((a, b) => a - b)[sample.length >> 1] ?? Number.NaN
  const ms = (name: string) => median(times[name])
  const names = ['naive', 'expert', 'texture-loop']
  const against = (name: string) => (times[name] ? `${(ms(name) / ms('texture-loop')).toFixed(2)} x` : '-')
  const bound = errorBound(tuned.report, count)
  rows.push(
    [
      version,
      String(count),
      ...names.map((name) => (times[name] ? ms(name).toFixed(1) : '-')),
      Object.values(parts)
        .map((part) => median(part).toFixed(1))
        .join(', '),
      against('naive'),
      against('expert'),
      names.map((name) => errors[name]?.toExponential(1) ?? '-').join(', '),
      bound.toExponential(1),
    ].join(' | '),
  )
  device.dispose()
  expect(errors['texture-loop']).toBeLessThan(bound)
})

/** What a gpu.js expert writes: positions and masses as one vec4 texture, the loop as a native function over it. */
async function handWritten(count: number): Promise<(position: Float32Array, mass: Float32Array) => Float32Array> {
  const found = findContext()
  if (!('gl' in found)) throw new Error(found.reason)
  const Gpu = await loadDriver()
  const driver = new Gpu({ context: found.gl, canvas: found.gl.canvas }) as Driver
  const settings = { precision: 'single', tactic: 'precision', output: [count], pipeline: true, immutable: true }
  const pack = driver.createKernel(
    'function (position, mass) { const i = this.thread.x; return [position[3 * i], position[3 * i + 1], position[3 * i + 2], mass[i]]; }',
    settings,
  )
  const attract = driver.createKernel('function (points) { return attraction(this.thread.x); }', {
    ...settings,
    nativeFunctions: [
      {
        name: 'attraction',
        source: `
vec4 attraction(float target) {
  int width = user_pointsSize.x;
  vec4 here = texelFetch(user_points, ivec2(int(target) % width, int(target) / width), 0);
  vec3 total = vec3(0.0);
  for (int j = 0; j < ${count}; j++) {
    vec4 there = texelFetch(user_points, ivec2(j % width, j / width), 0);
    vec3 d = there.xyz - here.xyz;
    float inverse = inversesqrt(dot(d, d) + 0.0025);
    total += (there.w * inverse) * (inverse * inverse) * d;
  }
  return vec4(total, 0.0);
}`,
      },
    ],
  }) as DriverKernel
  return (position, mass) => {
    const points = pack(position, mass) as { delete(): void }
    const result = attract(points) as { delete(): void; renderRawOutput(): Float32Array }
    const raw = result.renderRawOutput()
    for (const texture of [points, result]) texture.delete()
    const out = new Float32Array(3 * count)
    for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = raw[4 * i + k] as number
    return out
  }
}
