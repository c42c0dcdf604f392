/**
 * The components of the outputs of a map. Its expressions may name whole vectors.
 *
 * @module
 */
import { axesOf } from '../../../ground/axes.ts'
import { Remembered } from '../../../ground/remember.ts'
import { type Expr, symbol, symbolsOf } from '../../../language/nodes.ts'
import { substitute } from '../../../language/simplify.ts'
import { parseOutputs } from '../outputs.ts'
import type { MapWorkload, Shape } from '../workload.ts'

type Components = ReadonlyMap<string, readonly Expr[]>

const expanded = new Remembered<MapWorkload, Components>()

/** The components of each output of a map. An output that is one expression of vectors is repeated per axis. */
export function mapComponents(workload: MapWorkload, shape: Pick<Shape, 'dimension' | 'vectors'>): Components {
  return expanded.of(workload, () => expand(workload, shape), `${shape.dimension} ${shape.vectors.join()}`)
}

function expand(workload: MapWorkload, { dimension, vectors }: Pick<Shape, 'dimension' | 'vectors'>): Components {
  const perAxis = (axis: string) => Object.fromEntries(vectors.map((name) => [name, symbol(`${name}_${axis}`)]))
  return new Map(
    [...parseOutputs(workload)].map(([name, components]) => {
      const [only] = components
      const vector = components.length === 1 && components.some((e) => vectors.some((v) => symbolsOf(e).has(v)))
      return [name, vector && only ? axesOf(dimension).map((axis) => substitute(only, perAxis(axis))) : components]
    }),
  )
}
