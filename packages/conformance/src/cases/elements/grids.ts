/**
 * Stencils and gradients over grids with periodic and clamped edges.
 *
 * @module
 */
import { gradient, stencil } from '@manybody/core'
import type { Case } from '../../case.ts'
import { randomOf } from '../../random.ts'

const laplacian = {
  2: '(xm + xp - 2*c)/hx^2 + (ym + yp - 2*c)/hy^2',
  3: '(xm + xp - 2*c)/hx^2 + (ym + yp - 2*c)/hy^2 + (zm + zp - 2*c)/hz^2',
} as const

/** Odd sizes, sizes on both sides of tile edges, and axes of one cell, which neighbours itself. */
const grids: readonly (readonly number[])[] = [
  [1, 1],
  [2, 3],
  [65, 9],
  [128, 3],
  [1, 64],
  [1, 1, 1],
  [5, 4, 3],
  [17, 9, 5],
  [64, 2, 3],
  [1, 7, 1],
]

export function gridCases(): readonly Case[] {
  return [...random(), ...known(), reused()]
}

const size = (cells: readonly number[]): number => cells.reduce((product, n) => product * n, 1)

function random(): readonly Case[] {
  return (['periodic', 'clamp'] as const).flatMap((edges) =>
    grids.flatMap((cells, seed) => {
      const grid = { cells, spacing: [0.5, 0.3, 0.7].slice(0, cells.length), edges }
      const particles = { field: randomOf(500 + seed).array(size(cells), -1, 1) }
      const shape = `${cells.join(' x ')}, ${edges}`
      return [
        {
          name: `stencil: laplacian, ${shape}`,
          workload: stencil({ laplacian: laplacian[cells.length as 2 | 3] }, grid),
          particles,
        },
        { name: `stencil: gradient, ${shape}`, workload: gradient(grid), particles },
      ]
    }),
  )
}

/** Fields with known derivatives on the grid. */
function known(): readonly Case[] {
  const cells = [8, 6, 5]
  const axesOf = (cell: number) => [cell % 8, Math.floor(cell / 8) % 6, Math.floor(cell / 48)] as const
  const inside = (k: number, n: number) => (k === 0 || k === n - 1 ? 0.5 : 1)
  const linear = Float64Array.from({ length: size(cells) }, (_, cell) => {
    const [x, y, z] = axesOf(cell)
    return x + 16 * y - 4 * z
  })
  const slopes = Array.from(linear, (_, cell) => {
    const [x, y, z] = axesOf(cell)
    return [inside(x, 8), 16 * inside(y, 6), -4 * inside(z, 5)]
  })
  const order = Float64Array.from({ length: 15 }, (_, n) => n)
  const wave = Float64Array.from({ length: 16 * 4 }, (_, cell) => Math.sin((2 * Math.PI * (cell % 16)) / 16))
  return [
    {
      name: 'stencil: conditions of parameters',
      workload: stencil(
        { out: 'select(choice < 0.5, c, xp) + select(choice < 0.5 && xm < yp, 1, 0)' },
        { cells, spacing: 1 },
        { choice: 0.25 },
      ),
      particles: { field: randomOf(520).array(size(cells), -1, 1) },
    },
    {
      name: 'stencil: gradient of a plane, half of it at clamped edges',
      workload: gradient({ cells, spacing: 1, edges: 'clamp' }),
      particles: { field: linear },
      exact: { gradient: Float64Array.from(slopes.flat()) },
    },
    {
      name: 'stencil: neighbours in order, periodic',
      workload: stencil({ neighbours: ['c', 'xm', 'xp', 'ym', 'yp'] }, { cells: [5, 3], spacing: 1 }),
      particles: { field: order },
      exact: { neighbours: Float64Array.from([...order].flatMap((cell) => neighbours(cell))) },
    },
    {
      name: 'stencil: laplacian of a wave',
      workload: stencil({ laplacian: laplacian[2] }, { cells: [16, 4], spacing: 1 }),
      particles: { field: wave },
      closedForm: { laplacian: wave.map((u) => (2 * Math.cos((2 * Math.PI) / 16) - 2) * u) },
    },
    {
      name: 'stencil: two outputs',
      workload: stencil({ mean: '(xm + xp + ym + yp)/4', step: 'c - 2' }, { cells: [9, 7], spacing: 1 }),
      particles: { field: randomOf(521).array(63, 1, 2) },
    },
  ]
}

/** A cell and its neighbours in a periodic grid of 5 x 3. */
function neighbours(cell: number): readonly number[] {
  const [x, y] = [cell % 5, Math.floor(cell / 5)]
  const at = (ix: number, iy: number) => ((ix + 5) % 5) + 5 * ((iy + 3) % 3)
  return [cell, at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)]
}

function reused(): Case {
  const grid = { cells: [9, 7, 3], spacing: 0.5 }
  const workload = stencil({ u: 'c + dt*k*(xm + xp + ym + yp - 4*c)/hx^2' }, grid, { dt: 0.01, k: 1 })
  const field = (seed: number) => ({ field: randomOf(seed).array(189, -1, 1) })
  return {
    name: 'stencil: other fields and parameters without a new program',
    workload,
    particles: field(531),
    again: [
      { workload, particles: field(532) },
      { workload, particles: field(531), parameters: { k: 3, dt: 0.02 } },
    ],
  }
}
