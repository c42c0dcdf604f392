/**
 * Transforms between grids of real numbers and their modes of low frequency, in WGSL, one axis after the other. Modes above the band
 * are never stored.
 *
 * A grid has its numbers in the order of x, y, z; z varies fastest. Modes along x and y go from -most to most, along z from 0 to most,
 * because the modes of real numbers come in conjugate pairs. On the way back, numbers have their parts exchanged: then the transform
 * is the inverse one.
 *
 * @module
 */
import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { entry } from '../ranges/entry.ts'
import { shader } from '../wgsl/shader.ts'
import { type LineTransform, lineMemory, lineTransform, transformWorkgroup } from './line-transform.ts'
import { gridsResource } from './spread.ts'

const workgroup = transformWorkgroup

/** The lines of an axis. */
export interface GridAxis {
  readonly length: number
  /** How many numbers of a line a grid holds. The others are 0 on the way to modes, and nobody reads them on the way back. */
  readonly used: number
  /** How many modes of low frequency are stored. */
  readonly modes: number
  /** How many lines a workgroup transforms. */
  readonly lines: number
}

export type ComplexKey = 'wide' | 'narrow' | 'spectra'

const complexArray = (key: ComplexKey, access: Resource['access']): Resource => ({ key, access, type: 'vec2f' })
const rootsResource: Resource = { key: 'roots', access: 'read', type: 'vec2f' }

const groupsField: Field = { name: 'groups', type: 'u32', note: 'number of workgroups' }
const rootsField: Field = { name: 'roots', type: 'u32', note: 'where the roots of this length start' }
const rowsField: Field = { name: 'rows', type: 'u32', note: 'number of rows along z' }
const innerField: Field = { name: 'inner', type: 'u32', note: 'number of lines side by side' }

interface Parts {
  readonly label: string
  readonly resources: readonly Resource[]
  readonly fields: readonly Field[]
  /** Statements before the transform and after it. */
  readonly load: string
  readonly store: (transform: LineTransform) => string
}

function transformShader({ length, lines }: GridAxis, { label, resources, fields, load, store }: Parts): Shader {
  const transform = lineTransform(length, lines)
  return shader(
    {
      ...{ label: `grid: ${label}, ${lines} lines of ${length}`, workgroup, memory: lineMemory(length, lines) },
      resources: [...resources, rootsResource],
      fields: [groupsField, rootsField, ...fields],
    },
    wgsl`
${transform.functions}
${entry(
  workgroup,
  wgsl`let block = group.x + group.z * groups.x;
if (block >= run.groups) { return; }
${load}
workgroupBarrier();
${transform.statements}
${store(transform)}`,
)}`,
  )
}

/** A loop over `count` numbers of each line, which declares `item`, the number `k` and the line `l`. */
const each = (order: 'lines inside' | 'numbers inside', count: number, lines: number, body: string): string => {
  const [k, l] =
    order === 'lines inside' ? [`item / ${lines}u`, `item % ${lines}u`] : [`item % ${count}u`, `item / ${count}u`]
  return wgsl`for (var item = lane; item < ${count * lines}u; item += ${workgroup}u) {
  let k = ${k};
  let l = ${l};
  ${body}
}`
}

/** From grids to modes along z. Two rows are the parts of one line. */
export const forwardZ = (axis: GridAxis): Shader => {
  const { length, used, modes, lines } = axis
  return transformShader(axis, {
    label: 'modes along z',
    resources: [gridsResource, complexArray('wide', 'read_write')],
    fields: [rowsField],
    load: wgsl`let first = block * ${2 * lines}u;
${each(
  'numbers inside',
  length,
  lines,
  wgsl`let row = first + 2u * l;
var pair = vec2f();
if (k < ${used}u && row < run.rows) { pair.x = grids[row * ${used}u + k]; }
if (k < ${used}u && row + 1u < run.rows) { pair.y = grids[(row + 1u) * ${used}u + k]; }
here[k * ${lines}u + l] = pair;`,
)}`,
    store: ({ result }) =>
      each(
        'numbers inside',
        modes,
        lines,
        wgsl`let row = first + 2u * l;
let a = ${result}[k * ${lines}u + l];
let b = ${result}[select(${length}u - k, 0u, k == 0u) * ${lines}u + l];
if (row < run.rows) { wide[row * ${modes}u + k] = 0.5 * vec2f(a.x + b.x, a.y - b.y); }
if (row + 1u < run.rows) { wide[(row + 1u) * ${modes}u + k] = 0.5 * vec2f(a.y + b.y, b.x - a.x); }`,
      ),
  })
}

/** The blocks of lines that lie side by side, within each of several layers. */
const block = (lines: number): string => wgsl`let blocks = (run.inner + ${lines - 1}u) / ${lines}u;
let layer = block / blocks;
let first = (block % blocks) * ${lines}u;`

/** The place of mode k in a line: those of negative frequency are at its end. */
const placeOf = ({ length, modes }: GridAxis): string => `((k + ${length - (modes >> 1)}u) % ${length}u)`

/** To modes along x or y. */
export const forwardAcross = (axis: GridAxis, from: ComplexKey, to: ComplexKey): Shader => {
  const { length, used, modes, lines } = axis
  return transformShader(axis, {
    label: `modes across, ${from} to ${to}`,
    resources: [complexArray(from, 'read'), complexArray(to, 'read_write')],
    fields: [innerField],
    load: wgsl`${block(lines)}
${each(
  'lines inside',
  length,
  lines,
  wgsl`var value = vec2f();
if (k < ${used}u && first + l < run.inner) { value = ${from}[(layer * ${used}u + k) * run.inner + first + l]; }
here[item] = value;`,
)}`,
    store: ({ result }) =>
      each(
        'lines inside',
        modes,
        lines,
        `if (first + l < run.inner) { ${to}[(layer * ${modes}u + k) * run.inner + first + l] = ${result}[${placeOf(axis)} * ${lines}u + l]; }`,
      ),
  })
}

/** From modes along x or y. @param mode reads mode `k` of the line `first + l`, with exchanged parts, to `value` */
function backAcross(axis: GridAxis, to: ComplexKey, parts: Pick<Parts, 'label' | 'resources'>, mode: string): Shader {
  const { length, used, modes, lines } = axis
  return transformShader(axis, {
    label: parts.label,
    resources: [...parts.resources, complexArray(to, 'read_write')],
    fields: [innerField],
    load: wgsl`${block(lines)}
for (var item = lane; item < ${length * lines}u; item += ${workgroup}u) {
  let l = item % ${lines}u;
  let k = (item / ${lines}u + ${modes >> 1}u) % ${length}u;
  var value = vec2f();
  if (k < ${modes}u && first + l < run.inner) {
    ${mode}
  }
  here[item] = value;
}`,
    store: ({ result }) =>
      each(
        'lines inside',
        used,
        lines,
        `if (first + l < run.inner) { ${to}[(layer * ${used}u + k) * run.inner + first + l] = ${result}[item]; }`,
      ),
  })
}

/** From modes along y. */
export const backY = (axis: GridAxis): Shader =>
  backAcross(
    axis,
    'wide',
    { label: 'from modes along y', resources: [complexArray('narrow', 'read')] },
    `value = narrow[(layer * ${axis.modes}u + k) * run.inner + first + l];`,
  )

/**
 * From modes along x: the modes of a field are the spectra of its weights times factors. `terms` has where the terms of each field
 * start, and then the weight of each term, and whether it is turned.
 */
export const backX = (axis: GridAxis, to: ComplexKey, fields: number): Shader =>
  backAcross(
    axis,
    to,
    {
      label: `from modes along x to ${to}, ${fields} fields`,
      resources: [
        complexArray('spectra', 'read'),
        { key: 'factors', access: 'read', type: 'f32' },
        { key: 'terms', access: 'read', type: 'u32' },
      ],
    },
    wgsl`for (var term = terms[layer]; term < terms[layer + 1u]; term++) {
  let weight = terms[${fields + 1}u + 2u * term];
  let mode = factors[(term * ${axis.modes}u + k) * run.inner + first + l] * spectra[(weight * ${axis.modes}u + k) * run.inner + first + l];
  // Turned factors are imaginary. The parts are exchanged here.
  value += select(mode.yx, vec2f(mode.x, -mode.y), terms[${fields + 2}u + 2u * term] == 1u);
}`,
  )

/** From modes along z to fields, in a grid each. */
export const backZ = (axis: GridAxis): Shader => {
  const { length, used, modes, lines } = axis
  return transformShader(axis, {
    label: 'fields from modes along z',
    resources: [complexArray('wide', 'read'), gridsResource],
    fields: [rowsField],
    load: wgsl`let first = block * ${2 * lines}u;
${each(
  'numbers inside',
  length,
  lines,
  wgsl`let row = first + 2u * l;
let mode = min(k, ${length}u - k);
var a = vec2f();
var b = vec2f();
if (mode < ${modes}u && row < run.rows) { a = wide[row * ${modes}u + mode]; }
if (mode < ${modes}u && row + 1u < run.rows) { b = wide[(row + 1u) * ${modes}u + mode]; }
// Of the line a + i b, mode k is A + i B, and mode -k is conj(A) + i conj(B).
here[k * ${lines}u + l] = select(vec2f(a.x + b.y, a.y - b.x), vec2f(b.y - a.x, a.y + b.x), k >= ${modes}u);`,
)}`,
    store: ({ result }) =>
      each(
        'numbers inside',
        used,
        lines,
        wgsl`let row = first + 2u * l;
let value = ${result}[k * ${lines}u + l];
if (row < run.rows) { grids[row * ${used}u + k] = value.y; }
if (row + 1u < run.rows) { grids[(row + 1u) * ${used}u + k] = value.x; }`,
      ),
  })
}
