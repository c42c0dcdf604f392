// Wrong devices, made from a right one by changing its shaders or its answers. The proof at opening refuses each of them
// because of its results.

import { accelerations, gravity, map } from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { webgl } from '../../src/index.ts'
import type { Gl } from '../../src/run/host/adapter.ts'
import { cloud } from './device.ts'

type Kind = 'webgl' | 'webgl2'
type Rewrite = (shader: string) => string

const contextOf = (kind: Kind) => new OffscreenCanvas(2, 2).getContext(kind as 'webgl') as Gl

/** A driver that compiles something other than the given shader. */
function compiling(kind: Kind, rewrite: Rewrite): () => Gl {
  return () => {
    const gl = contextOf(kind)
    const shaderSource = gl.shaderSource.bind(gl)
    return Object.assign(gl, {
      shaderSource: (shader: WebGLShader, text: string) => shaderSource(shader, rewrite(text)),
    })
  }
}

/** A device that changes its results on the way. */
function answering(kind: Kind, change: (x: number) => number): () => Gl {
  return () => {
    const gl = contextOf(kind)
    const readPixels = gl.readPixels.bind(gl) as (...args: unknown[]) => void
    return Object.assign(gl, {
      readPixels: (...args: unknown[]) => {
        readPixels(...args)
        const numbers = args[6] as Float32Array
        numbers.set(numbers.map(change))
      },
    })
  }
}

const half = `
vec4 toHalf(vec4 x) {
  vec4 unit = exp2(floor(log2(max(abs(x), 1e-30))) - 10.0);
  return floor(x / unit + 0.5) * unit;
}
void kernel() {`

/** Rounds the result of some passes, as GLSL ES 1.00 declares their output mediump. `applies` tells whether a function is one of them. */
const mediumpOutput =
  (applies: (body: string) => boolean): Rewrite =>
  (shader) => {
    const [, name = ''] = /kernelResult = (\w+)\(\);/.exec(shader) ?? []
    const body = shader.slice(shader.indexOf(`vec4 ${name}() {`), shader.indexOf('void kernel() {'))
    if (!name || !applies(body)) return shader
    return shader
      .replace('void kernel() {', half)
      .replace(`kernelResult = ${name}();`, `kernelResult = toHalf(${name}());`)
  }

const fromBranches = mediumpOutput((body) => body.split('return').length > 2)
const always = mediumpOutput(() => true)

/** Replaces everything in shaders that `pattern` matches, and requires that some shader matches. */
const replacing =
  (pattern: RegExp, text: string): Rewrite =>
  (shader) =>
    shader.replaceAll(pattern, text)

test.for<[string, Kind, () => Gl, RegExp]>([
  ['returns zeros', 'webgl2', answering('webgl2', () => 0), /returns zeros/],
  ['reads back in half precision', 'webgl2', answering('webgl2', (x) => Math.round(x / 2 ** 12) * 2 ** 12), /float32/],
  ['rounds what it draws to half precision', 'webgl', compiling('webgl', always), /float32/],
  ...(['webgl', 'webgl2'] as const).flatMap((kind): [string, Kind, () => Gl, RegExp][] => [
    [
      'samples a neighbouring texel',
      kind,
      compiling(
        kind,
        replacing(/return \(float\(n\) \+ 0\.5\) \* scale;/g, 'return (float(n) + (n == 201 ? 1.5 : 0.5)) * scale;'),
      ),
      /float32/,
    ],
    [
      'divides integers as floats',
      kind,
      compiling(kind, replacing(/return n \/ 256;/g, 'return int(floor(float(n) * 0.00390625 + 0.01));')),
      /float32/,
    ],
    ['leaves out a row', kind, compiling(kind, replacing(/row\+\+/g, 'row += row == 1 ? 2 : 1')), /float32/],
    ['forgets what the slice before gave', kind, compiling(kind, replacing(/user_resume == 1/g, 'false')), /float32/],
  ]),
])('a device that %s (%s) is refused', async ([, , context, reason]) => {
  await expect(webgl({ context }).open()).rejects.toThrow(reason)
})

test('a driver of WebGL1 that rounds results of branches to half precision does not affect results', async () => {
  const device = await webgl({ context: compiling('webgl', fromBranches) }).open()
  const points = cloud(300)
  const pull = accelerations(gravity({ softening: 0.1 }))
  const { shape, bindings } = bind(pull, points)
  const program = await device.prepare(pull, shape)
  const { acceleration = [] } = await program.run(bindings)
  const truth = truthOf(pull, shape, bindings)
  const { max } = errorNorms(acceleration, truth.results.acceleration ?? [], truth.scales.acceleration ?? [])
  expect(max).toBeLessThan(errorBound(program.report, 300))
  const same = map({ y: 'mass' })
  const masses = bind(same, points)
  expect((await (await device.prepare(same, masses.shape)).run(masses.bindings)).y).toEqual(points.mass)
  device.dispose()
})
