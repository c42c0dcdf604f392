// The generated shaders, as text. A newcomer reads these first. tests/gpu checks their results.

import {
  accelerations,
  forces,
  gravity,
  lennardJones,
  type PairWorkload,
  type Plan,
  pairTerm,
  periodic,
  type Shape,
  sum,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { shadersOf } from '../../src/design/design.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import { expectPrinted } from '../support/printed.ts'

const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const gpu: LoopHost = {
  info: { name: 'a GPU', kind: 'hardware' },
  limits: { ...leastLimits, maxStorageBufferBindingSize: 2 ** 30, maxBufferSize: 2 ** 30 },
  subgroups: { least: 16, most: 32 },
}
const designOf = (workload: PairWorkload, plan: Plan) => designsOf(workload, shape, gpu).of(plan)
const codeOf = (workload: PairWorkload) => shadersOf(designOf(workload, { variant: 'naive' }))[0]?.code ?? ''

const softened = accelerations(gravity({ softening: 0.05 }))
const printed: readonly [string, Plan, ...string[]][] = [
  ['tiled', { variant: 'tiled', sizes: { workgroup: 64, blocks: 0 } }, 'gravity-tiled'],
  [
    'split: partial sums and the second reduction',
    { variant: 'split', sizes: { workgroup: 64, targets: 2, unroll: 2, parts: 4 } },
    'gravity-split',
    'gravity-split-second-reduction',
  ],
  [
    'vectorised: sources packed, then read whole',
    { variant: 'vectorised' },
    'gravity-vectorised-packing',
    'gravity-vectorised',
  ],
  [
    'subgroup-shuffle',
    { variant: 'subgroup-shuffle', sizes: { workgroup: 64, targets: 1, unroll: 1, blocks: 0 } },
    'gravity-subgroup-shuffle',
  ],
  ['sliced', { variant: 'sliced', sizes: { workgroup: 64, slices: 4, unroll: 1, blocks: 0 } }, 'gravity-sliced'],
]
test.each(printed)('gravity, %s', async (_, plan, ...names) => {
  await expectPrinted(designOf(softened, plan), ...names)
})

test('a kernel of vectors, component by component', async () => {
  const kernel = sum(pairTerm('exp(-sqdist(x_i, y_j))*b_j')())
  const points = { ...shape, sameSet: false, vectors: [], lengths: { x: 10, y: 10 } }
  const plan = { variant: 'components', sizes: { workgroup: 16, slices: 4, targets: 4, unroll: 4 } }
  await expectPrinted(designsOf(kernel, points, gpu).of(plan), 'kernel-components')
})

test('Lennard-Jones with a cutoff in a periodic box, naive', async () => {
  const workload = forces(lennardJones(), { cutoff: 2.5, boundary: periodic([9, 9, 9]) })
  await expectPrinted(designOf(workload, { variant: 'naive' }), 'lennard-jones-naive')
})

test('values computed on the host may exceed float32', () => {
  const law = pairTerm('tiny*1e60*r2', { parameters: { tiny: 1e-60 } })()
  expect(codeOf(sum(law))).toMatch(/p0: f32, \/\/ .*1e\+60/)
})

test('the name of a law cannot leave its comment', () => {
  const law = { ...gravity(), name: 'gravity\n} \u0085 fn' }
  expect(codeOf(accelerations(law)).split('\n')[0]).toMatch(/^\/\/ gravity } {3}fn, sum of/)
})

test('no name is declared again in an inner block', () => {
  const variants = ['naive', 'tiled', 'split', 'sliced', 'subgroup-shuffle', 'register-blocked']
  for (const variant of variants)
    for (const { code } of shadersOf(designOf(softened, { variant }))) expect(shadowed(code), variant).toEqual([])
})

/** Names that are declared while a declaration of the same name is in scope. */
function shadowed(code: string): readonly string[] {
  const scopes: Set<string>[] = [new Set()]
  const found: string[] = []
  for (const [token, name] of code.replace(/\/\/.*/g, '').matchAll(/[{}]|\b(?:let|var)(?:<.*?>)? (\w+)/g)) {
    if (token === '{') scopes.push(new Set())
    else if (token === '}') scopes.pop()
    else if (name !== undefined) {
      if (scopes.some((scope) => scope.has(name))) found.push(name)
      scopes.at(-1)?.add(name)
    }
  }
  return found
}
