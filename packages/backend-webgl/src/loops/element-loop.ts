/**
 * The loops that visit each element once: maps, cell indices and stencils, as one pass over pages of outputs. What is
 * loaded for an element differs between them; the rest is the same.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape, StencilWorkload } from '@manybody/core'
import { cellBody, type ElementBody, gridParameters, mapBody, stencilBody } from '@manybody/core/backend'
import type { Expr } from '@manybody/core/expression'
import { lines, tidy } from '../glsl/code-text.ts'
import { pagedSize, pagesFor } from '../glsl/layout.ts'
import { number } from '../glsl/reads.ts'
import type { PassSource } from '../host/pass.ts'
import { bind, loadNumbers, pickPage, writerFor } from './pair-texts.ts'

export type ElementWorkload = MapWorkload | CellIndexWorkload | StencilWorkload

export interface ElementLoop {
  readonly body: ElementBody
  readonly pass: PassSource
  /** Arrays to bind, in the order of textures `array0, array1, ...`. */
  readonly arrays: readonly string[]
  /** Where each result lies among the numbers of an element. */
  readonly parts: Readonly<Record<string, readonly [offset: number, components: number]>>
  /** Parameters that the workload itself brings. */
  readonly parameters: Readonly<Record<string, number>>
}

export function elementLoop(workload: ElementWorkload, shape: Shape): ElementLoop {
  if (workload.loop === 'grid') return stencilLoop(workload, shape)
  return workload.operation === 'map' ? mapLoop(workload, shape) : cellLoop(workload, shape)
}

function mapLoop(workload: MapWorkload, shape: Shape): ElementLoop {
  const body = mapBody(workload, shape)
  const loads = body.loads.map((name) => {
    const vector = shape.vectors.find((v) => name.startsWith(`${v}_`) && /^[xyz]$/.test(name.slice(v.length + 1)))
    return { array: vector ?? name, axis: vector ? 'xyz'.indexOf(name.slice(-1)) : undefined }
  })
  const arrays = [...new Set(loads.map((load) => load.array))]
  const code = loads.map(({ array, axis }, n) => {
    const at = axis === undefined ? 'element' : `${shape.dimension} * element + ${axis}`
    return `float ${loaded(n)} = ${number(`array${arrays.indexOf(array)}`, at)};`
  })
  return finish(body, shape, arrays, code, outputsOf(body), {})
}

/** What is loaded is numbered in the text: names are the caller's, and GLSL may have taken them. */
const loaded = (n: number): string => `loaded${n}`

function stencilLoop(workload: StencilWorkload, shape: Shape): ElementLoop {
  const body = stencilBody(workload)
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const step = (axis: string, way: number, n: number) => {
    const next = `i${axis} ${way < 0 ? '- 1' : '+ 1'}`
    return edges === 'clamp'
      ? `(${way < 0 ? `i${axis} == 0` : `i${axis} == ${n - 1}`} ? i${axis} : ${next})`
      : `(${way < 0 ? `i${axis} == 0 ? ${n - 1}` : `i${axis} == ${n - 1} ? 0`} : ${next})`
  }
  const at: Readonly<Record<string, readonly [string, string, string]>> = {
    c: ['ix', 'iy', 'iz'],
    xm: [step('x', -1, nx), 'iy', 'iz'],
    xp: [step('x', 1, nx), 'iy', 'iz'],
    ym: ['ix', step('y', -1, ny), 'iz'],
    yp: ['ix', step('y', 1, ny), 'iz'],
    zm: ['ix', 'iy', step('z', -1, nz)],
    zp: ['ix', 'iy', step('z', 1, nz)],
  }
  const code = [
    `int ix = remainder(element, ${nx}), iy = remainder(quotient(element, ${nx}), ${ny}), iz = quotient(element, ${nx * ny});`,
    ...body.loads.map((name, n) => {
      const [x, y, z] = at[name] ?? ['ix', 'iy', 'iz']
      return `float ${loaded(n)} = ${number('array0', `${x} + ${nx} * (${y} + ${ny} * (${z}))`)};`
    }),
  ]
  return finish(body, shape, ['field'], code, outputsOf(body), gridParameters(workload.grid))
}

/** The cell is formed in integers; one beyond an edge, as an inexact division may give, wraps once more. */
function cellLoop({ grid }: CellIndexWorkload, shape: Shape): ElementLoop {
  const body = cellBody(grid)
  const write = writerOf(body)
  const along = (body.outputs.index ?? []).map(write)
  const code = body.loads.map(
    (name, n) =>
      `float ${loaded(n)} = ${number('array0', `${shape.dimension} * element + ${'xyz'.indexOf(name.slice(-1))}`)};`,
  )
  const cell = along.map((_, k) => `cell${k}`)
  const after = along.flatMap((e, k) => {
    const n = grid.cells[k] as number
    return [`int cell${k} = int(${e});`, `cell${k} += cell${k} < 0 ? ${n} : cell${k} >= ${n} ? -${n} : 0;`]
  })
  const [x, y, z = '0'] = cell
  const [nx, ny] = grid.cells
  const outputs = { index: [`float(${x} + ${nx} * (${y} + ${ny} * ${z}))`] }
  return finish(body, shape, ['position'], code, outputs, gridParameters(grid), after)
}

const writerOf = ({ loads }: ElementBody): ((e: Expr) => string) =>
  writerFor(new Map(loads.map((name, n) => [name, loaded(n)])))

const outputsOf = (body: ElementBody): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(body.outputs).map(([name, components]) => [name, components.map(writerOf(body))]))

function finish(
  body: ElementBody,
  shape: Shape,
  arrays: readonly string[],
  load: readonly string[],
  outputs: Readonly<Record<string, readonly string[]>>,
  parameters: Readonly<Record<string, number>>,
  after: readonly string[] = [],
): ElementLoop {
  const values = Object.values(outputs).flat()
  const glsl = tidy(`
vec4 elementLoop() {
  int page = rowOf(int(gl_FragCoord.x));
  int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  if (element >= ${shape.targets}) return vec4(0.0);
  ${lines([...loadNumbers(body.run.map((b) => b.name)), ...load, ...body.loop.map((b) => bind(b, writerOf(body))), ...after])}
  ${pickPage(values)}
}`)
  let offset = 0
  const parts = Object.entries(outputs).map(([name, components]) => {
    const part = [name, [offset, components.length] as const] as const
    offset += components.length
    return part
  })
  return {
    body,
    arrays,
    parameters,
    parts: Object.fromEntries(parts),
    pass: {
      name: 'elementLoop',
      glsl,
      textures: arrays.map((_, n) => `array${n}`),
      numbers: body.run.map((b) => b.name),
      size: pagedSize(shape.targets, pagesFor(values.length)),
    },
  }
}
