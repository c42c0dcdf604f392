// Makes the figures of docs/accuracy.md: errors and bounds of every built-in law, of steep laws and near equilibrium, on two
// devices that compute the same everywhere. A test holds the page against them; `npm run accuracy` fills them in.

import { markdownTable } from '../bench/figures/markdown.ts'
import { cpuWasm } from '../packages/backend-cpu-wasm/src/index.ts'
import { float32Backend } from '../packages/conformance/test/support/float32-backend.ts'
import {
  type Attributes,
  biotSavart,
  buckingham,
  coulomb,
  createEngine,
  type Engine,
  forces,
  gaussian,
  gravity,
  inversePower,
  lennardJones,
  map,
  morse,
  nearest,
  pairPotential,
  periodic,
  potentials,
  reduce,
  sum,
  type Verification,
  type Workload,
  yukawa,
} from '../packages/manybody/src/index.ts'
import { numbers } from '../tests/support/numbers.ts'

const count = 343
const attribute = (seed: number) => numbers(count, seed).map((x) => 0.5 + x)
/** Points of a jittered lattice, seven to a side. */
const position = numbers(3 * count, 1).map((x, n) => (Math.floor(Math.floor(n / 3) / 7 ** (n % 3)) % 7) + 0.4 * x)
const names = ['mass', 'charge', 'sigma', 'epsilon', 'weight', 'wx', 'wy', 'wz']
const cloud = { position, ...Object.fromEntries(names.map((name, n) => [name, attribute(n + 2)])) }
const spring = pairPotential('stiffness*(r - rest)^2/2', { parameters: { stiffness: 10, rest: 1 } })
const pairAt = (r: number) => ({
  position: Float32Array.of(0.1, 0.2, 0.3, 0.1 + 0.6 * r, 0.2 + 0.8 * r, 0.3),
  ...{ sigma: Float32Array.of(1, 1), epsilon: Float32Array.of(1, 1) },
})
const box = { boundary: periodic([10, 10, 10]) }

const cases: readonly (readonly [what: string, workload: Workload, particles: Attributes])[] = [
  ...Object.entries({ gravity, coulomb, lennardJones, yukawa, morse, gaussian, buckingham, inversePower }).map(
    ([name, law]) => [`forces of \`${name}\``, forces(law() as never), cloud] as const,
  ),
  ['potentials of `gravity`', potentials(gravity()), cloud],
  ['`biotSavart`', sum(biotSavart()), cloud],
  ['forces of `r^(-40)`', forces(pairPotential('r^(-40)')()), cloud],
  ['forces of `gravity` in a box', forces(gravity({ softening: 0.1 }), box), cloud],
  ['a spring at 1.0001 of its rest length', forces(spring()), pairAt(1.0001)],
  ['a `lennardJones` dimer at 1.1225 sigma', forces(lennardJones()), pairAt(1.1225)],
  ['`logsumexp` of `-r2`', reduce('logsumexp', pairPotential('-r2')()), cloud],
  ['the least of `sin(r2)`', reduce('argmin', pairPotential('sin(r2)')()), cloud],
  ['`nearest(8)`', nearest(8), cloud],
  ['a map of `exp(-mass)*position`', map({ out: 'exp(-mass)*position' }), cloud],
]

/** Roots within 2 units in the last place, quotients within 2.5, exponentials within 1 + 2|x|, logarithms within 1. */
const asGpusMay = { root: 1, division: 1.25, exponential: 1 } as const
const plan = { variant: 'scalar', sizes: { registers: 1, tile: 64 } } as const

/** The table, as Markdown. */
export async function accuracyTable(): Promise<string> {
  await using processor = await createEngine({ backends: [cpuWasm()], threads: 1 })
  await using gpu = await createEngine({ backends: [float32Backend('hardware', asGpusMay)] })
  const rows: string[][] = []
  for (const [what, workload, particles] of cases) {
    const planned = workload.loop === 'pair' ? { plan } : {}
    const verify = (engine: Engine, options = {}) => engine.verify(workload as Workload, particles, options)
    rows.push([what, ...figures(await verify(processor, planned)), ...figures(await verify(gpu))])
  }
  const head = ['343 points', 'cpu-wasm: error', 'bound', 'ratio', 'as GPUs may: error', 'bound', 'ratio']
  return markdownTable(head, rows)
}

function figures({ max, bound, ok }: Verification): readonly string[] {
  if (!ok) throw new Error(`an error of ${max} is beyond its bound, ${bound}`)
  return [max.toExponential(1), bound.toExponential(1), max === 0 ? '' : (bound / max).toPrecision(2)]
}
