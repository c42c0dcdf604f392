/**
 * One pass that visits each element once and writes pages of outputs. The caller provides the code that loads an element.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import type { ElementBody, Expr } from '@manybody/core/expression'
import { counted, elementCounts, elementsMacro } from '../../design/counts.ts'
import { pagesFor } from '../../design/layout.ts'
import type { PassSource } from '../../design/pass.ts'
import { lines, tidy } from '../glsl/code-text.ts'
import { bind, loadNumbers, pickPage, writerFor } from './pair-texts.ts'

export interface ElementPass {
  readonly body: ElementBody
  readonly pass: PassSource
  /** Arrays to bind, in the order of textures `array0, array1, ...`. */
  readonly arrays: readonly string[]
  /** How many of them, at the end, are arrays of the sources. */
  readonly gathered: number
  /** Where each result lies among the numbers of an element. */
  readonly parts: Readonly<Record<string, readonly [offset: number, components: number]>>
  /** Parameters that come from the workload itself, such as those of its grid. */
  readonly parameters: Readonly<Record<string, number>>
}

export function elementPass(
  body: ElementBody,
  shape: Shape,
  arrays: readonly string[],
  load: readonly string[],
  outputs: Readonly<Record<string, readonly string[]>>,
  parameters: Readonly<Record<string, number>>,
  after: readonly string[] = [],
): ElementPass {
  const values = Object.values(outputs).flat()
  const glsl = tidy(`
vec4 elementLoop() {
  int page = rowOf(int(gl_FragCoord.x));
  int element = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  if (element >= ${elementsMacro}) return vec4(0.0);
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
    gathered: 0,
    parameters,
    parts: Object.fromEntries(parts),
    pass: counted(
      {
        name: 'elementLoop',
        glsl,
        textures: arrays.map((_, n) => `array${n}`),
        numbers: body.run.map((b) => b.name),
      },
      elementCounts(pagesFor(values.length), shape.targets),
    ),
  }
}

/** Loaded values get numbered names, because names chosen by the caller may be reserved in GLSL. */
export const loaded = (n: number): string => `loaded${n}`

export const writerOf = ({ loads }: ElementBody): ((e: Expr) => string) =>
  writerFor(new Map(loads.map((name, n) => [name, loaded(n)])))

export const outputsOf = (body: ElementBody): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(body.outputs).map(([name, components]) => [name, components.map(writerOf(body))]))
