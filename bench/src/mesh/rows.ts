/** The rows of `mesh`: each sum is timed by the processor time of the process, and a mesh is judged by a mesh in float64. */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  coulomb,
  createEngine,
  type Engine,
  forces,
  mesh,
  type PairWorkload,
  type Precision,
  periodic,
  tree,
} from '@manybody/core'
import { lammpsIsInstalled, lammpsSums } from '../../thirdparty/mesh/lammps.ts'
import { randomFrom } from '../random.ts'

/** Charges of both signs, spread evenly over a cube of edge 1. */
export interface Charges {
  readonly position: Float64Array
  readonly charge: Float64Array
}

export function chargesIn(count: number, seed: number): Charges {
  const random = randomFrom(seed)
  return {
    // As float32 holds them, so that both precisions have the same problem.
    position: Float64Array.from({ length: 3 * count }, () => Math.fround(random())),
    charge: Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1)),
  }
}

export interface MeshRow {
  readonly count: number
  readonly precision: Precision
  readonly method: 'mesh' | 'mesh, open' | 'tree, open' | 'all pairs, nearest images' | 'LAMMPS pppm' | 'LAMMPS ewald'
  /** That of LAMMPS is its own measure of the error. */
  readonly tolerance?: number
  /** Processor time of all threads for each charge, of the fastest call. */
  readonly microseconds: number
  /** The root mean square of the errors of all forces by that of the forces. Only of sums over all images. */
  readonly error?: number
  readonly setting: string
}

interface RowOptions {
  readonly precision: readonly Precision[]
  readonly calls: number
  readonly threads: number
  /** Whether LAMMPS takes part. */
  readonly lammps: boolean
}

const tolerances: Readonly<Record<Precision, readonly number[]>> = { f32: [1e-3, 1e-4, 1e-5], f64: [1e-6, 1e-8] }
/** Of the mesh that judges. */
const judging = 1e-10
/** All pairs of more charges take too long, and their time for each charge grows as their number. */
const mostOfAllPairs = 20_000
/** The accuracies that LAMMPS is asked for. */
const accuracies = [1e-3, 1e-4, 1e-5]
/** Ewald's sum of more charges takes it too long, and its time for each charge grows as the root of their number. */
const mostOfEwald = 10_000
/** Milliseconds after which a sum is not repeated. */
const longest = 10_000

const boundary = periodic([1, 1, 1])
const throughMesh = (tolerance: number) => forces(coulomb(), { boundary, method: mesh({ tolerance }) })

export async function meshRows(
  charges: Charges,
  { precision, calls, threads, lammps }: RowOptions,
): Promise<readonly MeshRow[]> {
  const count = charges.charge.length
  const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
  const { force: truth } = await judge.run(throughMesh(judging), charges)
  judge.dispose()
  const rows: MeshRow[] = []
  for (const own of precision) {
    const engine = await createEngine({ backends: [cpuWasm()], precision: own, threads })
    const timed = async (method: MeshRow['method'], workload: PairWorkload, tolerance?: number) => {
      const { microseconds, force, variant } = await fastest(engine, workload, charges, calls)
      const known = { count, precision: own, method, microseconds, setting: variant }
      const error = method === 'mesh' ? rmsError(force, truth) : undefined
      rows.push({ ...known, ...(tolerance !== undefined && { tolerance }), ...(error !== undefined && { error }) })
    }
    for (const tolerance of tolerances[own]) {
      await timed('mesh', throughMesh(tolerance), tolerance)
      await timed('mesh, open', forces(coulomb(), { method: mesh({ tolerance }) }), tolerance)
      await timed('tree, open', forces(coulomb(), { method: tree({ tolerance }) }), tolerance)
    }
    if (count <= mostOfAllPairs) await timed('all pairs, nearest images', forces(coulomb(), { boundary }))
    engine.dispose()
  }
  return lammps ? [...rows, ...lammpsRows(charges, truth, threads)] : rows
}

/** None if LAMMPS is missing, which is announced. */
function lammpsRows(charges: Charges, truth: ArrayLike<number>, threads: number): readonly MeshRow[] {
  if (!lammpsIsInstalled()) {
    console.error('bench: no rows of LAMMPS, which is not installed: install the Debian package lammps')
    return []
  }
  const count = charges.charge.length
  const styles = count <= mostOfEwald ? (['pppm', 'ewald'] as const) : (['pppm'] as const)
  return styles.flatMap((style) =>
    accuracies.map((tolerance): MeshRow => {
      const { microseconds, force, setting } = lammpsSums(charges, style, tolerance, threads)
      const error = rmsError(force, truth)
      return { count, precision: 'f64', method: `LAMMPS ${style}`, tolerance, microseconds, error, setting }
    }),
  )
}

/** The fastest of some calls, by the time of all threads. The first call of a sum finds its setting. */
async function fastest(engine: Engine<Precision>, workload: PairWorkload, charges: Charges, calls: number) {
  let microseconds = Number.POSITIVE_INFINITY
  const start = performance.now()
  for (let call = 0; ; call++) {
    const before = process.cpuUsage()
    const { report, ...results } = await engine.run(workload, charges)
    const { user, system } = process.cpuUsage(before)
    microseconds = Math.min(microseconds, (user + system) / charges.charge.length)
    if (call >= calls || (call > 0 && performance.now() - start > longest))
      return {
        microseconds,
        force: (results as unknown as { force: ArrayLike<number> }).force,
        variant: report.variant,
      }
  }
}

function rmsError(found: ArrayLike<number>, truth: ArrayLike<number>): number {
  let [apart, size] = [0, 0]
  for (let n = 0; n < truth.length; n++) {
    apart += ((found[n] as number) - (truth[n] as number)) ** 2
    size += (truth[n] as number) ** 2
  }
  return Math.sqrt(apart / size)
}
