// Workloads over links on any backend: against sums by hand in float64, and within the bounds of `verify`.

import {
  anglePotential,
  type Backend,
  createEngine,
  dihedralPotential,
  type LinkWorkload,
  overLinks,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from './numbers.ts'

const count = 60
const side = 4
const points = {
  position: numbers(3 * count, 11).map((x) => side * x),
  mass: numbers(count, 12).map((x) => 1 + x),
  f: numbers(count, 13),
  kind: Float64Array.from({ length: count }, (_, n) => Math.floor(n / 2) % 2),
}
/** A ring, and a hub with a link to every third point. One link is listed twice. */
const bonds = [
  ...Array.from({ length: count - 1 }, (_, n) => [n, n + 1] as [number, number]),
  ...Array.from({ length: (count - 3) / 3 }, (_, n) => [0, 3 * n + 3] as [number, number]),
  [5, 6] as [number, number],
]
const weight = numbers(bonds.length, 14)
const difference = pairTerm('weight*(f_j - f_i)', { parameters: { weight: 1 } })
const spring = pairPotential('k*(r - rest)^2/2', { inertia: 'mass', parameters: { k: 3, rest: 1 } })
const bend = anglePotential('k*(theta - 1.9)^2/2', { inertia: 'mass', parameters: { k: 2 } })
const torsion = dihedralPotential('k*(1 + cos(3*phi - 0.4))', { inertia: 'mass', parameters: { k: 2 } })
const boundary = periodic([side, side, side])
const edges = { law: difference(), bonds, attributes: { weight } }
const springs = { law: spring(), bonds, attributes: { rest: weight }, boundary }
const angles = Array.from({ length: count - 2 }, (_, n) => [n, n + 1, n + 2] as [number, number, number])
const dihedrals = Array.from(
  { length: count - 3 },
  (_, n) => [n, n + 1, n + 2, n + 3] as [number, number, number, number],
)
const bends = { law: bend(), angles, scale: 0.5 }
const torsions = { law: torsion(), dihedrals, attributes: { k: numbers(dihedrals.length, 15) } }

const curve = (from: number, to: number, nodes: number) => ({
  ...{ from, to, outside: 'edge' as const },
  values: numbers(nodes, nodes).map((x) => x / 4),
})
const stretch = pairPotential('k*u[kind_i, kind_j](r) + v(r)', {
  inertia: 'mass',
  parameters: { k: 2 },
  functions: {
    u: [
      [curve(0, 3, 9), curve(0.5, 4, 12)],
      [curve(0.5, 4, 12), curve(0, 3.5, 33)],
    ],
    v: { from: 0.5, to: 2.5, outside: 'zero', values: [0, 0.2, -0.4, 0.6, 0] },
  },
})
const stretches = { law: stretch(), bonds, attributes: { k: weight }, boundary }
const tabulatedBend = anglePotential('w(2*theta)', { inertia: 'mass', functions: { w: curve(-1, 6, 20) } })
const tabulatedTorsion = dihedralPotential('k*t(phi + 0.1)', {
  inertia: 'mass',
  parameters: { k: 2 },
  functions: { t: curve(-4, 4, 15) },
})

const workloads: Readonly<Record<string, LinkWorkload>> = {
  sum: overLinks('sum', edges),
  mean: overLinks('mean', edges),
  argmax: overLinks('argmax', edges),
  logsumexp: overLinks('logsumexp', { ...edges, directed: true }),
  each: overLinks('each', springs),
  force: overLinks('force', springs),
  acceleration: overLinks('acceleration', springs),
  energy: overLinks('energy', springs),
  virial: overLinks('virial', springs),
  'force of angles': overLinks('force', bends),
  'angle of each': overLinks('each', { law: anglePotential('theta')(), angles }),
  'acceleration of dihedrals': overLinks('acceleration', torsions),
  'energy of dihedrals': overLinks('energy', torsions),
  'tabulated lengths of each': overLinks('each', {
    law: pairTerm('u(r)', { functions: { u: curve(0, 3, 40) } })(),
    bonds,
  }),
  'tabulated force': overLinks('force', stretches),
  'tabulated energy': overLinks('energy', stretches),
  'tabulated virial': overLinks('virial', stretches),
  'tabulated energy within its ends': overLinks('energy', {
    law: pairPotential('u(r)', { functions: { u: { ...curve(0, 9, 40), outside: 'error' } } })(),
    bonds,
  }),
  'least tabulated term': overLinks('argmin', {
    law: pairTerm('f_i*u[kind_j](r)', { functions: { u: [curve(0, 3, 40), curve(1, 2, 5)] } })(),
    bonds,
  }),
  'force of tabulated angles': overLinks('force', { law: tabulatedBend(), angles }),
  'energy of tabulated dihedrals': overLinks('potential', {
    law: tabulatedTorsion(),
    dihedrals,
    attributes: { k: numbers(dihedrals.length, 15) },
  }),
}

/** The Laplacian of the graph as a dense matrix by hand, times f. */
function laplacian(): readonly number[] {
  const matrix = Array.from({ length: count }, () => new Float64Array(count))
  for (const [n, [a, b]] of bonds.entries())
    for (const [i, j] of [
      [a, b],
      [b, a],
    ] as const) {
      const row = matrix[i] as Float64Array
      row[j] = (row[j] as number) + (weight[n] as number)
      row[i] = (row[i] as number) - (weight[n] as number)
    }
  return matrix.map((row) => row.reduce((sum, w, j) => sum + w * (points.f[j] as number), 0))
}

const nearestImage = (d: number) => d - side * Math.round(d / side)

/** The forces of the springs by hand. */
function springForces(): Float64Array {
  const force = new Float64Array(3 * count)
  for (const [n, [a, b]] of bonds.entries()) {
    const d = [0, 1, 2].map((axis) =>
      nearestImage((points.position[3 * b + axis] as number) - (points.position[3 * a + axis] as number)),
    )
    const r = Math.hypot(...d)
    for (const [axis, x] of d.entries()) {
      const pull = (3 * (r - (weight[n] as number)) * x) / r
      force[3 * a + axis] = (force[3 * a + axis] as number) + pull
      force[3 * b + axis] = (force[3 * b + axis] as number) - pull
    }
  }
  return force
}

export async function expectLinks(backend: Backend, precision: Precision): Promise<void> {
  await using engine = await createEngine({ backends: [backend], precision })
  const digits = precision === 'f64' ? 12 : 4
  const { value } = await engine.run(overLinks('sum', edges), points)
  for (const [n, x] of laplacian().entries()) expect(value[n], `laplacian ${n}`).toBeCloseTo(x, digits)
  const { force } = await engine.run(overLinks('force', springs), points)
  for (const [n, x] of springForces().entries()) expect(force[n], `force ${n}`).toBeCloseTo(x, digits)
  for (const [name, workload] of Object.entries(workloads)) {
    const { ok, worst, report } = await engine.verify(workload, points)
    expect(ok, `${name}: ${JSON.stringify(worst)}`).toBe(true)
    expect(report.backend).toBe(engine.device.info.backend)
    expect(worst?.bound, name).toBeLessThan(precision === 'f64' ? 1e-9 : 1e-2)
  }
}
