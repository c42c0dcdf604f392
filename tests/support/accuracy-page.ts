// Makes the figures of docs/accuracy.md: errors and bounds of every built-in law, of steep laws and near equilibrium. The two devices
// compute the same everywhere. A test compares the page with the figures; `npm run accuracy` fills them in.

import { markdownTable } from '../../bench/src/report/markdown-table.ts'
import { cpuWasm } from '../../packages/backend-cpu-wasm/src/index.ts'
import { float32Backend } from '../../packages/conformance/test/support/float32-backend.ts'
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
} from '../../packages/manybody/src/index.ts'
import { allowed } from './float32-engines.ts'
import { numbers } from './numbers.ts'

const count = 343
const attribute = (seed: number) => numbers(count, seed).map((x) => 0.5 + x)
/** Points of a jittered lattice, seven to a side. */
const position = numbers(3 * count, 1).map((x, n) => (Math.floor(Math.floor(n / 3) / 7 ** (n % 3)) % 7) + 0.4 * x)
const names = ['mass', 'charge', 'sigma', 'epsilon', 'weight', 'wx', 'wy', 'wz']
const cloud = { position, ...Object.fromEntries(names.map((name, n) => [name, attribute(n + 2)])) }
const spring = pairPotential('stiffness*(r - rest)^2/2', { parameters: { stiffness: 10, rest: 1 } })
/** Pairs in many places, because the error of a single pair is a matter of luck. */
const pairsAt = (r: number): readonly Attributes[] =>
  Array.from({ length: 32 }, (_, n) => {
    const [x = 0, y = 0, z = 0, a = 0, b = 0] = numbers(5, n + 1)
    const [turn, height] = [2 * Math.PI * a, 2 * b - 1]
    const across = Math.sqrt(1 - height * height)
    return {
      position: Float32Array.of(
        ...[x, y, z],
        ...[x + r * across * Math.cos(turn), y + r * across * Math.sin(turn), z + r * height],
      ),
      ...{ sigma: Float32Array.of(1, 1), epsilon: Float32Array.of(1, 1) },
    }
  })
const box = { boundary: periodic([10, 10, 10]) }

const cases: readonly (readonly [what: string, workload: Workload, ...particles: readonly Attributes[]])[] = [
  ...Object.entries({ gravity, coulomb, lennardJones, yukawa, morse, gaussian, buckingham, inversePower }).map(
    ([name, law]) => [`forces of \`${name}\``, forces(law() as never), cloud] as const,
  ),
  ['potentials of `gravity`', potentials(gravity()), cloud],
  ['`biotSavart`', sum(biotSavart()), cloud],
  ['forces of `r^(-40)`', forces(pairPotential('r^(-40)')()), cloud],
  ['forces of `gravity` in a box', forces(gravity({ softening: 0.1 }), box), cloud],
  ['springs at 1.0001 of their rest length', forces(spring()), ...pairsAt(1.0001)],
  ['`lennardJones` dimers at 1.1225 sigma', forces(lennardJones()), ...pairsAt(1.1225)],
  ['`logsumexp` of `-r2`', reduce('logsumexp', pairPotential('-r2')()), cloud],
  ['the least of `sin(r2)`', reduce('argmin', pairPotential('sin(r2)')()), cloud],
  ['`nearest(8)`', nearest(8), cloud],
  ['a map of `exp(-mass)*position`', map({ out: 'exp(-mass)*position' }), cloud],
]

const plan = { variant: 'simd', sizes: { registers: 1, tile: 64 } } as const

/** The table, as Markdown. */
export async function accuracyTable(): Promise<string> {
  await using processor = await createEngine({ backends: [cpuWasm()], threads: 1 })
  await using gpu = await createEngine({ backends: [float32Backend('hardware', { ...allowed, oneSided: true })] })
  const rows: string[][] = []
  for (const [what, workload, ...sets] of cases) {
    const planned = workload.loop === 'pair' ? { plan } : {}
    const verify = async (engine: Engine, options = {}) => {
      const all: Verification[] = []
      for (const particles of sets) all.push(await engine.verify(workload as Workload, particles, options))
      return figures(all)
    }
    rows.push([what, ...(await verify(processor, planned)), ...(await verify(gpu))])
  }
  const head = ['343 points', 'cpu-wasm: error', 'bound', 'ratio', 'as GPUs may: error', 'bound', 'ratio']
  return markdownTable(head, rows)
}

function figures(all: readonly Verification[]): readonly string[] {
  const { max, bound, ok } = all.reduce((a, b) => (b.max > a.max || !b.ok ? b : a))
  if (!ok) throw new Error(`an error of ${max} is beyond its bound, ${bound}`)
  return [max.toExponential(1), bound.toExponential(1), max === 0 ? '' : (bound / max).toPrecision(2)]
}
