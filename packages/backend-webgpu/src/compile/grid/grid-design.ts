/**
 * The design of a sum through a grid: points are put in order and spread to grids, these are transformed, multiplied by factors,
 * transformed back to fields, and gathered at targets.
 *
 * @module
 */
import { cellGroups, countingPlaces, keysWords, orderWords, roomFor } from '../../design/counting-sort.ts'
import { type GridDesigner, type GridSide, gridKeys } from '../../design/grid-design.ts'
import { orderedPerGroup, pointGroups } from '../../design/order-layout.ts'
import type { Dispatch, Shader } from '../../design/shader.ts'
import { alongZ, type Size } from '../../design/spread.ts'
import { cellShaders } from '../ranges/counting-sort.ts'
import { linesOf, rootsOf } from './line-transform.ts'
import { gatherShader, spreaders, spreadShader } from './spread.ts'
import { backX, backY, backZ, forwardAcross, forwardZ, type GridAxis } from './transforms.ts'
import { countWindows, recordWindows, recordWords } from './windows.ts'

/** Undefined if a line or an array is too large for the device. */
export const gridDesign: GridDesigner['sum'] = (sum, counts, limits) => {
  const { dimension, sizes, used = sizes, highest, window, weights, fields } = sum
  const { sources, targets } = counts
  const axes = sizes.map((length, n): GridAxis => {
    const modes = n === 2 ? (highest[n] as number) + 1 : 2 * (highest[n] as number) + 1
    return { length, used: used[n] as number, modes, lines: linesOf(length, limits.maxComputeWorkgroupStorageSize) }
  }) as [GridAxis, GridAxis, GridAxis]
  if (axes.some(({ lines }) => lines === 0)) return undefined
  const [x, y, z] = axes
  const numbers = x.used * y.used * z.used
  const most = Math.max(sources, targets ?? 0)
  const { places, end } = countingPlaces(orderWords(most), roomFor(numbers), 'one')
  const grids = Math.max(weights, fields.length)
  const terms = fields.flat()
  const factors = x.modes * y.modes * z.modes
  const isPlane = dimension === 2
  const form = { dimension, width: window.width }
  // One row along y is its own mode.
  const acrossY = isPlane ? 'wide' : 'narrow'
  const sides: readonly GridSide[] = targets === undefined ? ['sources'] : ['sources', 'targets']
  const words = {
    ...Object.fromEntries(sides.map((side) => [gridKeys.shares(side), dimension * (counts[side] as number)])),
    [gridKeys.weights]: weights * sources,
    [gridKeys.found]: fields.length * (targets ?? sources),
    keys: keysWords(most),
    order: end,
    records: most * recordWords({ ...form, weights }),
    grids: grids * numbers,
    wide: 2 * grids * x.used * y.used * z.modes,
    ...(dimension === 3 && { narrow: 2 * grids * x.used * y.modes * z.modes }),
    spectra: 2 * weights * factors,
    pieces: window.pieces.length,
    roots: 2 * (x.length + y.length + z.length),
    factors: terms.length * factors,
    terms: fields.length + 1 + 2 * terms.length,
  }
  const room = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  if (4 * Math.max(...Object.values(words)) > room) return undefined
  const size = { size_x: x.length, size_y: y.length, size_z: z.length }
  const held = { used_x: x.used, used_y: y.used, used_z: z.used }
  const ordered = (side: GridSide): readonly Dispatch[] => {
    const count = counts[side] as number
    const values = { ...places, ...size, ...held, count, orderFirst: 0 }
    const [points, cells] = [pointGroups(count), cellGroups(roomFor(numbers))]
    const at = (shader: Shader, groups: Size): Dispatch => ({ shader, values, size: groups })
    return [
      at(cellShaders.clearCells, cells),
      at(countWindows(side, sum), points),
      at(cellShaders.sumCells, cells),
      at(cellShaders.startCells, cells),
      at(cellShaders.placePoints, points),
      at(recordWindows(side, sum, side === 'sources' ? weights : 0), points),
    ]
  }
  const rootsAt = { x: 0, y: x.length, z: x.length + y.length }
  /** The rows of grids along z, two in each line. */
  const rows = (shader: Shader, of: number): Dispatch => {
    const rows = of * x.used * y.used
    const groups = Math.ceil(rows / (2 * z.lines))
    return { shader, values: { rows, groups, roots: rootsAt.z }, size: alongZ(groups) }
  }
  /** Lines along x or y, in layers. */
  const across = (shader: Shader, axis: 'x' | 'y', layers: number, inner: number): Dispatch => {
    const groups = layers * Math.ceil(inner / (axis === 'x' ? x : y).lines)
    return { shader, values: { inner, groups, roots: rootsAt[axis] }, size: alongZ(groups) }
  }
  const count = fields.length
  const dispatches = [
    ...ordered('sources'),
    {
      shader: spreadShader({ ...form, weights }),
      values: { ...places, ...held, numbers },
      size: alongZ(Math.ceil(spreaders(used) / orderedPerGroup)),
    },
    rows(forwardZ(z), weights),
    ...(isPlane ? [] : [across(forwardAcross(y, 'wide', 'narrow'), 'y', weights * x.used, z.modes)]),
    across(forwardAcross(x, acrossY, 'spectra'), 'x', weights, y.modes * z.modes),
    across(backX(x, acrossY, count), 'x', count, y.modes * z.modes),
    ...(isPlane ? [] : [across(backY(y), 'y', count * x.used, z.modes)]),
    rows(backZ(z), count),
    ...(targets === undefined ? [] : ordered('targets')),
    {
      shader: gatherShader({ ...form, weights: targets === undefined ? weights : 0 }, count),
      values: { ...held, numbers, count: targets ?? sources, orderFirst: 0 },
      size: pointGroups(targets ?? sources),
    },
  ]
  return {
    dispatches,
    arrays: Object.fromEntries(Object.entries(words).map(([key, length]) => [key, 4 * length])),
    // Whoever asks only whether the device takes a sum needs no tables.
    tables: () => ({
      pieces: Float32Array.from(window.pieces),
      roots: Float32Array.from([x, y, z].flatMap(({ length }) => [...rootsOf(length)])),
      factors: joined(terms.map((term) => term.factors)),
      terms: Uint32Array.from([
        ...starts(fields.map((one) => one.length)),
        ...terms.flatMap(({ weight, turned }) => [weight, turned ? 1 : 0]),
      ]),
    }),
  }
}

/** Where parts of these lengths start, and where the last one ends. */
function starts(lengths: readonly number[]): readonly number[] {
  let at = 0
  return [0, ...lengths.map((length) => (at += length))]
}

function joined(parts: readonly Float64Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
