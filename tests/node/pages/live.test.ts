// The parts of the live page that need no browser: its scenes and their laws, links, snapshots, and the number of bodies.

import { createEngine } from 'manybody'
import { afterAll, describe, expect, test, vi } from 'vitest'
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

describe('a new start', () => {
  const small = { ...setupOf(scenes[0]), count: 8, backend: 'reference' }
  const play = () => {
    const failed: unknown[] = []
    return { failed, player: new Player({ async session() {}, stepped() {}, failed: (error) => failed.push(error) }) }
  }
  const close = ({ session }: Player) => session?.engine.dispose()

  test('ends the steps under way and what waits behind them, without an error', async () => {
    const { player, failed } = play()
    await player.start(small)
    const { session } = player
    const asked = [player.advance(1e9), player.change({ backwards: true }), player.whenIdle(async () => 'an answer')]
    await player.start({ ...small, count: 9 })
    expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined])
    expect([player.session?.setup.count, player.session?.setup.backwards, failed]).toEqual([9, false, []])
    expect(player.session?.engine, 'the engine is kept').toBe(session?.engine)
    await player.advance(1)
    expect(player.session?.simulation.steps).toBe(1)
    close(player)
  })

  test('does not wait for a session that takes minutes to begin', async () => {
    const { player, failed } = play()
    // In float64 on one thread, even the first forces of so many bodies take minutes.
    const begins = player.start({ ...small, count: 65_536 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await player.start({ ...small, scene: scenes[1] ?? scenes[0] })
    await player.advance(2)
    expect([player.session?.simulation.steps, await begins, failed]).toEqual([2, undefined, []])
    close(player)
  })

  test('takes the device away from work that never ends', async () => {
    const { player, failed } = play()
    await player.start(small)
    const { session } = player
    await new Promise<void>((resolve) => {
      void player.whenIdle(() => new Promise(() => resolve()))
    })
    await player.start(small)
    await player.advance(1)
    expect([player.session?.simulation.steps, failed]).toEqual([1, []])
    await expect(session?.step(1)).rejects.toThrow('was disposed')
    expect(player.session?.engine).not.toBe(session?.engine)
    close(player)
  })

  test('is the last of several', async () => {
    const { player, failed } = play()
    const counts = [65_536, 8, 65_536, 9]
    await Promise.all(counts.map((count) => player.start({ ...small, count })))
    expect([player.session?.setup.count, failed]).toEqual([9, []])
    await player.advance(1)
    expect(player.session?.simulation.steps).toBe(1)
    close(player)
  })
})

test('a law typed while the number of bodies is sought stays', async () => {
  const player = new Player({ async session() {}, stepped() {}, failed: () => {} })
  const setup = { ...setupOf(scenes[0]), count: 128 }
  await player.start(setup)
  const law = { ...setup.law, expressions: { energy: '-2*G*mass_i*mass_j/sqrt(r2 + softening^2)' } }
  // Four steps end in another number of bodies.
  await Promise.all([1, 2, 3].map(() => player.advance(1)))
  await Promise.all([player.advance(1), player.change({ law })])
  await player.whenIdle(async () => {})
  expect(player.session?.setup).toMatchObject({ law, count: expect.not.closeTo(128, 0) })
  player.session?.dispose()
  player.session?.engine.dispose()
})

test('the galaxies meet when the scene begins, and the first arm has left its disk', () => {
  const [scene] = scenes
  const count = 1000
  const { position } = scene.points(count, 1)
  const apart = (n: number, m: number) =>
    Math.hypot(...[0, 1, 2].map((axis) => (position[3 * n + axis] ?? 0) - (position[3 * m + axis] ?? 0)))
  // The first star of each galaxy is its centre. The radii of the disks are 1.9 and 1.2.
  const second = 620
  expect(apart(0, second)).toBeLessThan(3.1)
  const stars = Array.from({ length: count }, (_, n) => n)
  const outside = stars.filter((n) => (n < second ? apart(n, 0) > 1.2 * 1.9 : apart(n, second) > 1.2 * 1.2))
  expect(outside.length).toBeGreaterThan(10)
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

test('a link unpacks to no more than its bodies need', async () => {
  const zeros = new Blob([new Uint8Array(2 ** 26)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = Buffer.from(await new Response(zeros).arrayBuffer()).toString('base64url')
  const read = vi.spyOn(ReadableStreamDefaultReader.prototype, 'read')
  await expect(sharedFrom(`#scene=cluster&count=100&position=${packed}&velocity=${packed}`)).rejects.toThrow(
    'the link is damaged: it holds positions of another number of bodies',
  )
  const results = await Promise.all(
    read.mock.results.map(({ value }) => value as Promise<ReadableStreamReadResult<Uint8Array>>),
  )
  read.mockRestore()
  expect(results.length).toBeGreaterThan(0)
  expect(results.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)).toBeLessThan(2 ** 20)
  const { setup } = await sharedFrom('#scene=cluster&count=100&set.constructor=1&law.toString=r')
  expect(setup.law).toEqual(firstLaw(setup.scene.law))
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
