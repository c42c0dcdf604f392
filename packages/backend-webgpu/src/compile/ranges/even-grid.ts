/**
 * Lays a grid of cells over sources in open space, in WGSL, if they are spread evenly. One workgroup decides: it takes some of the
 * sources and counts how many pairs of these share a cube of cells. Among crowded points there are many, and then blocks of points are
 * faster.
 *
 * Cells have about one source each. They are numbered row by row along x, and are a third as long along a row as across it. Points
 * outside the grid belong to the outermost cells.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { gridWords } from '../../design/even-grid.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { bounds } from './bounds.ts'
import { countField, order } from './counting-sort.ts'
import { entry } from './entry.ts'
import { sharedShader } from './shared-shaders.ts'
import { vectorOf } from './space.ts'

const workgroup = 256
/** The edge of a cell along a row, by that along another axis. */
const alongRow = 1 / 3
/** Number of sources that are taken, and of targets. */
const [taken, targetsTaken] = [512, 256]
/** Cells of a cube along x, and along another axis. */
const cubeCells = { x: 12, other: 4 } as const
/** Cells for each source: fewer than one, so that no rounding makes them more than there is room for. */
const filled = 0.98
/** The first of the vectors of `bounds` that also hold the grid, behind the two corners of the box. */
const gridBounds = 2
/** Sources are spread evenly up to this many times the pairs that share a cube on average, and some more by chance. */
const mostShared = { times: 4, more: 16 } as const
/** The most targets of those taken that may lie outside the grid. */
const mostOutside = targetsTaken / 16
/** Pairs of a cube are counted up to this many sources behind each, so that equal sources take no longer. */
const mostBehind = 64
/** Volumes of balls of radius 1, by the number of axes. */
const balls = [1, 2, Math.PI, (4 * Math.PI) / 3] as const
/** The sources that a target expects within its first reach. With this many, few targets look again. */
const expected = (kept: number) => 2.3 * kept + 2

export const gridField: Field = {
  name: 'grid',
  type: 'u32',
  note: 'where in order the grid of evenly spread sources starts',
}

/**
 * The functions by which a shader reads the grid.
 *
 * @param array where the shader finds it: shaders bind few arrays, and read the array `order` slowly if others may change it
 */
export function gridFunctions({ dimension }: BoxSpace, array: 'order' | 'bounds'): string {
  const type = `vec${dimension}f`
  const number = array === 'order' ? 'bitcast<f32>(order[run.grid + n])' : `bounds[${gridBounds}u + n / 4u][n % 4u]`
  const vector = (first: number) =>
    `${type}(${axesOf(dimension)
      .map((_, axis) => `grid(${first + axis}u)`)
      .join(', ')})`
  const row = dimension === 2 ? 'at.y' : '(at.z * along.y + at.y)'
  return wgsl`
// A number of the grid.
fn grid(n: u32) -> f32 { return ${number}; }
fn gridCells() -> ${type} { return ${vector(gridWords.cells)}; }
fn gridLow() -> ${type} { return ${vector(gridWords.low)}; }
fn gridPerEdge() -> ${type} { return ${vector(gridWords.perEdge)}; }
fn gridSize() -> ${type} { return ${vector(gridWords.size)}; }
// The cell of a place, along each axis.
fn gridCell(place: ${type}, cells: ${type}) -> ${type} { return clamp(floor(place), ${type}(0.0), cells - 1.0); }
// The number of a cell: those of a row along x follow each other.
fn cellNumber(cell: ${type}, cells: ${type}) -> u32 {
  let at = vec${dimension}u(cell);
  let along = vec${dimension}u(cells);
  return ${row} * along.x + at.x;
}`
}

/** The count of a workgroup that the loop by the grid leaves to the loop over blocks. */
export const strayGroup: number = 2 ** 32 - 1

/** How far a point is from the box around the sources, at most. */
export const awayFunction = ({ dimension }: BoxSpace): string => wgsl`
fn awayFrom(low: vec${dimension}f, size: vec${dimension}f, x: vec${dimension}f) -> f32 {
  let beyond = max(max(low - x, x - low - size), vec${dimension}f(0.0));
  return ${axesOf(dimension)
    .map((axis) => `beyond.${axis}`)
    .join(' + ')};
}`

/** Whether a target so far away is left to the loop over blocks, which shares its sources. @param start the first guess of a reach */
export const isStray = (away: string, start: string): string => `${away} > 4.0 * ${start}`

/** Whether the sources are spread evenly. */
export const isEven: string = `grid(${gridWords.isEven}u) == 1.0`

/**
 * @param targets the name of their set if it is another
 * @param kept number of sources that a target keeps
 */
export const layGrid = (sources: string, targets: string | undefined, kept: number, space: BoxSpace): Shader =>
  sharedShader(`grid for ${kept} of`, [sources, targets ?? ''].join(' '), space, () =>
    write(sources, targets, kept, space),
  )

function write(sources: string, targets: string | undefined, kept: number, space: BoxSpace): Shader {
  const { dimension } = space
  const { type, parts, load } = vectorOf(space)
  const axes = axesOf(dimension)
  const product = (of: (axis: string) => string) => axes.map(of).join(' * ')
  const position = (set: string): Resource => ({ key: `${set}.position`, access: 'read', type: 'f32' })
  const point = (set: string, n: string, count: string) => load(arrayName(position(set).key), `someOf(${count}, ${n})`)
  const test = targets
    ? wgsl`let aim = ${point(targets, 'lane', 'run.targetCount')};
if (${isStray('awayFrom(low, size, aim)', 'start')}) { atomicAdd(&outside, 1u); }`
    : ''
  const unlessOutside = targets ? ` && atomicLoad(&outside) <= ${mostOutside}u` : ''
  const stored = (first: number, of: (axis: string) => string) =>
    axes.map((axis, n) => `keep(${first + n}u, ${of(axis)});`)
  return shader(
    {
      label: `order: lay a grid over ${sources}`,
      resources: [position(sources), ...(targets ? [position(targets)] : []), bounds, order],
      fields: [countField, ...(targets ? [{ name: 'targetCount', type: 'u32' } as const] : []), gridField],
      workgroup,
      memory: 4 * taken + 8,
    },
    wgsl`
${layingFunctions(space)}

${entry(
  workgroup,
  wgsl`if (run.count == 0u) { return; }
if (lane == 0u) {
  atomicStore(&together, 0u);
  atomicStore(&outside, 0u);
}
let low = bounds[0].${parts};
let size = bounds[1].${parts} - low;
let longest = ${axes.map((axis) => `size.${axis}`).reduce((a, b) => `max(${a}, ${b})`)};
// In units of the longest side, so that products neither overflow nor vanish.
let box = size / longest;
let cells = cellsOver(box);
let start = longest * startOver(box, cells, ${expected(kept).toFixed(1)});
let perEdge = select(cells / size, ${type}(0.0), cells == ${type}(1.0));
for (var n = lane; n < ${taken}u; n += ${workgroup}u) {
  let place = (${point(sources, 'n', 'run.count')} - low) * perEdge;
  keys[n] = cubeNumber(clamp(place, ${type}(0.0), cells - 1.0), cells);
}
sortKeys(lane);
countTogether(lane);
${test}
workgroupBarrier();
if (lane > 0u) { return; }
let usual = ${(taken * (taken - 1)) / 2}.0 / (${product((axis) => `cubesOver(cells).${axis}`)});
let even = f32(atomicLoad(&together)) <= ${mostShared.times}.0 * usual + ${mostShared.more}.0${unlessOutside};
// Squares of other lengths might overflow or vanish.
let measured = start > 1e-15 && longest < 1e15 && any(cells > ${type}(1.0)) && ${product((axis) => `cells.${axis}`)} <= f32(run.count);
keep(${gridWords.isEven}u, select(0.0, 1.0, even && measured));
${stored(gridWords.cells, (axis) => `cells.${axis}`)}
${stored(gridWords.low, (axis) => `low.${axis}`)}
${stored(gridWords.perEdge, (axis) => `perEdge.${axis}`)}
${stored(gridWords.size, (axis) => `size.${axis}`)}
keep(${gridWords.start}u, start);`,
)}`,
  )
}

/** The functions of that shader: the size of cells, the choice of points, and how many of these share a cube. */
function layingFunctions(space: BoxSpace): string {
  const { dimension } = space
  const { type } = vectorOf(space)
  const axes = axesOf(dimension)
  const product = (of: (axis: string) => string) => axes.map(of).join(' * ')
  // With the volume of a cube.
  const across = alongRow ** (-1 / dimension)
  const edges = axes.map((axis) => (across * (axis === 'x' ? alongRow : 1)).toFixed(7)).join(', ')
  const count = (flags: string) => axes.map((axis) => `u32(${flags}.${axis})`).join(' + ')
  const cube = axes.map((axis) => (axis === 'x' ? cubeCells.x : cubeCells.other).toFixed(1)).join(', ')
  const number = axes
    .slice(0, -1)
    .reduceRight((before, axis) => `(${before}) * u32(cubes.${axis}) + u32(cube.${axis})`, `u32(cube.${axes.at(-1)})`)
  return wgsl`
var<workgroup> keys: array<u32, ${taken}>;
var<workgroup> together: atomic<u32>;
var<workgroup> outside: atomic<u32>;
${awayFunction(space)}
fn keep(n: u32, number: f32) {
  order[run.grid + n] = bitcast<u32>(number);
  bounds[${gridBounds}u + n / 4u][n % 4u] = number;
}
// As many cells as sources, or somewhat less. Along an axis that is shorter than their edge there is one.
fn cellsOver(box: ${type}) -> ${type} {
  let relative = box / ${type}(${edges});
  var divided = relative > ${type}(0.0);
  var edge = 0.0;
  for (var n = 0u; n < ${dimension}u; n++) {
    let sides = select(${type}(1.0), relative, divided);
    edge = pow(${product((axis) => `sides.${axis}`)} / (${filled} * f32(run.count)), 1.0 / f32(max(${count('divided')}, 1u)));
    divided = divided & (relative >= ${type}(edge));
  }
  return select(${type}(1.0), clamp(floor(relative / edge), ${type}(1.0), ${type}(1048576.0)), divided);
}
fn cubesOver(cells: ${type}) -> ${type} { return ceil(cells / ${type}(${cube})); }
fn cubeNumber(place: ${type}, cells: ${type}) -> u32 {
  let cube = floor(place / ${type}(${cube}));
  let cubes = cubesOver(cells);
  return ${number};
}
// The radius of a ball that holds as many sources as a target expects to need. An axis with one cell does not count.
fn startOver(box: ${type}, cells: ${type}, expected: f32) -> f32 {
  let counts = cells > ${type}(1.0);
  let edges = select(${type}(1.0), box / cells, counts);
  let axes = ${count('counts')};
  let ball = array<f32, 4>(${balls.map((ball) => ball.toFixed(7)).join(', ')})[axes];
  let perSource = ${product((axis) => `cells.${axis}`)} / f32(run.count) * ${product((axis) => `edges.${axis}`)};
  return pow(expected * perSource / ball, 1.0 / max(f32(axes), 1.0));
}
// The number of a point: the same each time, but not in steps that a lattice may have.
fn someOf(count: u32, n: u32) -> u32 {
  var bits = n * 747796405u + 2891336453u;
  bits = ((bits >> ((bits >> 28u) + 4u)) ^ bits) * 277803737u;
  return ((bits >> 22u) ^ bits) % count;
}
${sorting}`
}

/** Sorts the keys of cubes, and counts the pairs of equal ones. */
const sorting = wgsl`
fn sortKeys(lane: u32) {
  for (var size = 2u; size <= ${taken}u; size *= 2u) {
    for (var apart = size / 2u; apart > 0u; apart /= 2u) {
      workgroupBarrier();
      for (var n = lane; n < ${taken / 2}u; n += ${workgroup}u) {
        let first = 2u * n - (n & (apart - 1u));
        let second = first + apart;
        let one = keys[first];
        let other = keys[second];
        if ((one > other) == ((first & size) == 0u)) {
          keys[first] = other;
          keys[second] = one;
        }
      }
    }
  }
  workgroupBarrier();
}
fn countTogether(lane: u32) {
  for (var n = lane; n < ${taken}u; n += ${workgroup}u) {
    var next = n + 1u;
    let last = min(n + ${mostBehind}u, ${taken}u);
    while (next < last && keys[min(next, ${taken - 1}u)] == keys[n]) { next++; }
    atomicAdd(&together, next - n - 1u);
  }
}`
