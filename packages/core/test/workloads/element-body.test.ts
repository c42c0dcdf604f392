// The scheduled bodies of maps, cell indices and stencils give the results of the reference loops.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import type { RootStyle } from '../../src/language/expand-powers.ts'
import {
  cellBody,
  type ElementBody,
  gridParameters,
  mapBody,
  stencilBody,
} from '../../src/problem/workloads/bodies/element-body.ts'
import { gradient, gridOf, stencil } from '../../src/problem/workloads/grid.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import type { Dimension, Shape, StencilWorkload } from '../../src/problem/workloads/workload.ts'
import { cellIndexLoop, inside, mapLoop } from '../../src/truth/reference/particle-loop.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

type Values = Readonly<Record<string, number>>

/** The outputs for one element, from nothing but the loads that the body lists. */
function evaluateBody(body: ElementBody, parameters: Values, element: Values): Record<string, number[]> {
  const known: Record<string, number> = {}
  for (const { name, expr } of body.run) known[name] = evaluate(expr, { ...parameters, ...known })
  for (const name of body.loads) known[name] = element[name] as number
  for (const { name, expr } of body.loop) known[name] = evaluate(expr, known)
  return Object.fromEntries(
    Object.entries(body.outputs).map(([name, components]) => [name, components.map((e) => evaluate(e, known))]),
  )
}

const styles: readonly RootStyle[] = ['inverseSqrt', 'sqrt']
const next = random(77)
const count = 9

describe.each([2, 3] as const)('maps in %i-D', (dimension: Dimension) => {
  const arrays = {
    position: numbersBetween(next, count * dimension, 0.5, 4),
    velocity: numbersBetween(next, count * dimension, -1, 1),
    mass: numbersBetween(next, count, 0.5, 2),
  }
  const shape: Shape = { dimension, targets: count, sources: 0, sameSet: true, vectors: ['position', 'velocity'] }

  it.each([
    ['a drift', map({ position: 'position + h*velocity' }, { h: 0.1 })],
    ['a plain attribute', map({ mass: '2*mass + k^2' }, { k: 3 })],
    ['a vector times a plain attribute', map({ momentum: 'mass*velocity' })],
    [
      'components',
      map({ speed: 'sqrt(velocity_x^2 + velocity_y^2)', spin: 'position_x*velocity_y - position_y*velocity_x' }),
    ],
    ['a list of components', map({ turned: ['-velocity_y', 'velocity_x', 'mass'] })],
    ['a component beside its vector', map({ position: 'position*velocity_x' })],
    ['shared roots', map({ a: 'sqrt(mass)/(1 + mass^(3/2))', b: 'mass^(-1/2)*exp(-sqrt(mass))' })],
    ['parameters alone', map({ k: 'k^3 + 1' }, { k: 2 })],
  ])('%s', (_, workload) => {
    const expected = mapLoop(workload, shape, arrays, workload.parameters)
    for (const roots of styles) {
      const body = mapBody(workload, shape, roots)
      for (let p = 0; p < count; p++) {
        const element: Record<string, number> = { mass: arrays.mass[p] as number }
        for (const name of ['position', 'velocity'] as const)
          for (let axis = 0; axis < dimension; axis++)
            element[`${name}_${'xyz'.charAt(axis)}`] = arrays[name][p * dimension + axis] as number
        for (const [name, components] of Object.entries(evaluateBody(body, workload.parameters, element))) {
          const all = expected[name] as Float64Array
          expect(all).toHaveLength(count * components.length)
          for (const [c, value] of components.entries())
            expect(value).toBeCloseTo(all[p * components.length + c] as number, 12)
        }
      }
    }
  })
})

describe.each(['periodic', 'clamp'] as const)('cell indices with %s edges', (edges) => {
  it.each([2, 3] as const)('in %i-D', (dimension: Dimension) => {
    const grid = gridOf({
      cells: [4, 3, 5].slice(0, dimension),
      spacing: [0.5, 1, 0.25].slice(0, dimension),
      origin: [-1, 0.1, 0].slice(0, dimension),
      edges,
    })
    const body = cellBody(grid)
    // Inside, on edges, and several grids beyond both ends.
    const position = Float64Array.of(
      ...[-1, 0.1, 0].slice(0, dimension),
      ...[0.99, 3.09, 1.24].slice(0, dimension),
      ...[1, 3.1, 1.25].slice(0, dimension),
      ...numbersBetween(next, 30 * dimension, -9, 9),
    )
    const points = position.length / dimension
    const shape: Shape = { dimension, targets: points, sources: 0, sameSet: true, vectors: ['position'] }
    const { index } = cellIndexLoop(grid, shape, position)
    const [nx = 1, ny = 1] = grid.cells
    for (let p = 0; p < points; p++) {
      const element = Object.fromEntries(
        grid.cells.map((_, axis) => [`position_${'xyz'.charAt(axis)}`, position[p * dimension + axis] as number]),
      )
      const [ix = 0, iy = 0, iz = 0] = evaluateBody(body, gridParameters(grid), element).index ?? []
      expect(ix + nx * (iy + ny * iz)).toBe(index?.[p])
    }
  })
})

it('cell indices start at the corner and count x fastest', async () => {
  await using engine = await referenceEngine()
  const position = Float64Array.of(0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 1.5, -0.5, 0.5, 0.5)
  const cells = [4, 3, 2]
  const run = async (edges: 'periodic' | 'clamp') =>
    (await engine.run(cellIndex({ cells, spacing: 1, edges }), { position })).index
  expect(await run('periodic')).toEqual(Int32Array.of(0, 1, 4, 12, 3))
  expect(await run('clamp')).toEqual(Int32Array.of(0, 1, 4, 12, 0))
})

it.each([
  [-1, 3, 0],
  [4, 0, 3],
  [-5, 3, 0],
  [9, 1, 3],
  [2, 2, 2],
])('cell %i of 4 wraps to %i and is clamped to %i', (k, wrapped, clamped) => {
  expect([inside(k, 4, 'periodic'), inside(k, 4, 'clamp')]).toEqual([wrapped, clamped])
})

describe.each(['periodic', 'clamp'] as const)('stencils with %s edges', (edges) => {
  it.each<[name: string, workload: StencilWorkload]>([
    ['a gradient in 3-D', gradient({ cells: [4, 3, 2], spacing: [0.5, 1, 2], edges })],
    ['a gradient in 2-D', gradient({ cells: [4, 3], spacing: 0.5, edges })],
    ['one cell thick', gradient({ cells: [5, 1], spacing: 0.5, edges })],
    [
      'a laplacian and a flow',
      stencil(
        { laplacian: '(xm + xp - 2*c)/hx^2 + (ym + yp - 2*c)/hy^2', flow: 'k*sqrt(1 + c^2)*(xp - c)' },
        { cells: [4, 3], spacing: [0.5, 0.25], edges },
        { k: 3 },
      ),
    ],
  ])('%s', async (_, workload) => {
    await using engine = await referenceEngine()
    const { cells, spacing } = workload.grid
    const [nx = 1, ny = 1, nz = 1] = cells
    const field = numbersBetween(next, nx * ny * nz, -1, 1)
    const results = (await engine.run(workload, { field })) as unknown as Record<string, Float64Array>
    const at = (x: number, y: number, z: number): number => {
      const wrap = (k: number, n: number) => (edges === 'clamp' ? Math.max(0, Math.min(n - 1, k)) : (k + n) % n)
      return field[wrap(x, nx) + nx * (wrap(y, ny) + ny * wrap(z, nz))] as number
    }
    for (const roots of styles) {
      const body = stencilBody(workload, roots)
      for (let cell = 0; cell < nx * ny * nz; cell++) {
        const [x, y, z] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / nx / ny)] as const
        const element = {
          ...{ c: at(x, y, z), xm: at(x - 1, y, z), xp: at(x + 1, y, z), ym: at(x, y - 1, z) },
          ...{ yp: at(x, y + 1, z), zm: at(x, y, z - 1), zp: at(x, y, z + 1) },
        }
        const parameters = { ...gridParameters(workload.grid), ...workload.parameters }
        for (const [name, components] of Object.entries(evaluateBody(body, parameters, element))) {
          const all = results[name] as Float64Array
          expect(all).toHaveLength(nx * ny * nz * components.length)
          for (const [c, value] of components.entries())
            expect(value).toBeCloseTo(all[cell * components.length + c] as number, 12)
        }
        if (workload.results[0] !== 'gradient') continue
        const slope = (element.xp - element.xm) / (2 * (spacing[0] as number))
        expect(results.gradient?.[cell * cells.length]).toBeCloseTo(slope, 12)
      }
    }
  })
})

it('the gradient of a linear field is its slope away from the edges', async () => {
  await using engine = await referenceEngine()
  const field = Float64Array.from({ length: 25 }, (_, cell) => 3 * (cell % 5) * 0.5 - 2 * Math.floor(cell / 5) * 0.25)
  const { gradient: slope } = await engine.run(gradient({ cells: [5, 5], spacing: [0.5, 0.25] }), { field })
  expect([slope[2 * 12], slope[2 * 12 + 1]]).toEqual([3, -2])
})

it('takes no number for the text that it looks like', () => {
  map({ mass: ['5'] })
  expect(() => map({ mass: [5 as unknown as string] })).toThrow('"expression" expected text, got 5')
})

it('refuses a text where its names mean something else, also after it was read elsewhere', () => {
  const [cubes, squares] = [
    [4, 4, 4],
    [4, 4],
  ].map((cells) => ({ cells, spacing: cells.map(() => 1) }))
  stencil({ slope: 'zp - zm' }, cubes as Parameters<typeof stencil>[1])
  expect(() => stencil({ slope: 'zp - zm' }, squares as Parameters<typeof stencil>[1])).toThrow('unknown name "zp"')
  map({ mass: 'a*mass; a = 2' })
  expect(() => map({ mass: 'a*mass; a = 2' }, { a: 1 })).toThrow('"a" is already defined')
})
