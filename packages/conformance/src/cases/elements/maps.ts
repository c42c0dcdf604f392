/**
 * Maps over points, with every function of the expression language, and grid cells of points.
 *
 * @module
 */
import { cellIndex, type Grid, map, type ParticleSet } from '@manybody/core'
import { numericNames } from '@manybody/core/expression'
import type { Case } from '../../case.ts'
import { callInXY, sampled } from '../../functions/arguments.ts'
import { randomOf } from '../../random.ts'

export function mapCases(): readonly Case[] {
  return [...functionCases(), ...vectorCases(), ...cellCases()]
}

type Range = readonly [from: number, to: number]

/** Expressions that are not calls of one function, with the range of x and y. */
const operations: Readonly<Record<string, Range>> = {
  'sqrt(x)': [0.1, 100],
  '1/sqrt(x)': [0.1, 100],
  'x^7': [-1.5, 1.5],
  'x^-3': [0.5, 2],
  'x^2.5': [0.1, 4],
  'select(x < y, x, -y)': [-3, 3],
  'select(x > 0 && y > 0 || !(x <= y), 1, 2)': [-3, 3],
}

function functionCases(): readonly Case[] {
  const functions = numericNames.map((name) => [callInXY(name), ...sampled[name].ranges] as const)
  const others = Object.entries(operations).map(([text, range]) => [text, range] as const)
  return [...functions, ...others].map(([text, x = [0, 1], y = x], seed) => ({
    name: `map: ${text}`,
    workload: map({ value: text }),
    particles: attributesOnly({
      x: randomOf(100 + seed).array(257, ...x),
      y: randomOf(200 + seed).array(257, ...y),
    }),
    steep: true,
  }))
}

/** A map needs no positions. The type of particles requires them because nearly everything else does. */
const attributesOnly = (arrays: Readonly<Record<string, Float64Array>>): ParticleSet => arrays as unknown as ParticleSet

function vectorCases(): readonly Case[] {
  const sizes = [1, 2, 63, 64, 65, 257]
  const moved = sizes.map((count): Case => {
    const random = randomOf(300 + count)
    return {
      name: `map: drift of ${count} points`,
      workload: map({ position: 'position + dt*velocity' }, { dt: 0.25 }),
      particles: { position: random.array(3 * count, -1, 1), velocity: random.array(3 * count, -1, 1) },
    }
  })
  const random = randomOf(301)
  const count = 100
  const particles = {
    position: random.array(3 * count, -1, 1),
    velocity: random.array(3 * count, -1, 1),
    mass: random.array(count, 1, 2),
  }
  const drift = { dt: 0.5 }
  return [
    ...moved,
    {
      name: 'map: two outputs, vector and plain',
      workload: map({ momentum: 'mass*velocity', doubled: '2*mass' }),
      particles,
    },
    {
      name: 'map: components by name',
      workload: map({ speed2: 'velocity_x^2 + velocity_y^2 + velocity_z^2' }),
      particles,
    },
    {
      name: 'map: a list of components',
      workload: map({ turned: ['-position_y', 'position_x'] }),
      particles,
    },
    {
      name: 'map: names that languages reserve',
      workload: map({ for: 'var*float + i', out: 'var - loop*float' }, { i: 2, loop: 0.5 }),
      particles: attributesOnly({ var: random.array(count, 1, 2), float: random.array(count, 1, 2) }),
    },
    {
      name: 'map: conditions of parameters',
      workload: map(
        { out: 'select(choice < 0.5, mass, -mass)', moved: 'select(choice > 0.5 && mass < 1.5, 0, position)' },
        { choice: 0.25 },
      ),
      particles,
    },
    {
      name: 'map: angles of zeros',
      workload: map({ angle: 'atan2(y, x)' }),
      particles: attributesOnly({
        y: Float64Array.of(0, 0, 0, 1, -1, -0, 1e-20, -1e-20),
        x: Float64Array.of(0, 1, -1, 0, 0, 1, -1e-20, 1e20),
      }),
    },
    {
      name: 'map: whole numbers',
      workload: map({ n: '3*x - 1' }),
      particles: attributesOnly({ x: Float64Array.from({ length: 1025 }, (_, n) => n) }),
      exact: { n: Float64Array.from({ length: 1025 }, (_, n) => 3 * n - 1) },
    },
    {
      name: 'map: another parameter without a new program',
      workload: map({ position: 'position + dt*velocity' }, drift),
      particles,
      again: [0.25, -1].map((dt) => ({
        workload: map({ position: 'position + dt*velocity' }, drift),
        particles,
        parameters: { dt },
      })),
    },
    {
      name: 'map: in the plane',
      workload: map({ position: 'position - velocity', r2: 'position_x^2 + position_y^2' }),
      particles: { dimension: 2, position: random.array(130, -1, 1), velocity: random.array(130, -1, 1) },
    },
  ]
}

type CellGrid = Pick<Grid, 'cells' | 'spacing' | 'origin'>

/** Points in the middle half of their cells, inside the grid and up to two grids away from it. */
function cellCases(): readonly Case[] {
  const grids: readonly CellGrid[] = [
    { cells: [7, 5, 3], spacing: [0.5, 0.3, 1.7], origin: [-1, 0.2, 3] },
    { cells: [16, 9], spacing: [0.1, 0.2], origin: [0, -5] },
    { cells: [1, 1, 4], spacing: [1, 2, 0.25], origin: [0, 0, 0] },
  ]
  const onEdges = Float64Array.from([0, 0.5, 1, 1.5, 2, -0.5, -2, 4, 7.5, -0.25, 0.25, 3.5])
  return (['periodic', 'clamp'] as const).flatMap((edges) => [
    ...grids.map((grid) => ({
      name: `cells: ${grid.cells.join(' x ')}, ${edges}`,
      workload: cellIndex({ ...grid, edges }),
      particles: { dimension: grid.cells.length as 2 | 3, position: insideCells(grid) },
    })),
    {
      name: `cells: points on cell edges, ${edges}`,
      workload: cellIndex({ cells: [4, 4], spacing: 0.5, edges }),
      particles: { dimension: 2, position: onEdges },
    },
  ])
}

function insideCells({ cells, spacing, origin }: CellGrid): Float64Array {
  const random = randomOf(401)
  return Float64Array.from({ length: 129 * cells.length }, (_, n) => {
    const axis = n % cells.length
    const [across, h, x] = [cells[axis] as number, spacing[axis] as number, origin[axis] as number]
    return x + h * (Math.floor(random.uniform(-2 * across, 3 * across)) + random.uniform(0.25, 0.75))
  })
}
