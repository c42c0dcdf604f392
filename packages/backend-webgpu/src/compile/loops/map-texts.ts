/**
 * The texts of a map. `maps-loop.ts` writes one shader for several maps in order from them. The texts leave the arrays of their
 * numbers open, because maps may share arrays, and also the prefix of their names.
 *
 * @module
 */

import type { Shape } from '@manybody/core'
import { type ElementBody, loadPlace, namedTape } from '@manybody/core/expression'
import type { DesignedMap } from '../../design/map.ts'
import { numberAt, pointStatements } from '../parts/point-statements.ts'
import { functionsFor, hostText } from '../wgsl/operators.ts'

export function mapTexts(
  body: ElementBody,
  { dimension, vectors }: Pick<Shape, 'dimension' | 'vectors'>,
  workgroup: number,
): DesignedMap {
  const reads: string[] = []
  const { compute, writes } = pointStatements(body, {
    load(name) {
      const { array, axis } = loadPlace(name, {}, { vectors })
      reads.push(`{points.${array}}[${numberAt('p', axis, dimension)}]`)
      return `#${reads.length - 1}`
    },
    output: (name) => `{result.${name}}`,
    run: (name) => `run.#_${name}`,
    prefix: '#_',
  })
  return {
    workgroup,
    outputs: Object.keys(body.outputs),
    run: namedTape(body.run),
    notes: body.run.map(({ expr }) => hostText(expr)),
    functions: functionsFor(compute.join('\n')),
    reads,
    compute,
    writes: [...writes],
  }
}
