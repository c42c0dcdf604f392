// The parts of the live page that need no browser: its scenes and their laws, links, snapshots, and the number of bodies.

import { createEngine } from 'manybody'
import { afterAll, describe, expect, test } from 'vitest'
import { digits } from '../../../live/panel/page.ts'
import { fromText, toText } from '../../../live/running/files.ts'
import { firstLaw, lawOf, missingAttribute } from '../../../live/running/laws.ts'
import { hashOf, sharedFrom } from '../../../live/running/link.ts'
import { nextCount } from '../../../live/running/pace.ts'
import { Player } from '../../../live/running/player.ts'
import { Session } from '../../../live/running/session.ts'
import type { Setup } from '../../../live/running/setup.ts'
import { variants } from '../../../live/running/variants.ts'
import { scenes } from '../../../live/scenes/list.ts'

const engine = await createEngine({ backend: 'cpu-wasm' })
afterAll(() => engine.dispose())

const setupOf = (scene: Setup['scene']): Setup => ({
  ...{ scene, count: 200, seed: 3, law: firstLaw(scene.law), backend: 'cpu-wasm', variant: '' },
  ...{ backwards: false, tolerance: 0 },
})
const begin = (setup: Setup, state?: Parameters<typeof Session.begin>[2]) =>
  Session.begin(setup, engine, state, async () => {})

describe.each(scenes)('$title', (scene) => {
  const setup = setupOf(scene)

  test('moves, stays finite, and is right', async () => {
    const session = await begin(setup)
    const start = await session.simulation.read('position')
    await session.step(20)
    const { position } = (await session.simulation.snapshot()).arrays
    expect(position.some((x, n) => x !== start[n])).toBe(true)
    expect(await engine.verify(session.workload(), await session.points())).toMatchObject({ ok: true })
    session.dispose()
  })

  test('has laws that compile and read what its points have', () => {
    for (const [title, expressions] of Object.entries(scene.others)) {
      const typed = { ...setup.law, expressions }
      expect(() => lawOf(scene, typed), title).not.toThrow()
      const { dimension, position, ...attributes } = scene.points(2, 1)
      expect(missingAttribute(typed, Object.keys(attributes)), title).toBeUndefined()
    }
  })

  test('is in a link as it was, to 16 bits a number', async () => {
    const session = await begin(setup)
    await session.step(5)
    const state = await session.simulation.snapshot()
    const camera = { target: [1, -2, 0.5], distance: 3, turn: 0.25, tilt: 1 } as const
    const law = { ...setup.law, expressions: { ...setup.law.expressions } }
    const shared = {
      setup: { ...setup, law, backwards: true, tolerance: 0.005 },
      fitting: false,
      running: false,
      camera,
    }
    const { state: opened, ...others } = await sharedFrom(`#${await hashOf({ ...shared, state })}`)
    expect(others).toEqual(shared)
    expect(opened?.steps).toBe(5)
    for (const name of ['position', 'velocity'] as const) {
      const [before, after] = [state.arrays[name], opened?.arrays[name] ?? []]
      const extent = Math.max(...before) - Math.min(...before)
      expect(Math.max(...before.map((x, n) => Math.abs(x - (after[n] ?? NaN))))).toBeLessThanOrEqual(extent / 65_535)
    }
    const resumed = await begin(setup, opened)
    await resumed.step(1)
    expect(resumed.simulation.steps).toBe(6)
    for (const each of [session, resumed]) each.dispose()
  })
})

test('a run backwards returns to where it started', async () => {
  const setup = setupOf(scenes[0])
  const session = await begin(setup)
  const start = await session.simulation.read('position')
  await session.step(40)
  const back = await begin({ ...setup, backwards: true }, await session.simulation.snapshot())
  await back.step(40)
  const end = await back.simulation.read('position')
  expect(Math.max(...end.map((x, n) => Math.abs(x - (start[n] ?? NaN))))).toBeLessThan(1e-4)
  for (const each of [session, back]) each.dispose()
})

test('a step that a visitor asks for is taken, whatever is under way; a picture does not wait', async () => {
  const failed: unknown[] = []
  const player = new Player({ async session() {}, stepped() {}, failed: (error) => failed.push(error) })
  await player.start({ ...setupOf(scenes[0]), count: 8, backend: 'reference' })
  let end = () => {}
  const measurement = new Promise<void>((resolve) => {
    end = resolve
  })
  const measuring = player.whenIdle(() => measurement)
  player.tick()
  const asked = [player.advance(1), player.advance(1)]
  end()
  await Promise.all([measuring, ...asked])
  expect([player.session?.simulation.steps, failed]).toEqual([2, []])
  player.session?.dispose()
  player.session?.engine.dispose()
})

test('a sum with a tolerance computes fewer pairs', async () => {
  const session = await begin({ ...setupOf(scenes[0]), count: 5000, tolerance: 0.02 })
  const { report, ok } = await engine.verify(session.workload(), await session.points())
  expect(ok).toBe(true)
  expect(report.evaluated).toBeLessThan(report.interactions / 2)
  session.dispose()
})

test('a snapshot is the same after it was a file', async () => {
  const session = await begin(setupOf(scenes[1] ?? scenes[0]))
  const state = await session.simulation.snapshot()
  expect(fromText(toText(state))).toEqual(structuredClone(state))
  session.dispose()
})

test('a damaged link says so', async () => {
  await expect(sharedFrom('#scene=cluster&count=100&position=AAAA&velocity=AAAA')).rejects.toThrow(
    'the link is damaged',
  )
  expect((await sharedFrom('#scene=nonsense&count=-5&set.G=x')).setup).toMatchObject({ count: 2, scene: scenes[0] })
})

test('the number of bodies adapts to the time of a picture', () => {
  expect(nextCount(65_536, true, 1000, 33)).toBe(1000)
  expect(nextCount(65_536, true, 1000, 132)).toBe(500)
  expect(nextCount(65_536, false, 1000, 132)).toBe(250)
  expect(nextCount(65_536, true, 40_000, 1)).toBe(65_536)
  expect(nextCount(65_536, true, 200, 10_000)).toBe(128)
})

test('every loop that the page offers exists', async () => {
  const { count, ...points } = { count: 64, position: new Float32Array(192).map((_, n) => (n * 0.37) % 1) }
  const mass = new Float32Array(count).fill(1)
  const { accelerations, gravity } = await import('manybody')
  for (const variant of variants['cpu-wasm'] ?? []) {
    const { report } = await engine.run(
      accelerations(gravity({ softening: 1 })),
      { ...points, mass },
      { plan: { variant } },
    )
    expect(report.variant).toMatch(new RegExp(`^${variant}`))
  }
})

test('figures have three digits, or all before the point', () => {
  expect([0.4, 12.345, 999.6, 2369.7].map(digits)).toEqual(['0.400', '12.3', '1,000', '2,370'])
})
