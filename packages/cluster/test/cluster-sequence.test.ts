// Where the rounds of a sequence run, and whether its arrays have the right numbers in every place.

import { setTimeout } from 'node:timers/promises'
import { type Bindings, type Device, map, type RunOptions, reference } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ClusterArray, InOrder, placed, plainArrays } from '../src/coordinator/cluster-array.ts'
import { ClusterSequence } from '../src/coordinator/cluster-sequence.ts'
import type { ClusterProgram } from '../src/coordinator/program.ts'

const count = 5

/** A cluster with a single program, which adds 1 to each number: at home, or on workers that take this many milliseconds. */
async function additions(
  estimate: { atHome: number; spread: number } | undefined,
  { always = false, spread = 0 } = {},
) {
  const home = await reference().open({})
  onTestFinished(() => home.dispose())
  const order = new InOrder()
  const team = { size: 2 }
  const { workload, shape, bindings } = bind(map({ value: 'value + 1' }), {
    position: new Float64Array(3 * count),
    value: new Float64Array(count),
  })
  const program = await home.prepare(workload, shape)
  const value = new ClusterArray(count, home, order)
  const now = vi.fn(async (given: Bindings, options: RunOptions) => {
    await setTimeout(spread)
    return program.run(await placed(given, plainArrays), { signal: options.signal })
  })
  const spreading = {
    ...{ home: program, now, estimate: async () => estimate, isSpread: () => always, ranInSequence: () => {} },
    types: new Map(),
  } as unknown as ClusterProgram
  const bound = { ...bindings, targets: { count, arrays: { ...bindings.targets.arrays, value } } } as Bindings
  const stage = { program: spreading, bindings: { ...bound, sources: bound.targets }, outputs: { value } }
  const sequence = new ClusterSequence({ home, order, always, team }, [stage])
  onTestFinished(() => sequence.dispose())
  return { sequence, value, now, team }
}

const all = (number: number) => new Float32Array(count).fill(number)

describe('a sequence of a cluster', () => {
  it('leaves its arrays at home where nothing is worth spreading', async () => {
    const { sequence, value, now } = await additions(undefined)
    await value.write(all(3))
    await sequence.run(4)
    expect(await value.read()).toEqual(all(7))
    await sequence.run(2)
    await value.write(all(10))
    await sequence.run(1)
    expect(await value.read(new Float32Array(count))).toEqual(all(11))
    expect(now).not.toHaveBeenCalled()
  })

  it('goes to the workers where that is estimated to take less time', async () => {
    const { sequence, value, now } = await additions({ atHome: 1e6, spread: 1 })
    await sequence.run(5)
    expect(now).toHaveBeenCalledTimes(5)
    expect(await value.read()).toEqual(all(5))
  })

  it('returns home, with its numbers, if the workers take longer than that was estimated to take', async () => {
    const { sequence, value, now } = await additions({ atHome: 15, spread: 1 }, { spread: 40 })
    const progress: number[] = []
    await sequence.run(50, { onProgress: (done) => void progress.push(done) })
    // The first two rounds do not count, because workers compile.
    expect(now).toHaveBeenCalledTimes(3)
    expect(await value.read()).toEqual(all(50))
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)
  })

  it('tries the workers again when there are others', async () => {
    const { sequence, value, now, team } = await additions({ atHome: 15, spread: 1 }, { spread: 40 })
    await sequence.run(10)
    const before = now.mock.calls.length
    await sequence.run(10)
    expect(now).toHaveBeenCalledTimes(before)
    team.size = 3
    await sequence.run(1)
    expect(await value.read()).toEqual(all(21))
  })

  it('always goes to the workers if it must', async () => {
    const { sequence, value, now } = await additions({ atHome: 0, spread: 1e6 }, { always: true })
    await sequence.run(6)
    expect(now).toHaveBeenCalledTimes(6)
    expect(await value.read()).toEqual(all(6))
  })

  it('stops at a signal', async () => {
    const { sequence } = await additions(undefined)
    await expect(sequence.run(5, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

it('an array is written and read in order, wherever its numbers are', async () => {
  const home: Device = await reference().open({})
  onTestFinished(() => home.dispose())
  const order = new InOrder()
  const array = new ClusterArray(count, home, order)
  const atHome = await order.run(() => array.atHome({ written: true }))
  await atHome.write(all(2))
  expect(await array.read()).toEqual(all(2))
  const memory = await order.run(() => array.inMemory({ written: true }))
  memory.fill(4)
  const again = await order.run(() => array.atHome())
  expect(await again.read()).toEqual(all(4))
  await expect(array.write(new Float32Array(count + 1))).rejects.toThrow(/"data"/)
})

it.each(['in memory', 'at home', 'in both'])('some numbers of an array are written and kept %s', async (place) => {
  const home: Device = await reference().open({})
  onTestFinished(() => home.dispose())
  const order = new InOrder()
  const array = new ClusterArray(count, home, order)
  await array.write(Float32Array.of(1, 2, 3, 4, 5))
  const buffer = await order.run(() => array.atHome({ written: place === 'at home' }))
  if (place === 'in memory') await order.run(() => array.inMemory({ written: true }))
  const reads = vi.spyOn(buffer, 'read')
  await array.writePart(Float32Array.of(7, 8), 1)
  await array.keep([
    [0, 2],
    [4, 5],
  ])
  expect(array).toHaveLength(3)
  await array.resize(4)
  await array.writePart(Float32Array.of(9), 3)
  expect(reads).not.toHaveBeenCalled()
  const expected = Float32Array.of(1, 7, 5, 9)
  expect(await array.read()).toEqual(expected)
  expect(await (await order.run(() => array.atHome())).read()).toEqual(expected)
  await expect(array.write(new Float32Array(count))).rejects.toThrow(/"data"/)
})

it('numbers at home come into memory if the device there cannot change some of them', async () => {
  const home: Device = await reference().open({})
  onTestFinished(() => home.dispose())
  const make = home.buffer.bind(home)
  home.buffer = async (length) => Object.assign(await make(length), { keep: undefined })
  const order = new InOrder()
  const array = new ClusterArray(count, home, order)
  await array.write(Float32Array.of(1, 2, 3, 4, 5))
  await order.run(() => array.atHome({ written: true }))
  await array.keep([[2, 5]])
  await array.writePart(Float32Array.of(6), 0)
  expect(await array.read()).toEqual(Float32Array.of(6, 4, 5))
  const there = await order.run(() => array.atHome())
  expect([there.length, await there.read()]).toEqual([3, Float32Array.of(6, 4, 5)])
})
