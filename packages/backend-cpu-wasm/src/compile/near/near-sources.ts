/**
 * Gathers the sources near a group of blocks of targets, once for all blocks of the group. `pick-near.ts` then filters them for
 * each block.
 *
 * @module
 */
import { axes } from '@manybody/core/backend'
import { mostSources } from '../../design/list-layout.ts'
import { walkNumbers } from '../../design/walk-layout.ts'
import { bytesOf } from '../loops/points.ts'
import { aroundOf } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { float32 } from '../wasm/vector.ts'
import { appendMarked, arrayBytes, axesOf, gap2, type NearOptions, nodeSources, parts, splatOf } from './near-lists.ts'

const f64 = (value: number): Node => ({ kind: 'constant', type: 'f64', value })

/**
 * Writes the gathering of sources. `start` takes the box of the group and its first place. `gather` adds the near sources of a
 * node. `full` tells whether the sources of another node might not fit in a list. `ends` are the ends of the lists.
 *
 * If pairs inside a unit are met once, earlier sources of the unit are left out. `isMet` tells whether a node has only such
 * sources.
 */
export function gatherNear(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  lists: readonly Node[],
  options: NearOptions,
): {
  readonly start: (box: Node, first: Node) => void
  readonly isMet: (from: Node, to: Node) => Node
  readonly clear: () => void
  readonly gather: (from: Node, to: Node) => void
  readonly full: () => Node
  readonly ends: readonly Local[]
} {
  const { writer, dimension, periodic, apart, once } = options
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const used = axesOf(dimension)
  const header = (name: keyof typeof walkNumbers, axis = 0) => at('f64.load', walkNumbers[name] + axis * 8, walk)
  const boxes = periodic
    ? used.map((axis) => aroundOf(walk, axis, (x) => code.let('v128', 'around', splatOf(writer, x))))
    : []
  const centres = used.map(() => code.local('v128', 'middle'))
  const halves = used.map(() => code.local('v128', 'halfEdge'))
  const reach2 = code.local('v128', 'within')
  const allowed = code.local('v128', 'allowed')
  const ends = lists.map(() => code.local('i32', 'gatheredEnd'))
  const iota = code.let('v128', 'iota', at('v128.load', parts.iota, frame))
  /** If pairs inside a unit are met once: its first place, the number of its places, and the number of places before the group. */
  const [onceFrom, onceCount, met] = ['onceFrom', 'onceCount', 'met'].map((name) => code.local('i32', name)) as [
    Local,
    Local,
    Local,
  ]
  const among = (place: Node, count: Local) => op('i32.lt_u', op('i32.sub', place, get(onceFrom)), get(count))
  const coordinates = coordinatesOf(code, block, options)

  const start = (box: Node, first: Node) => {
    if (once) {
      code.emit(set(onceFrom, at('i32.load', parts.onceFrom, frame)))
      code.emit(set(onceCount, at('i32.load', parts.onceCount, frame)))
      code.emit(set(met, op('select', op('i32.sub', first, get(onceFrom)), i32(0), get(onceCount))))
    }
    const sizes = used.map((axis) => {
      const centre = code.let('f64', 'centre', at('f64.load', axis * 8, box))
      const rounded = vector.bytes === 4 ? op('f64.promote_f32', op('f32.demote_f64', centre)) : centre
      const middle = code.let('f64', 'rounded', rounded)
      code.emit(
        at('f64.store', parts.centre + axis * 8, frame, middle),
        set(centres[axis] as Local, splatOf(writer, middle)),
      )
      const moved = op('f64.abs', op('f64.sub', centre, middle))
      return code.let('f64', 'size', op('f64.add', at('f64.load', 24 + axis * 8, box), moved))
    })
    const filter = code.let('f64', 'filter', header('filter'))
    const largest = op(
      'f64.add',
      sizes.reduce((a, b) => op('f64.max', a, b)),
      filter,
    )
    // Coordinates in the frame have errors of some 2^-24 of the largest.
    const margin = op('f64.mul', op('f64.add', largest, filter), f64(2 ** -20))
    const reach = code.let('f64', 'reach', op('f64.add', op('f64.add', filter, margin), f64(2 ** -60)))
    const square = code.let('f32', 'square', op('f32.demote_f64', op('f64.mul', reach, reach)))
    code.emit(at('f32.store', parts.reach2, frame, square), set(reach2, op('f32x4.splat', square)))
    const [loose, whole]: [Node[], Node[]] = [[], []]
    for (const axis of used) {
      const size = sizes[axis] as Node
      if (periodic) {
        // Nearly half a box: farther apart, another image of the source may be nearer. An open axis has no other image.
        const length = code.let('f64', 'length', header('lengths', axis))
        const half = op('f64.mul', f64(0.49), length)
        const space = op('select', half, f64(Number.POSITIVE_INFINITY), op('f64.gt', length, f64(0)))
        const room = op('f64.sub', space, header('skin'))
        const bound = code.let('f64', 'bound', op('f64.sub', room, op('f64.add', size, reach)))
        loose.push(op('i32.eqz', op('f64.ge', bound, f64(0))))
        code.emit(at('f64.store', parts.bounds + axis * 8, frame, bound))
        whole.push(op('f64.ge', bound, size))
      }
      code.emit(set(halves[axis] as Local, op('f32x4.splat', op('f32.demote_f64', size))))
    }
    if (periodic)
      code.emit(
        at(
          'i32.store',
          parts.loose,
          frame,
          loose.reduce((a, b) => op('i32.or', a, b)),
        ),
      )
    if (apart)
      code.emit(
        set(
          allowed,
          op(
            'i32x4.splat',
            op(
              'i32.sub',
              i32(0),
              whole.reduce((a, b) => op('i32.and', a, b)),
            ),
          ),
        ),
      )
  }

  const gather = (from: Node, to: Node) =>
    code.for('place', from, to, 4, (place) => {
      if (once) code.if(op('i32.eqz', among(place, met)), () => gatherFour(place, to))
      else gatherFour(place, to)
    })

  const gatherFour = (place: Node, to: Node) => {
    const places = code.let('v128', 'places', op('i32x4.add', op('i32x4.splat', place), iota))
    const load = coordinates(place)
    const direct: Node[] = []
    const displacements = used.map((axis) => {
      const found = load(axis).map((x) => {
        const straight = code.let('v128', 'straight', vector.op('sub', x, get(centres[axis] as Local)))
        const around = boxes[axis]
        if (!around) return { moved: straight, same: undefined }
        const images = code.let('v128', 'images', vector.unary('nearest', vector.op('mul', straight, around.share)))
        const moved = vector.op('sub', straight, vector.op('mul', around.length, images))
        return { moved, same: apart ? vector.op('eq', images, vector.constant(code, 0)) : undefined }
      })
      const same = found.flatMap((half) => half.same ?? [])
      if (same.length > 0) direct.push(conditionOf(same))
      return code.let('v128', 'displacement', numbersOf(found.map((half) => half.moved)))
    })
    const beyond = op(
      'f32x4.gt',
      gap2(
        code,
        displacements.map((d, k) => [d, undefined, get(halves[k] as Local)] as const),
      ),
      get(reach2),
    )
    const exists = op('i32x4.lt_u', places, op('i32x4.splat', to))
    const near = code.let('v128', 'near', op('v128.andnot', exists, beyond))
    const values = [...displacements, places]
    const none = apart ? direct.reduce((a, b) => op('v128.and', a, b), get(allowed)) : undefined
    const append = (end: Local, marked: Node) =>
      appendMarked(code, plus(frame, parts.table), arrayBytes, end, marked, values)
    /** Appends the near sources to the lists with these ends: to the first, or to the second if they need no images. */
    const appendTo = ([all, whole]: readonly Local[]) => {
      const found = code.let('i32', 'found', op('i32x4.bitmask', near))
      if (!none || !whole) return append(all as Local, found)
      const without = code.let('i32', 'without', op('i32x4.bitmask', op('v128.and', near, none)))
      const needing = code.let('i32', 'needing', op('i32.xor', found, without))
      append(whole, without)
      code.if(needing, () => append(all as Local, needing))
    }
    const kinds = apart ? 2 : 1
    const others = () => appendTo(ends.slice(0, kinds))
    if (once) code.if(among(place, onceCount), () => appendTo(ends.slice(kinds)), others)
    else others()
  }

  return {
    start,
    isMet: (from, to) => op('i32.and', among(from, met), op('i32.le_u', op('i32.sub', to, get(onceFrom)), get(met))),
    clear: () => code.emit(...lists.map((first, n) => set(ends[n] as Local, first))),
    gather,
    full: () =>
      lists
        .map((first, n) =>
          op('i32.gt_u', op('i32.sub', get(ends[n] as Local), first), i32(4 * (mostSources - nodeSources))),
        )
        .reduce((a, b) => op('i32.or', a, b)),
    ends,
  }
}

/** Four numbers as float32. */
export const numbersOf = (halves: readonly Node[]): Node =>
  halves.length === 1 ? (halves[0] as Node) : float32.narrowed(halves)

/** Four conditions, one in each lane of a float32 register. */
const conditionOf = (halves: readonly Node[]): Node =>
  halves.length === 1
    ? (halves[0] as Node)
    : laned('i8x16.shuffle', [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27], ...halves)

/** Loads the coordinates of four sources from a place on, one axis at a time. */
export function coordinatesOf(
  code: FunctionBuilder,
  block: Node,
  { writer, targets, sources, sameSet }: Pick<NearOptions, 'writer' | 'targets' | 'sources' | 'sameSet'>,
): (place: Node) => (axis: number) => readonly Node[] {
  const { vector } = writer
  const halves = Array.from({ length: 4 / vector.lanes }, (_, n) => n)
  if (sameSet) {
    // Targets are in registers, which have the places of the sources.
    const base = writer.slot(code, block, 'targets')
    const bytes = bytesOf(writer, targets)
    return (place: Node) => {
      const register = code.let('i32', 'register', plus(base, times(op('i32.div_u', place, i32(vector.lanes)), bytes)))
      return (axis: number) =>
        halves.map((n) => at('v128.load', n * bytes + targets.names.indexOf(`${axes[axis]}i`) * vector.width, register))
    }
  }
  const base = writer.slot(code, block, 'sources')
  const bytes = bytesOf(writer, sources)
  return (place: Node) => {
    const record = code.let('i32', 'record', plus(base, times(place, bytes)))
    return (axis: number) =>
      halves.map((n) =>
        Array.from({ length: vector.lanes }, (_, lane) => lane).reduce(
          (register, lane) =>
            vector.loadLane(
              lane,
              (n * vector.lanes + lane) * bytes + sources.names.indexOf(`${axes[axis]}j`) * vector.bytes,
              record,
              register,
            ),
          code.constant('i32x4', 0),
        ),
      )
  }
}
