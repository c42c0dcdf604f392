// Choice by measurement: the plans that are timed and remembered, and the earlier plans that are trusted.

import { accelerations, gravity, map, nearest, type Plan, pairTerm, reduce } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, expect, it, vi } from 'vitest'
import { type Opcode, opcodes } from '../src/compile/wasm/opcodes.ts'
import { cpuWasm, type Learned, learnedPlans } from '../src/index.ts'
import { points } from './support/points.ts'

const workload = accelerations(gravity({ softening: 0.05 }))
const { bindings, shape } = bind(workload, points(300))
const open = (learned: Learned = {}, tune: 'off' | 'quick' | 'full' = 'quick') =>
  cpuWasm({ learned }).open({ threads: 1, tune })
const withPlan = (learned: Learned, plan: Plan): Learned =>
  Object.fromEntries(Object.keys(learned).map((key) => [key, plan]))

afterEach(() => vi.restoreAllMocks())

it('times plans once for a law and a size class, and exports what it learned', async () => {
  const tuned = await open()
  const program = await tuned.prepare(workload, shape)
  const learned = learnedPlans(tuned)
  expect(Object.keys(learned)).toEqual([expect.stringContaining('f32, 1 threads')])
  await tuned.prepare(accelerations(gravity({ softening: 0.2 })), { ...shape, targets: 310, sources: 310 })
  expect(learnedPlans(tuned)).toEqual(learned)
  await program.run(bindings)
  const [plan] = Object.values(learned)
  expect(program.report.variant).toContain(plan?.variant)

  const other = { variant: 'simd', sizes: { registers: 2, tile: 64 } }
  const taught = await open(JSON.parse(JSON.stringify(withPlan(learned, other))))
  const again = await taught.prepare(workload, shape)
  await again.run(bindings)
  expect(again.report.variant).toBe('simd x2, tiles of 64, 1 thread')
  tuned.dispose()
  taught.dispose()
})

it('times again if a learned plan cannot run', async () => {
  const tuned = await open()
  await tuned.prepare(workload, shape)
  const learned = learnedPlans(tuned)
  tuned.dispose()
  const { validate } = WebAssembly
  // Prefix and opcode of `relaxed_madd`.
  vi.spyOn(WebAssembly, 'validate').mockImplementation(
    (source) => validate(source) && !String([...(source as Uint8Array)]).includes('253,133,2'),
  )
  for (const plan of [{ variant: 'simd-relaxed' }, { variant: 'fast' }, { variant: 'simd', sizes: { tile: 3 } }]) {
    const device = await open(withPlan(learned, plan))
    await device.prepare(workload, shape)
    expect(Object.values(learnedPlans(device))).not.toContainEqual(plan)
    device.dispose()
  }
})

it('rejects fused multiply-adds that change the results', async () => {
  const tuned = await open()
  await tuned.prepare(workload, shape)
  const plan = { variant: 'simd-relaxed', sizes: { registers: 1 } }
  const learned = withPlan(learnedPlans(tuned), plan)
  tuned.dispose()
  const table = opcodes as Record<Opcode, number>
  const right = { ...table }
  // An instruction that takes as many registers, and that every engine with SIMD has.
  const wrong = table['v128.bitselect']
  // As if this engine had relaxed SIMD.
  const validate = vi.spyOn(WebAssembly, 'validate').mockReturnValue(true)
  try {
    Object.assign(table, { 'f32x4.relaxed_madd': wrong, 'f32x4.relaxed_nmadd': wrong })
    const told = await cpuWasm().open({ threads: 1 })
    const { report } = await told.prepare(workload, shape, plan)
    expect(report.variant).toContain('simd-relaxed')
    told.dispose()
    const device = await open(learned)
    await device.prepare(workload, shape)
    expect(Object.values(learnedPlans(device))).toEqual([
      expect.objectContaining({ variant: expect.not.stringContaining('relaxed') }),
    ])
    device.dispose()
  } finally {
    validate.mockRestore()
    Object.assign(table, right)
  }
})

it('tries tiles and fused multiply-adds in a full tuning', async () => {
  const tuned = await open({}, 'full')
  const program = await tuned.prepare(workload, shape)
  const [plan] = Object.values(learnedPlans(tuned))
  expect(plan?.sizes).toEqual({ registers: expect.any(Number), tile: expect.any(Number) })
  const { acceleration } = await program.run(bindings)
  const plain = await (await open({}, 'off')).prepare(workload, shape)
  const expected = (await plain.run(bindings)).acceleration ?? []
  const size = Math.max(...expected.map(Math.abs))
  for (const [i, a] of (acceleration ?? []).entries())
    expect(Math.abs(a - (expected[i] as number)) / size).toBeLessThan(1e-6)
  tuned.dispose()
})

it('times all folds over pairs, also with exclusions and few points, but no other loops', async () => {
  const tuned = await open()
  const excluding = accelerations(gravity({ softening: 0.05 }), { exclusions: [[0, 299]] })
  for (const w of [nearest(5), reduce('argmin', pairTerm('mass_j/(1 + r2)')()), excluding])
    await tuned.prepare(w, bind(w, points(300)).shape)
  expect(Object.keys(learnedPlans(tuned))).toHaveLength(3)
  const move = map({ position: 'position + dt*velocity' }, { dt: 0.1 })
  await tuned.prepare(move, bind(move, points(300)).shape)
  await tuned.prepare(workload, bind(workload, points(0)).shape)
  expect(Object.keys(learnedPlans(tuned))).toHaveLength(3)
  const plain = await open({}, 'off')
  await plain.prepare(workload, shape)
  expect(learnedPlans(plain)).toEqual({})
  tuned.dispose()
  plain.dispose()
})
