/**
 * Device buffers must return the numbers that were written, and programs must read them there.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { randomOf } from '../random.ts'
import { type Check, differing, tolerance, unless } from './check.ts'
import { points, preparedPull, pull } from './problem.ts'

const lengths = [1, 5, 257] as const

export const bufferChecks: readonly Check[] = [
  {
    name: 'buffers: hold what was written',
    async faults(device) {
      const found: string[] = []
      for (const length of lengths) found.push(...(await roundTrip(device, length)))
      return found
    },
  },
  {
    name: 'buffers: hold what was there when they were written',
    async faults(device) {
      const data = randomOf(5).array(257, -1, 1).map(Math.fround)
      const buffer = await device.buffer(data.length)
      // Do not wait for the first write, so that the second finds the device busy.
      const writes = [new Float64Array(data.length), data].map((given) => {
        const mine = given.slice()
        const written = buffer.write(mine)
        mine.fill(7)
        return written
      })
      await Promise.all(writes)
      const kept = await buffer.read()
      buffer.dispose()
      return differing('a buffer whose data was changed after the call', kept, data, 0)
    },
  },
  {
    name: 'buffers: hold parts that were written',
    async faults(device) {
      const data = Array.from(randomOf(7).array(5000, -1, 1).map(Math.fround))
      const buffer = await device.buffer(data.length)
      try {
        await buffer.write(Float64Array.from(data))
        // Within what a device may hold together, across two of these, to the end, and nothing.
        for (const [first, length] of [
          [0, 1],
          [5, 2],
          [7, 3],
          [1022, 5],
          [1000, 2100],
          [4997, 3],
          [40, 0],
        ] as const) {
          const part = randomOf(first + 1).array(length, 1, 2)
          if (!buffer.writePart) return []
          const written = buffer.writePart(part, first)
          for (const [n, x] of part.entries()) data[first + n] = Math.fround(x)
          part.fill(7)
          await written
        }
        return differing('a buffer after parts', (await buffer.read()).map(Math.fround), data, 0)
      } finally {
        buffer.dispose()
      }
    },
  },
  {
    name: 'buffers: some of their numbers',
    async faults(device) {
      const found: string[] = []
      // More places and points than a first list of a device may hold.
      for (const each of [1, 2, 700]) found.push(...(await someNumbers(device, 5000, each)))
      return found
    },
  },
  {
    name: 'buffers: lengths that do not fit',
    async faults(device) {
      const data = Float32Array.of(1, 2, 3)
      const buffer = await device.buffer(data.length)
      await buffer.write(data)
      const ends = await Promise.all([
        ...[-1, 0.5, Number.NaN].map(async (length) => device.buffer(length).then(dispose, lengthError)),
        ...[2, 4].flatMap((length) => [
          buffer.write(new Float32Array(length)).then(accepted, lengthError),
          buffer.read(new Float32Array(length)).then(accepted, lengthError),
        ]),
      ])
      const kept = await buffer.read()
      buffer.dispose()
      return [...ends.flat(), ...differing('a buffer after arrays that do not fit', kept, data, 0)]
    },
  },
  {
    name: 'buffers: bound to a program',
    async faults(device) {
      const { shape, bindings, program } = await preparedPull(device)
      const expected = await program.run(bindings)
      const { position, mass } = points(device)
      const arrays = { position: await device.buffer(3 * shape.targets), mass: await device.buffer(shape.targets) }
      await arrays.position.write(position)
      await arrays.mass.write(mass)
      const set = { count: shape.targets, arrays }
      const { bindings: host } = bind(pull, points(device))
      const results = await program.run({ ...host, targets: set, sources: set })
      const kept = await arrays.position.read()
      for (const buffer of Object.values(arrays)) buffer.dispose()
      program.dispose()
      return [
        ...differing(
          'acceleration from buffers',
          results.acceleration ?? [],
          expected.acceleration ?? [],
          tolerance[device.info.precision],
        ),
        ...differing('the bound buffer', kept, position, 0),
      ]
    },
  },
]

async function roundTrip(device: Device, length: number): Promise<readonly string[]> {
  const ArrayType = device.info.precision === 'f64' ? Float64Array : Float32Array
  const data = new ArrayType(randomOf(length).array(length, -1, 1))
  const buffer = await device.buffer(length)
  try {
    const fresh = await buffer.read()
    await buffer.write(data)
    const first = await buffer.read()
    const copy = first.slice()
    await buffer.write(data.map((x) => -x))
    const second = await buffer.read()
    const given = new ArrayType(length)
    const into = await buffer.read(given)
    return [
      ...unless(buffer.length === length, `buffer.length expected ${length}, got ${buffer.length}`),
      ...unless(first instanceof ArrayType, `read expected ${ArrayType.name}, got ${first.constructor.name}`),
      ...unless(into === given, 'read(into) expected the given array, got another'),
      ...differing('a buffer read into an array', given, second, 0),
      ...differing('a new buffer', fresh, new ArrayType(length), 0),
      ...differing('a written buffer', copy, data, 0),
      ...differing('an array read before the next write', first, data, 0),
      ...differing(
        'a buffer written again',
        second,
        data.map((x) => -x),
        0,
      ),
    ]
  } finally {
    buffer.dispose()
  }
}

/** The places of numbers that are not 0, and these numbers, in a buffer where each of so many is none. */
async function someNumbers(device: Device, length: number, each: number): Promise<readonly string[]> {
  const numbers = randomOf(each).array(length, 1, 2).map(Math.fround)
  const data = numbers.map((x, n) => (n % each === 0 ? x : n % 2 === 0 ? 0 : -0))
  data[length - 1] = 2 ** -140
  const places = [...data.keys()].filter((n) => data[n] !== 0)
  const points = places.filter((n) => 2 * n + 1 < length)
  const buffer = await device.buffer(length)
  try {
    await buffer.write(data)
    const there = await buffer.nonzero?.()
    const picked = await buffer.readAt?.(Uint32Array.from(points), 2)
    const expected = points.flatMap((n) => [data[2 * n] as number, data[2 * n + 1] as number])
    return [
      ...(there ? differing('places of numbers that are not 0', there, places, 0) : []),
      ...(picked ? differing('numbers of some points', picked, expected, 0) : []),
    ]
  } finally {
    buffer.dispose()
  }
}

const accepted = () => ['a length that does not fit expected a RangeError, got none']

function dispose(buffer: DeviceBuffer): readonly string[] {
  buffer.dispose()
  return accepted()
}

/** A fault unless the error names the argument and says which length it expected. */
const lengthError = (error: unknown): readonly string[] =>
  unless(
    error instanceof RangeError && /^"(length|data|into)" expected /.test(error.message),
    `a length that does not fit expected a RangeError that names the argument, got ${error}`,
  )
