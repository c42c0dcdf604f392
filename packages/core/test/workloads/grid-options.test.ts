// Grid options: their meaning, and the error for each mistake.

import { describe, expect, it } from 'vitest'
import { type GridOptions, gradient, gridOf, stencil } from '../../src/problem/workloads/grid.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'

describe('a grid', () => {
  it('takes one spacing or one per axis, and by default has its corner at the origin and periodic edges', () => {
    expect(gridOf({ cells: [4, 3], spacing: 0.5 })).toEqual({
      cells: [4, 3],
      spacing: [0.5, 0.5],
      origin: [0, 0],
      edges: 'periodic',
    })
    expect(gridOf({ cells: [4, 3, 2], spacing: [1, 2, 3], origin: [-1, 0, 1], edges: 'clamp' })).toEqual({
      cells: [4, 3, 2],
      spacing: [1, 2, 3],
      origin: [-1, 0, 1],
      edges: 'clamp',
    })
  })

  it.each<[options: object | undefined, message: string]>([
    [{ cells: [], spacing: 1 }, '"cells" expected a list of 1, 2 or 3 integers, got 0 of them'],
    [{ cells: 4, spacing: 1 }, '"cells" expected a list of 1, 2 or 3 integers, got 4'],
    [{ cells: [4, 0], spacing: 1 }, '"cells[1]" expected integer >= 1, got 0'],
    [{ cells: [4, 2.5, 1], spacing: 1 }, '"cells[1]" expected integer >= 1, got 2.5'],
    [undefined, 'expected an object with cells, spacing, origin, edges, got undefined'],
    [{ cells: [4, 4] }, '"spacing" expected 2 numbers, one per axis, got undefined'],
    [{ cells: [4, 4], size: 1 }, '"size" is not a grid option; expected cells, spacing, origin, edges'],
    [{ cells: [4, 4], spacing: 0 }, '"spacing[0]" expected finite number > 0, got 0'],
    [{ cells: [4, 4], spacing: [1, -1] }, '"spacing[1]" expected finite number > 0, got -1'],
    [{ cells: [4, 4], spacing: [1, 1, 1] }, '"spacing" expected 2 numbers, one per axis, got 3 of them'],
    [{ cells: [4, 4], spacing: 1, origin: [0] }, '"origin" expected 2 numbers, one per axis, got 1 of them'],
    [{ cells: [4, 4], spacing: 1, origin: [0, NaN] }, '"origin[1]" expected finite number, got NaN'],
    [{ cells: [4, 4], spacing: 1, edges: 'open' }, '"edges" expected "periodic" or "clamp", got "open"'],
  ])('refuses %j', (options, message) => {
    for (const make of [gridOf, cellIndex, gradient]) expect(() => make(options as GridOptions)).toThrow(message)
  })
})

describe('a stencil or map', () => {
  const grid = { cells: [4, 4], spacing: 1 }

  it.each<[make: () => unknown, message: string]>([
    [() => stencil({ out: 'zp - zm' }, grid), 'unknown name "zp"; names in scope: c, xm, xp, hx, ym, yp, hy, pi'],
    [() => stencil({ out: '(xp - c' }, grid), 'expected ")", got end of text'],
    [() => stencil({ out: [] }, grid), '"out" expected an expression or a list of them, got Array'],
    [() => stencil({ out: 3 as unknown as string }, grid), '"out" expected an expression or a list of them, got 3'],
    [() => stencil({}, grid), '"outputs" expected at least one expression, got none'],
    [() => stencil(undefined as never, grid), '"outputs" expected expressions by name'],
    [() => stencil({ out: 'k*c' }, grid, { k: NaN }), '"k" expected finite number, got NaN'],
    [
      () => stencil({ out: 'c' }, grid, { c: 2 }),
      '"parameters" expected names other than pi, c, xm, xp, hx, ym, yp, hy, which have a meaning here, got "c"',
    ],
    [() => stencil({ out: 'hx' }, grid, { hx: 2 }), 'which have a meaning here, got "hx"'],
    [() => map({ out: 'x +' }), 'expected a number, a name, a function or "(", got end of text'],
    [() => map({}), '"outputs" expected at least one expression, got none'],
    [() => map(undefined as never), '"outputs" expected expressions by name'],
    [() => map({ out: 'h*x' }, { h: Infinity }), '"h" expected finite number, got Infinity'],
  ])('refuses wrong outputs with $1', (make, message) => {
    expect(make).toThrow(message)
  })
})
