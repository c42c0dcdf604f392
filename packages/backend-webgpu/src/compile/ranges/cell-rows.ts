/**
 * The walk of a target over the rows of cells within its reach, in WGSL. The cells of a row have consecutive numbers, so their sources have
 * consecutive places.
 *
 * The rows may lie beyond a face of the box. There the target is moved instead of the sources, so that displacements are
 * differences. With a reach of less than half the box, a source is within it in at most one row.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { BoxSpace } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'

/** The cells of an axis that a target looks at. */
export const rangeFunctions: string = wgsl`
// Some consecutive cells of an axis. Cells before the first and behind the last of the box are cells of its images.
struct Cells {
  first: i32,
  number: u32,
}
fn cellsWithin(x: f32, reach: f32, perEdge: f32) -> Cells {
  let low = i32(floor((x - reach) * perEdge));
  let high = i32(floor((x + reach) * perEdge));
  return Cells(low, u32(high - low) + 1u);
}
// The cell of the box that a cell is an image of.
fn imageOf(cell: i32, cells: u32) -> u32 {
  let count = i32(cells);
  return u32(select(select(cell, cell - count, cell >= count), cell + count, cell < 0));
}
// The distance of x to a cell.
fn gapTo(cell: i32, x: f32, edge: f32) -> f32 {
  let low = f32(cell) * edge;
  return max(max(low - x, x - (low + edge)), 0.0);
}`

/** How a walk visits the sources of a row. */
export interface RowVisits {
  /** Visits the source at the place `next`, or at so many places behind it. */
  readonly visit: (behind: number) => string
  /** The number of invocations that share the sources of a row, in turns. Each is a slice. */
  readonly sharers: number
  /** Sources visited per step of the inner loop. */
  readonly unroll: number
  /** A statement that counts the sources from `next` to `last`. */
  readonly meets: string
  /** Where a part of a row ends, and statements before each part and after it. */
  readonly end: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Declares the rows that the target at `inside_0` looks at: their `number` is 0 unless it visits any. */
export function rowsWithin({ dimension }: BoxSpace, visits: string): readonly string[] {
  const upper = axesOf(dimension).slice(1)
  return [
    ...upper.map((axis) => `let ${axis}Cells = cellsWithin(inside_0.${axis}, run.reach, run.perEdge_${axis});`),
    `let rows = select(0u, ${upper.map((axis) => `${axis}Cells.number`).join(' * ')}, ${visits});`,
  ]
}

/** Visits the sources of `row`, the target's place relative to which is `shifted`. */
export const visitRow = (space: BoxSpace, visits: RowVisits): string => wgsl`${rowCells(space)}
${rowVisit(space, visits)}`

/** Declares the `cells` of a row, the number of its first cell as `start`, and the target's place relative to its sources as `shifted`. */
function rowCells({ dimension }: BoxSpace): string {
  const upper = axesOf(dimension).slice(1)
  const places =
    dimension === 2
      ? ['let yCell = yCells.first + i32(row);']
      : ['let yCell = yCells.first + i32(row % yCells.number);', 'let zCell = zCells.first + i32(row / yCells.number);']
  const images = upper.map((axis) => `let ${axis}Image = imageOf(${axis}Cell, run.cells_${axis});`)
  const start = dimension === 2 ? 'yImage' : '(zImage * run.cells_y + yImage)'
  const rest = upper.map((axis) => `let ${axis}Gap = gapTo(${axis}Cell, inside_0.${axis}, run.edge_${axis});`)
  const squares = upper.map((axis) => `${axis}Gap * ${axis}Gap`).join(' - ')
  return wgsl`${places}
${rest}
let rest = run.reach * run.reach - ${squares};
if (rest < 0.0) { continue; }
${images}
let start = run.starts + ${start} * run.cells_x;
let cells = cellsWithin(inside_0.x, sqrt(rest), run.perEdge_x);
var shifted = inside_0;
${upper.map((axis) => `shifted.${axis} += sign(f32(i32(${axis}Image) - ${axis}Cell)) * run.length_${axis};`)}`
}

/** Visits the sources of a row, part by part: its cells may lie beyond a face of the box. */
function rowVisit({ dimension }: BoxSpace, { visit, sharers, unroll, meets, end, before, after }: RowVisits): string {
  const [own, move] = sharers > 1 ? [' + slice', `next += ${sharers}u`] : ['', 'next++']
  const steps = Array.from({ length: unroll }, (_, n) => visit(n * sharers))
  const unrolled =
    unroll > 1
      ? wgsl`for (; next + ${(unroll - 1) * sharers}u < end; next += ${unroll * sharers}u) {
  ${steps}
}`
      : ''
  return wgsl`for (var done = 0u; done < cells.number; ) {
  let cell = cells.first + i32(done);
  let image = imageOf(cell, run.cells_x);
  let number = min(cells.number - done, run.cells_x - image);
  done += number;
  shifted.x = inside_0.x + sign(f32(i32(image) - cell)) * run.length_x;
  ${axesOf(dimension).map((axis) => `let ${axis}i_0 = shifted.${axis};`)}
  let first = start + image;
  var next = order[first]${own};
  let last = order[first + number];
  ${meets}
  while (next < last) {
    let end = ${end};
    ${before}
    ${unrolled}
    for (; next < end; ${move}) ${visit(0)}
    ${after}
  }
}`
}
