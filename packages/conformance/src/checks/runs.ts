/**
 * Programs must support aborts, concurrent use, arrays of the other precision, and arrays for results.
 *
 * @module
 */
import { type ArrayResults, type Device, matrix, type PairWorkload, pairTerm } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { atPrecision } from '../judging/at-precision.ts'
import { type Check, differing, tolerance, unless } from './check.ts'
import { points, preparedPull, pull } from './problem.ts'

export const runChecks: readonly Check[] = [
  {
    name: 'runs: an aborted signal rejects with its reason',
    async faults(device) {
      const { bindings, program } = await preparedPull(device)
      const reason = new Error('no longer wanted')
      const ended = await program.run(bindings, { signal: AbortSignal.abort(reason) }).then(
        () => 'results' as const,
        (error: unknown) => error,
      )
      const results = await program.run(bindings)
      program.dispose()
      return [
        ...unless(ended === reason, `an aborted run expected to reject with signal.reason, got ${ended}`),
        ...unless(results.acceleration !== undefined, 'a run after an aborted one expected results, got none'),
      ]
    },
  },
  {
    name: 'runs: at once, of one program and of two',
    async faults(device) {
      const [a, b] = [await preparedPull(device, 71), await preparedPull(device, 75)]
      const alone = [await a.program.run(a.bindings), await a.program.run(b.bindings)]
      const together = await Promise.all([
        a.program.run(a.bindings),
        b.program.run(b.bindings),
        a.program.run(b.bindings),
        b.program.run(a.bindings),
      ])
      a.program.dispose()
      b.program.dispose()
      return together.flatMap((results, n) =>
        differing(
          `acceleration of run ${n + 1} of 4 at once`,
          results.acceleration ?? [],
          alone[n % 3 === 0 ? 0 : 1]?.acceleration ?? [],
          tolerance[device.info.precision],
        ),
      )
    },
  },
  {
    name: 'runs: arrays of the other precision',
    async faults(device) {
      const { bindings, program } = await preparedPull(device)
      // Numbers that both precisions represent exactly, so that the results are the same.
      const single = atPrecision(points(device), 'f32')
      const expected = await program.run(bind(pull, atPrecision(single, device.info.precision)).bindings)
      const other = atPrecision(single, device.info.precision === 'f64' ? 'f32' : 'f64')
      const results = await program.run({ ...bindings, ...bind(pull, other).bindings })
      program.dispose()
      return differing(
        'acceleration',
        results.acceleration ?? [],
        expected.acceleration ?? [],
        tolerance[device.info.precision],
      )
    },
  },
  {
    name: 'runs: again, begun before the call returns',
    async faults(device) {
      const { bindings, program } = await preparedPull(device, 71)
      const other = bind(pull, points(device, 75)).bindings
      const expected = await program.run(other)
      await program.run(bindings)
      const begun = program.again?.(other)
      // The run has copied the numbers by now.
      for (const array of Object.values(other.targets.arrays)) (array as Float32Array).fill(Number.NaN)
      const results = await begun
      program.dispose()
      if (!results) return []
      return differing(
        'acceleration',
        results.acceleration ?? [],
        expected.acceleration ?? [],
        tolerance[device.info.precision],
      )
    },
  },
  {
    name: 'runs: into given arrays, or into new ones',
    async faults(device) {
      const rows: PairWorkload = matrix(pairTerm('exp(-r2)')())
      return (await Promise.all([pull, rows].map((workload) => intoFaults(device, workload)))).flat()
    },
  },
]

/** Runs all targets, then some of them, into arrays that hold other numbers. */
async function intoFaults(device: Device, workload: PairWorkload): Promise<readonly string[]> {
  const { shape, bindings } = bind(workload, points(device))
  if (!device.supports(workload, shape).ok) return []
  const program = await device.prepare(workload, shape)
  const faults: string[] = []
  for (const targets of [undefined, [3, 40]] as const) {
    const options = targets ? { targets } : {}
    const expected = await program.run(bindings, options)
    const into: ArrayResults = Object.fromEntries(
      Object.entries(expected).map(([name, array]) => [name, array.slice().fill(7)]),
    )
    const results = await program.run(bindings, { ...options, into })
    for (const [name, array] of Object.entries(expected))
      faults.push(
        ...differing(`${name} with arrays given`, results[name] ?? [], array, tolerance[device.info.precision]),
      )
  }
  program.dispose()
  return faults
}
