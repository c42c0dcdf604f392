// The shaders of a workload, whole, as files that show them. tests/gpu/glsl-compiles.test.ts compiles the files.

import { map, nearest, pairTerm, sum, type Workload } from '@manybody/core'
import { expect, test } from 'vitest'
import { designOf } from '../src/compile/designs/designs.ts'
import { elementDesign } from '../src/compile/designs/element-design.ts'
import { dialectFor, dialects } from '../src/compile/glsl/dialect.ts'
import { shaderText } from '../src/compile/glsl/shader-text.ts'
import type { PassSource } from '../src/design/pass.ts'
import { glslText } from '../src/text.ts'
import { points, printed, shapeOf, softened } from './printed.ts'

test.for(printed)('%s', async ([_, version, workload, ...names]) => {
  const dialect = dialects[version]
  const { passes } = designOf(workload, shapeOf(workload), dialect)
  expect(passes.length).toBe(names.length)
  for (const [n, pass] of passes.entries())
    await expect(shaderText(dialect, pass)).toMatchFileSnapshot(`./shaders/${names[n]}.glsl`)
})

test('graphics cards fetch sources by their numbers', async () => {
  const [, loop] = designOf(softened, points, dialectFor(2, 'hardware')).passes
  await expect(shaderText(dialectFor(2, 'hardware'), loop as PassSource)).toMatchFileSnapshot(
    './shaders/gravity-hardware.glsl',
  )
  expect(dialectFor(2, 'software')).toBe(dialects[2])
  expect(dialectFor(1, 'hardware')).toBe(dialects[1])
})

test.for<[title: string, workload: Workload, kind: 'hardware' | 'software', points: number, name: string]>([
  ['graphics cards fold two of many targets at a time', softened, 'hardware', 20000, 'gravity-two-targets'],
  ['a state of two texels is drawn as two tiles', nearest(3), 'software', 300, 'nearest-two-pages'],
])('%s', async ([_, workload, kind, count, name]) => {
  const dialect = dialectFor(2, kind)
  const [, loop] = designOf(workload, { ...points, targets: count, sources: count }, dialect).passes
  await expect(shaderText(dialect, loop as PassSource)).toMatchFileSnapshot(`./shaders/${name}.glsl`)
})

test('the text of a workload has all of its shaders', () => {
  const [pack = '', loop = ''] = designOf(softened, points, dialects[1]).passes.map((pass) =>
    shaderText(dialects[1], pass),
  )
  expect(glslText(softened, points, { version: 1 })).toBe(`${pack}\n${loop}`)
  expect(glslText(softened, points)).toContain('texelFetch')
  expect(glslText(softened, points, { kind: 'software' })).not.toContain('texelFetch')
})

test('wrong options are refused', () => {
  expect(() => glslText(softened, points, { version: 3 as 2 })).toThrow('"version" expected 1 or 2, got 3')
  expect(() => glslText(softened, points, { versoin: 1 } as never)).toThrow(
    '"versoin" is not an option; expected version',
  )
  expect(() => glslText(softened, points, { kind: 'gpu' } as never)).toThrow(
    '"kind" expected "hardware" or "software", got "gpu"',
  )
  const unknown = { ...sum(pairTerm('r2')()), reduction: 'median' as 'sum' }
  expect(() => glslText(unknown, points)).toThrow()
})

test('a map reads its vectors component by component', () => {
  const workload = map({ position: 'position + dt*velocity' }, { dt: 0.1 })
  const { arrays, resident } = elementDesign(workload, points, dialects[2])
  expect(arrays).toEqual(['position', 'velocity'])
  expect(resident).toEqual({ position: [0, 3] })
})
