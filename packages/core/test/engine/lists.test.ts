// Lists of neighbours: their contents, how large they may be, arrays of the caller's, and workloads without lists.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { UnsupportedWorkloadError } from '../../src/ground/errors.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { countWithin, neighborsWithin } from '../../src/problem/workloads/pair.ts'
import { combine } from '../../src/truth/folds/combine.ts'
import { offsetsOf } from '../../src/truth/lists/offsets.ts'
import { preparedOn } from '../../src/truth/lists/prepared-on.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { fakeBackend } from '../support/fake-backends.ts'

/** On a line: 0 and 1 are close, so are 1 and 2, and 3 is alone. */
const position = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 9, 0, 0)
const workload = neighborsWithin(1)
const listed = { offsets: Uint32Array.of(0, 1, 3, 4, 4), index: Int32Array.of(1, 0, 2, 1) }

it.each(['f32', 'f64'] as const)('the list of each target follows that of the one before, in %s', async (precision) => {
  await using engine = await createEngine({ backends: [reference()], precision })
  const { report, ...lists } = await engine.run(workload, { position })
  expect(lists).toEqual(listed)
  expect(report).toMatchObject({ interactions: 16, evaluated: 16, accumulation: 'none' })
  const { count } = await engine.run(countWithin(1), { position })
  expect([...count]).toEqual([1, 2, 1, 0])
})

it('without targets there is one offset, 0, and no lists', async () => {
  await using engine = await createEngine({ backends: [reference()] })
  const none = { position: new Float32Array(0) }
  const { offsets, index } = await engine.run(workload, { targets: none, sources: { position } })
  expect([offsets, index]).toEqual([Uint32Array.of(0), new Int32Array(0)])
})

it('a prepared program lists again, and disposes of the program that counts', async () => {
  const backend = fakeBackend('plain')
  await using engine = await createEngine({ backends: [backend] })
  const program = await engine.prepare(workload, { count: 4 })
  const moved = position.map((x) => x / 9)
  expect((await program.run({ position })).index).toEqual(listed.index)
  expect((await program.run({ position: moved })).index).toHaveLength(12)
  program.dispose()
  await expect(program.run({ position })).rejects.toThrow('disposed')
})

describe('arrays of the caller', () => {
  it('of the same lengths are the results', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    const into = await engine.run(workload, { position })
    for (const array of [into.offsets, into.index]) array.fill(9)
    const { offsets, index } = await engine.run(workload, { position }, { into })
    expect([offsets, index]).toEqual([listed.offsets, listed.index])
    expect(offsets).toBe(into.offsets)
    expect(index).toBe(into.index)
  })

  it('may be longer than the lists', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    const room = new Int32Array(10).fill(-7)
    const { index } = await engine.run(workload, { position }, { into: { index: room } })
    expect(index).toEqual(listed.index)
    expect(index.buffer).toBe(room.buffer)
    expect([...room]).toEqual([1, 0, 2, 1, -7, -7, -7, -7, -7, -7])
  })

  it('may not be shorter, or of another type', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    const run = (into: object) => engine.run(workload, { position }, { into })
    await expect(run({ index: new Int32Array(3) })).rejects.toThrow(
      '"into.index" expected at least length 4, as many as there are neighbours, got 3',
    )
    await expect(run({ offsets: new Uint32Array(4) })).rejects.toThrow('"into.offsets" expected length 5, got 4')
    await expect(run({ offsets: new Float32Array(5) })).rejects.toThrow('"into.offsets" expected Uint32Array')
    await expect(run({ index: new Uint32Array(4) })).rejects.toThrow('"into.index" expected Int32Array')
  })
})

describe('a list that is too long', () => {
  const device = (limits: object) => ({ backend: 'small', limits: { resultBytes: 12, ...limits } })

  it('is refused with its size before anything is allocated', async () => {
    expect(() => offsetsOf([1, 2, 1], device({}))).toThrow(
      new RangeError(
        'Cannot list the neighbours on small: 4 entries need 16 bytes, device limit is 12; use a smaller radius, or list the targets in parts',
      ),
    )
    expect(offsetsOf([1, 2], device({}))).toEqual(Uint32Array.of(0, 1, 3))
    expect(offsetsOf([1, 2, 1], device({ listBytes: 16 }))).toEqual(Uint32Array.of(0, 1, 3, 4))
    const many = Array(2 ** 10).fill(2 ** 22)
    expect(() => offsetsOf(many, device({ listBytes: 2 ** 40 }))).toThrow('4294967296 entries')
  })

  it('is not listed', async () => {
    const inner = await reference().open()
    const { shape, bindings } = bind(workload, { position })
    const ran: string[] = []
    const info = { ...inner.info, limits: { resultBytes: 12 } }
    const prepare = async (one: Parameters<typeof inner.prepare>[0]) => {
      const program = await inner.prepare(one, shape)
      return {
        report: program.report,
        run: (...args: Parameters<typeof program.run>) => {
          ran.push(String(one.results))
          return program.run(...args)
        },
        dispose: () => {},
      }
    }
    const program = await preparedOn({ info }, prepare, workload, shape)
    await expect(program.run(bindings)).rejects.toThrow('4 entries need 16 bytes')
    expect(ran).toEqual(['count'])
  })
})

it('lists of ranges of sources combine to those of all, in any order', async () => {
  const device = await reference().open()
  const { shape, bindings } = bind(workload, { position })
  const program = await device.prepare(workload, shape)
  const [first, rest] = await Promise.all(
    [[0, 1] as const, [1, 4] as const].map((sources) => program.run(bindings, { sources })),
  )
  expect(first).toEqual({ offsets: Uint32Array.of(0, 0, 1, 1, 1), index: Int32Array.of(0) })
  expect(combine(workload, first ?? {}, rest ?? {})).toEqual(listed)
  expect(combine(workload, rest ?? {}, first ?? {})).toEqual(listed)
  expect(await program.run(bindings, { sources: [0, 1], initial: rest ?? {} })).toEqual(listed)
  expect(await program.run(bindings, { targets: [1, 3] })).toEqual({
    offsets: Uint32Array.of(0, 2, 3),
    index: Int32Array.of(0, 2, 1),
  })
})

it('a sequence refuses lists, whose length depends on the points', async () => {
  const device = await reference().open()
  const { shape, bindings } = bind(workload, { position })
  const program = await device.prepare(workload, shape)
  const stage = { program, bindings, outputs: { offsets: await device.buffer(5), index: await device.buffer(4) } }
  await expect(device.sequence([stage])).rejects.toThrow(UnsupportedWorkloadError)
})

describe('a device that finds other sources than it counted', () => {
  const { shape, bindings } = bind(workload, { position })
  const info = { backend: 'rough', limits: { resultBytes: 2 ** 20 } } as Parameters<typeof preparedOn>[0]['info']
  /** A program that finds lists of these lengths, one after the other, in its runs. */
  const rough = (lengths: readonly (readonly number[])[]) => {
    const given: number[][] = []
    let turn = 0
    const program = preparedOn(
      { info },
      async (one) => {
        const plain = await (await reference().open()).prepare(one, shape)
        const lists = one.loop === 'pair' && one.reduction === 'list'
        return Object.assign(Object.create(plain), {
          run: async ({ offsets = new Uint32Array(1) }) => {
            const count = Uint32Array.from(lengths[turn++] ?? [])
            if (!lists) return { count }
            given.push([...offsets])
            return { count, index: Int32Array.from({ length: offsets.at(-1) as number }, (_, n) => n) }
          },
        })
      },
      workload,
      shape,
    )
    return { program, given }
  }

  it('lists again with the lengths that it found', async () => {
    const found = [1, 2, 2, 0]
    const { program, given } = rough([[1, 2, 1, 0], found, found])
    const { offsets, index } = await (await program).run(bindings)
    expect([...(offsets ?? [])]).toEqual([0, 1, 3, 5, 5])
    expect(index).toHaveLength(5)
    expect(given).toEqual([
      [0, 1, 3, 4, 4],
      [0, 1, 3, 5, 5],
    ])
  })

  it('lists once if the lengths agree', async () => {
    const { program, given } = rough([
      [1, 2, 1, 0],
      [1, 2, 1, 0],
      [9, 9, 9, 9],
    ])
    await (await program).run(bindings)
    expect(given).toHaveLength(1)
  })

  it('says that the points changed if the lengths differ again', async () => {
    const { program } = rough([
      [1, 2, 1, 0],
      [1, 2, 2, 0],
      [1, 1, 2, 0],
    ])
    await expect((await program).run(bindings)).rejects.toThrow('the points changed during the run')
  })
})
