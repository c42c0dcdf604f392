/**
 * One wrong backend for each kind of fault that we could think of.
 *
 * @module
 */
import {
  type ArrayResults,
  type Bindings,
  countWithin,
  type FloatArray,
  type PointSet,
  pairTerm,
  type RunOptions,
  type Sequence,
  type Shape,
  type SourceRanges,
  sum,
  type Table,
  type Workload,
} from '@manybody/core'
import { joinedTables, tableParameters } from '@manybody/core/judge'
import { gridTruth } from '../../src/checks/grids/grid-truth.ts'
import { unknownReduction } from '../../src/checks/unknown-reduction.ts'
import { staleGrids } from './stale-grids.ts'
import { changeNumbers, domainOf, type Fault, type FaultyRun, half } from './wrong-backend.ts'

const tile = 64
/** The pulls of vectors of one component, as numbers. */
const pulls = sum(pairTerm('w_j*sum(x_j - x_i)')())

/** The faults, each with a family of cases that must find it. */
export const faults: Readonly<Record<string, Fault & { readonly seen: RegExp }>> = {
  'a grid takes no weight but the first': {
    device: () => ({
      gridSum: async (sum, points) =>
        gridTruth(sum, { ...points, weights: points.weights.map(() => points.weights[0] as Float64Array) }),
    }),
    seen: /^grids: fields of two sets/,
  },
  'a grid holds no points outside the box': {
    device: () => ({
      gridSum: async (sum, points) =>
        gridTruth(sum, { ...points, sources: points.sources.map((x, n) => clamped(x, sum.lengths[n % 3] as number)) }),
    }),
    seen: /^grids: fields of one set/,
  },
  'a sum through a grid cannot be aborted': {
    device: () => ({ gridSum: async (sum, points) => gridTruth(sum, points) }),
    seen: /^grids: an aborted sum/,
  },
  'a grid in a sequence takes the positions of before': {
    device: staleGrids,
    seen: /^grids: a stage between programs, one set/,
  },
  'coincident points never count': {
    run: ({ right, bindings, shape }) => right({ ...bindings, exclusions: coincidentPairs(bindings, shape) }),
    seen: /^coincident: a power whose exponent is an attribute, /,
  },
  'a whole vector has the sum of its first component in all': {
    device: (right) => ({
      sumsVectors: true,
      supports: () => ({ ok: true }),
      async prepare(_, shape) {
        const { x: length = 1 } = shape.lengths ?? {}
        const program = await right.prepare(pulls, { ...shape, lengths: { x: 1 } })
        return {
          ...program,
          report: program.report,
          dispose: () => program.dispose(),
          async run({ targets, ...bindings }, options) {
            const x = (targets.arrays.x as FloatArray).filter((_, n) => n % length === 0)
            const firsts = { ...targets, arrays: { ...targets.arrays, x } }
            const { value = [] } = await program.run({ ...bindings, targets: firsts, sources: firsts }, options)
            return {
              value: Float64Array.from({ length: length * value.length }, (_, n) => value[Math.floor(n / length)] ?? 0),
            }
          },
        }
      },
    }),
    seen: /^whole vectors: sums of 33 components/,
  },
  'coincident points always count': {
    run: ({ right, bindings }) =>
      right({ ...bindings, targets: withoutZeros(bindings.targets), sources: withoutZeros(bindings.sources) }),
    seen: /^coincident: a distance softened by the source, /,
  },
  'the last attribute has the numbers of the one before': {
    run: ({ right, bindings }) => {
      const targets = lastRepeated(bindings.targets)
      return right({
        ...bindings,
        targets,
        sources: bindings.sources === bindings.targets ? targets : lastRepeated(bindings.sources),
      })
    },
    seen: /^attributes: 64 of each of 130/,
  },
  'a pair reaches as far as twice its smaller point': {
    workload: (workload) =>
      workload.loop === 'pair' && workload.domain.cutoff?.distance === 'radius_i + radius_j'
        ? countWithin('2*min(radius_i, radius_j)')
        : workload,
    seen: /^pair cutoffs: counts of circles of very different sizes in a plane/,
  },
  'two kinds reach as far as twice the smaller one': {
    workload: (workload) =>
      workload.loop === 'pair' && workload.domain.cutoff?.distance === 'size[kind_i] + other[form_j]'
        ? sum(workload.law, { cutoff: '2*min(size[kind_i], other[form_j])' })
        : workload,
    seen: /^pair cutoffs: the sizes of two lists, of very different numbers/,
  },
  'tables are read by columns': {
    run: ({ right, bindings, workload }) => right(transposed(bindings, workload)),
    seen: /^tables: sums of 3 x 3/,
  },
  'the first function serves all kinds': {
    run: ({ right, bindings }) => {
      const targets = ofFirstKind(bindings.targets)
      return right({
        ...bindings,
        targets,
        sources: bindings.sources === bindings.targets ? targets : bindings.sources,
      })
    },
    seen: /^splines: forces of a mixture/,
  },
  'a run has the tables of the law': {
    run: ({ right, bindings, workload }) => right(withOwnTables(bindings, workload)),
    seen: /^tables: other numbers and other shapes/,
  },
  'a run has the functions of the law': {
    run: ({ right, bindings, workload }) => right(withOwnTables(bindings, workload)),
    seen: /^splines: other functions in each run/,
  },
  'the sign is flipped': {
    run: async ({ right, workload }) => (workload.loop === 'pair' ? changeNumbers(await right(), (x) => -x) : right()),
    seen: /^closed forms: gravity of two bodies/,
  },
  'all results are zero': {
    run: async ({ right }) => changeNumbers(await right(), () => 0),
    seen: /^gates: sum of 1/,
  },
  'the last target of a tail is dropped': {
    run: async ({ right, shape }) => withoutLastTarget(await right(), shape.targets % tile === 0 ? 0 : shape.targets),
    seen: /^gates: count of all, 65 points/,
  },
  'the last sources of a tail are dropped': {
    run: ({ right, options, shape, bindings }) =>
      right(bindings, {
        ...options,
        sources: options.sources ?? [0, Math.max(shape.sources - (shape.sources % tile), 1)],
      }),
    seen: /^gates: sum of 1, 129 points/,
  },
  'the last of fewer points does not act': {
    run: ({ right, bindings, options, shape }) => {
      const { count } = bindings.targets
      const fewer = count < shape.targets && shape.sameSet && !options.sources && shape.sources > 0
      return right(bindings, fewer ? { ...options, sources: [0, count - 1] } : options)
    },
    seen: /^sizes: a program runs over fewer points/,
  },
  'a point meets itself': {
    workload: (workload) => domainOf(workload, () => ({ self: 'include' })),
    seen: /^gates: sum of 1, 2 points/,
  },
  'no point meets itself': {
    workload: (workload) => domainOf(workload, () => ({ self: 'exclude' })),
    seen: /^gates: sum of 1 with self, 2 points/,
  },
  'one tile of sources is counted twice': {
    run: async ({ right, workload, shape, bindings, options }) => {
      const once = await right()
      const sums = workload.loop === 'pair' && workload.reduction === 'sum'
      if (!sums || shape.sources <= 2 * tile || options.sources) return once
      return right(bindings, { ...options, sources: [tile, 2 * tile], initial: once })
    },
    seen: /^gates: sum of 1, 129 points/,
  },
  'numbers that are not finite become 0': {
    run: async ({ right }) => changeNumbers(await right(), (x) => (Number.isFinite(x) ? x : 0)),
    seen: /^terms: the force of an energy that ends at a distance/,
  },
  'results have half precision': {
    run: async ({ right }) => changeNumbers(await right(), half),
    seen: /^laws: accelerations of gravity/,
  },
  'results are off by a few parts in a million': {
    run: async ({ right }) => changeNumbers(await right(), (x) => x * (1 + 4e-6)),
    seen: /^laws: forces of coulomb/,
  },
  'float64 is float32': {
    run: async ({ right }) => changeNumbers(await right(), Math.fround),
    seen: /^laws: forces of coulomb/,
  },
  'positions are counted from afar': {
    run: async ({ right, bindings, workload }) => {
      if (workload.loop !== 'pair') return right()
      const [targets, sources] = [bindings.targets, bindings.sources].map(fromAfar) as [PointSet, PointSet]
      return right({ ...bindings, targets, sources: bindings.sources === bindings.targets ? targets : sources })
    },
    seen: /^far origins: gravity, 10000000 extents away/,
  },
  'the low parts of coordinates are ignored': {
    run: ({ right, bindings, shape }) => {
      if (!shape.split) return right()
      const [targets, sources] = [bindings.targets, bindings.sources].map(withoutLow) as [PointSet, PointSet]
      return right({ ...bindings, targets, sources })
    },
    seen: /^far origins: gravity of two clusters, 1000 extents apart/,
  },
  'the cutoff is ignored': {
    workload: (workload) =>
      domainOf(workload, ({ self, boundary, exclusions }) => ({ self, boundary, exclusions, cutoff: far })),
    run: ({ right, bindings }) => right({ ...bindings, parameters: { ...bindings.parameters, cutoff: far.distance } }),
    seen: /^domains: sum of 1, a cutoff/,
  },
  'the switch is a jump': {
    workload: (workload) =>
      domainOf(workload, ({ cutoff }) => (cutoff ? { cutoff: { distance: cutoff.distance, shift: false } } : {})),
    seen: /^domains: forces of coulomb, a switched cutoff/,
  },
  'boxes are open': {
    run: ({ right, bindings: { parameters, ...rest } }) =>
      right({ ...rest, parameters: { ...parameters, ...hugeBox(parameters) } }),
    seen: /^domains: gravity in a periodic box/,
  },
  'exclusions are ignored': {
    run: ({ right, bindings: { exclusions: _, ...rest } }) => right(rest),
    seen: /^domains: sum of 1 with exclusions/,
  },
  'given ranges are ignored': {
    run: ({ right, bindings, shape }) => {
      const { targets, sources } = shape
      const all = { targets: [0, targets], offsets: [0, 1], sources: [0, sources] }
      return right(bindings.ranges ? { ...bindings, ranges: words(all) } : bindings)
    },
    seen: /^given ranges: sum of 1/,
  },
  'the last range of each block is dropped': {
    run: ({ right, bindings }) => right(bindings.ranges ? { ...bindings, ranges: dropped(bindings.ranges) } : bindings),
    seen: /^given ranges: sum of 1/,
  },
  'ties go to the higher index': {
    run: laterTies,
    seen: /^reductions: argmin, ties/,
  },
  'an unknown reduction is a maximum': {
    workload: (workload) =>
      'reduction' in workload && (workload.reduction as string) === unknownReduction
        ? { ...workload, reduction: 'max' }
        : workload,
    seen: /^reductions: an unknown one is refused/,
  },
  'an empty range gives zeros': {
    run: async ({ right, options: { sources } }) =>
      sources && sources[0] === sources[1] ? changeNumbers(await right(), () => 0) : right(),
    seen: /^combining: min/,
  },
  'indices count from the start of a range': {
    run: async ({ right, options: { sources } }) => {
      const results = await right()
      const [first] = sources ?? [0]
      if (!(results.index instanceof Int32Array)) return results
      return { ...results, index: results.index.map((j) => (j < 0 ? j : j - first)) }
    },
    seen: /^combining: (argmin|smallest)/,
  },
  'lists are in the order in which blocks visit sources': {
    run: async ({ right }) => {
      const results = await right()
      if (!results.offsets) return results
      const index = (results.index as Int32Array).slice()
      for (let n = 1; n < results.offsets.length; n++)
        index.subarray(results.offsets[n - 1], results.offsets[n]).reverse()
      return { ...results, index }
    },
    seen: /^lists: within a radius in a plane/,
  },
  'lists of a range of targets start where those of all targets would': {
    run: async ({ right, options: { targets } }) => {
      const results = await right()
      const before = targets?.[0] ?? 0
      return results.offsets
        ? { ...results, offsets: (results.offsets as Uint32Array).map((end) => end + before) }
        : results
    },
    seen: /^lists: over ranges of targets/,
  },
  'neighbours come with squared distances': {
    run: async ({ right, workload }) =>
      workload.loop === 'pair' && workload.reduction === 'smallest'
        ? changeNumbers(await right(), (r) => r * r)
        : right(),
    seen: /^nearest: 4 of 200/,
  },
  'earlier results are ignored': {
    run: ({ right, bindings, options: { initial: _, ...rest } }) => right(bindings, rest),
    seen: /^ranges: accelerations, sources in turn/,
  },
  'source ranges are ignored': {
    run: ({ right, bindings, options: { sources: _, ...rest } }) => right(bindings, rest),
    seen: /^ranges: accelerations, sources in turn/,
  },
  'parameters stay as they were at first': {
    device: (device) => ({
      prepare: async (workload, shape) => {
        const program = await device.prepare(workload, shape)
        let first: Readonly<Record<string, number>> | undefined
        return Object.create(program, {
          report: { get: () => program.report },
          run: {
            value: (bindings: FaultyRun['bindings'], options: RunOptions) => {
              first ??= bindings.parameters
              return program.run({ ...bindings, parameters: first }, options)
            },
          },
          dispose: { value: () => program.dispose() },
        })
      },
    }),
    seen: /^reuse: other parameters/,
  },
  'edges of grids are all periodic': {
    workload: (workload) =>
      'grid' in workload ? { ...workload, grid: { ...workload.grid, edges: 'periodic' } } : workload,
    seen: /^stencil: gradient, 5 x 4 x 3, clamp/,
  },
  'NaN where points coincide': {
    run: async ({ right, bindings }) => {
      const results = await right()
      return coincide(bindings.targets) ? changeNumbers(results, () => Number.NaN) : results
    },
    seen: /^degenerate: .*one place/,
  },
  'sines of huge angles leave their range': {
    run: async ({ right, workload, bindings }) => {
      const results = await right()
      if (!('outputs' in workload) || !/^sin/.test(String(workload.outputs.value))) return results
      const { x } = bindings.targets.arrays
      return {
        ...results,
        value: (results.value as FloatArray).map((y, n) => (Math.abs((x as FloatArray)[n] as number) > 1e9 ? 3 : y)),
      }
    },
    seen: /^functions: accuracy of sin/,
  },
  'the inputs are changed': {
    run: async ({ right, bindings }) => {
      const results = await right()
      const { position } = bindings.targets.arrays
      if (ArrayBuffer.isView(position)) position.fill(0)
      return results
    },
    seen: /^closed forms: gravity of two bodies/,
  },
  'the report names another backend': {
    report: (report) => ({ ...report, backend: 'fastest' }),
    seen: /^gates: sum of 1/,
  },
  'the report counts more evaluated pairs than there are': {
    report: (report) => ({ ...report, evaluated: report.interactions + 1 }),
    seen: /^gates: sum of 1/,
  },
  'the report counts too many interactions': {
    report: (report) => ({ ...report, interactions: report.interactions + 1 }),
    seen: /^gates: sum of 1/,
  },
  'times are in nanoseconds': {
    report: (report) => ({ ...report, timings: { ...report.timings, compute: 1e6 * report.timings.compute } }),
    seen: /^laws: /,
  },
  'aborts are not heard': {
    run: ({ right, bindings, options: { signal: _, ...rest } }) => right(bindings, rest),
    seen: /^runs: an aborted signal/,
  },
  'arrays given for results are handed back as they were': {
    run: async ({ right, options }) => options.into ?? right(),
    seen: /^runs: into given arrays/,
  },
  'supports promises too much': {
    device: () => ({ prepare: () => Promise.reject(new Error('out of registers')) }),
    seen: /^gates: sum of 1/,
  },
  'supports refuses what prepare accepts': {
    device: () => ({ supports: () => ({ ok: false, reason: 'not today' }) }),
    seen: /^gates: sum of 1/,
  },
  'sequences run once': {
    device: (device) => ({
      sequence: async (stages) => {
        const sequence = await device.sequence(stages)
        return { run: (_, options) => sequence.run(1, options), dispose: () => sequence.dispose() }
      },
    }),
    seen: /^sequences: force and drift/,
  },
  'sequences go by what their stages carry for too long': {
    device: (device) => ({
      prepare: async (workload, shape) => Object.assign(await device.prepare(workload, shape), { carries: 1 }),
      sequence: async (stages) => {
        const sequence = await device.sequence(stages)
        let rounds = 0
        const run: Sequence['run'] = async (times, options) => {
          if (!stages.some(({ carried }) => carried) || rounds++ % 5 === 0) await sequence.run(times, options)
        }
        return { run, dispose: () => sequence.dispose() }
      },
    }),
    seen: /^sequences: what a stage carries/,
  },
  'sequences ignore ranges': {
    device: (device) => ({
      sequence: (stages) => device.sequence(stages.map(({ targets: _, sources: __, ...stage }) => stage)),
    }),
    seen: /^sequences: accelerations over ranges/,
  },
  'sequences compute ranges of targets that do not fit': {
    device: (device) => ({
      sequence: (stages) => device.sequence(stages.map(({ targets: _, ...stage }) => stage)),
    }),
    seen: /^sequences: ranges that do not fit/,
  },
  'maps read values of the points that have their own index': {
    device: (device) => ({
      prepare: (workload, shape) => {
        if (workload.loop !== 'particle' || workload.operation !== 'map' || !workload.gather)
          return device.prepare(workload, shape)
        const gather = Object.fromEntries(
          Object.entries(workload.gather).map(([name, { of }]) => [name, { of, at: 'own' }]),
        )
        return device.prepare({ ...workload, gather }, shape)
      },
    }),
    seen: /^sequences: a map reads values of points by their index/,
  },
  'sequences keep the bits of counts': {
    device: (device) => ({
      sequence: async (stages) => {
        const sequence = await device.sequence(stages)
        const run: typeof sequence.run = async (times, options) => {
          await sequence.run(times, options)
          for (const { outputs } of stages)
            if (outputs.count) await outputs.count.write(bitsOf(await outputs.count.read()))
        }
        return { run, dispose: () => sequence.dispose() }
      },
    }),
    seen: /^sequences: counts are kept/,
  },
  'buffers lose their last number': {
    device: (device) => ({
      buffer: async (length) => {
        const buffer = await device.buffer(length)
        return Object.create(buffer, {
          length: { value: length },
          read: { value: async (into?: Float32Array) => (await buffer.read(into)).fill(0, -1) },
          write: { value: (data: Float32Array) => buffer.write(data) },
          dispose: { value: () => buffer.dispose() },
        })
      },
    }),
    seen: /^buffers: hold/,
  },
  'buffers are never read into the given array': {
    device: (device) => ({
      buffer: async (length) => {
        const buffer = await device.buffer(length)
        return Object.create(buffer, {
          length: { value: length },
          read: { value: () => buffer.read() },
          write: { value: (data: Float32Array) => buffer.write(data) },
          dispose: { value: () => buffer.dispose() },
        })
      },
    }),
    seen: /^buffers: hold/,
  },
  'buffers take arrays that do not fit': {
    device: (device) => ({
      buffer: async (length) => {
        const buffer = await device.buffer(length)
        const fitted = (data: Float32Array) => Float32Array.from({ length }, (_, n) => data[n] ?? 0)
        return Object.create(buffer, {
          length: { value: length },
          read: { value: async (into?: Float32Array) => (into?.length === length ? buffer.read(into) : buffer.read()) },
          write: { value: (data: Float32Array) => buffer.write(fitted(data)) },
          dispose: { value: () => buffer.dispose() },
        })
      },
    }),
    seen: /^buffers: lengths/,
  },
  'buffers are written later': {
    device: (device) => ({
      buffer: async (length) => {
        const buffer = await device.buffer(length)
        return Object.create(buffer, {
          length: { value: length },
          read: { value: (into?: Float32Array) => buffer.read(into) },
          write: { value: async (data: Float32Array) => Promise.resolve().then(() => buffer.write(data)) },
          dispose: { value: () => buffer.dispose() },
        })
      },
    }),
    seen: /^buffers: hold what was there/,
  },
  'buffers list places as they find them': {
    device: (device) => ({
      buffer: async (length) => {
        const buffer = await device.buffer(length)
        const found = async () => [...(await buffer.read()).keys()].reverse()
        return Object.create(buffer, {
          length: { value: length },
          nonzero: { value: async () => Uint32Array.from(await found()) },
          read: { value: (into?: Float32Array) => buffer.read(into) },
          write: { value: (data: Float32Array) => buffer.write(data) },
          dispose: { value: () => buffer.dispose() },
        })
      },
    }),
    seen: /^buffers: some of their numbers/,
  },
}

const far = { distance: 1e9, shift: false } as const

/** Writes whole numbers as uint32 and reads their bits as float32. */
const bitsOf = (counts: ArrayLike<number>) => new Float32Array(Uint32Array.from(counts).buffer)

function withoutLastTarget(results: ArrayResults, targets: number): ArrayResults {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => {
      const width = targets ? array.length / targets : 0
      return [name, array.slice().fill(0, array.length - width)]
    }),
  )
}

function hugeBox(parameters: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(['boxX', 'boxY', 'boxZ'].filter((name) => name in parameters).map((name) => [name, 1e9]))
}

function coincide({ arrays: { position } }: PointSet): boolean {
  if (!ArrayBuffer.isView(position) || position.length < 6) return false
  const array: ArrayLike<number> = position
  return array[0] === array[3] && array[1] === array[4] && array[2] === array[5]
}

function words({ targets, offsets, sources }: Readonly<Record<keyof SourceRanges, readonly number[]>>): SourceRanges {
  return {
    targets: Uint32Array.from(targets),
    offsets: Uint32Array.from(offsets),
    sources: Uint32Array.from(sources),
  }
}

/** The ranges without the last range of each block. */
function dropped({ targets, offsets, sources }: SourceRanges): SourceRanges {
  const kept: number[] = []
  const ends = Array.from(offsets, (offset, block) => {
    const first = offsets[block - 1] ?? 0
    kept.push(...sources.subarray(2 * first, Math.max(2 * first, 2 * offset - 2)))
    return kept.length / 2
  })
  return words({ targets: [...targets], offsets: ends, sources: kept })
}

/** Reversing the order of the sources makes the reference visit them from the last to the first. */
async function laterTies({ workload, shape, bindings, right }: FaultyRun): Promise<ArrayResults> {
  if (shape.sameSet || workload.loop !== 'pair' || !workload.results.includes('index')) return right()
  const { count, arrays } = bindings.sources
  const reversed = Object.entries(arrays).map(([name, array]) => {
    if (!ArrayBuffer.isView(array)) return [name, array]
    const width = array.length / count
    return [name, array.map((_, n) => array[(count - 1 - Math.floor(n / width)) * width + (n % width)] as number)]
  })
  const results = await right({ ...bindings, sources: { count, arrays: Object.fromEntries(reversed) } })
  return { ...results, index: (results.index as Int32Array).map((j) => (j < 0 ? j : count - 1 - j)) }
}

/** The displacements that float32 gives for points far from the origin. */
function fromAfar(set: PointSet): PointSet {
  const position = (set.arrays.position as FloatArray).map((x) => Math.fround(x + 1e5))
  return { ...set, arrays: { ...set.arrays, position } }
}

function withoutLow(set: PointSet): PointSet {
  const arrays = Object.entries(set.arrays)
  const high = arrays.map(([name, array]) => [
    name,
    name.startsWith('positionLow') ? (array as FloatArray).map(() => 0) : array,
  ])
  return { ...set, arrays: Object.fromEntries(high) }
}

/** The pairs of points in one place, as exclusions. */
function coincidentPairs({ targets, sources }: Bindings, { dimension }: Shape): NonNullable<Bindings['exclusions']> {
  const places = ({ count, arrays }: PointSet) =>
    Array.from({ length: count }, (_, n) =>
      String((arrays.position as FloatArray).slice(n * dimension, (n + 1) * dimension)),
    )
  const there = places(sources)
  const lists = places(targets).map((place) => there.flatMap((other, j) => (other === place ? [j] : [])))
  let end = 0
  const offsets = Uint32Array.from([0, ...lists.map((list) => (end += list.length))])
  return { offsets, sources: Uint32Array.from(lists.flat()) }
}

const clamped = (x: number, length: number): number => Math.max(0, Math.min(length, x))

/** Replaces zeros in attributes by small numbers. */
function withoutZeros(set: PointSet): PointSet {
  const arrays = Object.entries(set.arrays).map(([name, array]) => [
    name,
    name === 'position' ? array : (array as FloatArray).map((x) => x || 1e-6),
  ])
  return { ...set, arrays: Object.fromEntries(arrays) }
}

function ofFirstKind(set: PointSet): PointSet {
  const { kind } = set.arrays
  return kind === undefined ? set : { ...set, arrays: { ...set.arrays, kind: (kind as FloatArray).map(() => 0) } }
}

function lastRepeated(set: PointSet): PointSet {
  const [before, last] = Object.keys(set.arrays).slice(-2)
  return before && last ? { ...set, arrays: { ...set.arrays, [last]: set.arrays[before] as FloatArray } } : set
}

/** Square tables with rows and columns exchanged. */
function transposed(bindings: Bindings, workload: Workload): Bindings {
  const { tables } = workload.loop === 'pair' ? workload.law : {}
  if (!tables || !bindings.tables) return bindings
  const turned = Object.entries(tables).map(([name, table]) => [name, turn(table)])
  return { ...bindings, tables: joinedTables(Object.fromEntries(turned)) }
}

function turn(table: Table): Table {
  if (typeof table[0] !== 'object' || table[0].length !== table.length) return table
  const rows = table as readonly (readonly number[])[]
  return rows.map((row, n) => row.map((_, m) => rows[m]?.[n] as number))
}

function withOwnTables(bindings: Bindings, workload: Workload): Bindings {
  const { tables } = workload.loop === 'pair' ? workload.law : {}
  if (!tables) return bindings
  const parameters = { ...bindings.parameters, ...tableParameters(tables) }
  return { ...bindings, parameters, tables: joinedTables(tables) }
}
