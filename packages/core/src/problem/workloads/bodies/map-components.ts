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

type Axes = Pick<Shape, 'dimension' | 'vectors'>

/** The components of each output of a map. An output that is one expression of vectors is repeated per axis. */
export function mapComponents(workload: MapWorkload, shape: Axes): Components {
  return new Map(
    [...parseOutputs(workload)].map(([name, components]) => {
      const [only, ...more] = components
      return [name, only && more.length === 0 ? repeated(only, shape) : components]
    }),
  )
}

/** By expression, because workloads of one text share it. */
const known = new Remembered<Expr, readonly Expr[]>()

function repeated(e: Expr, { dimension, vectors }: Axes): readonly Expr[] {
  const names = symbolsOf(e)
  const read = vectors.filter((name) => names.has(name))
  const make = () => {
    const along = (axis: string) => Object.fromEntries(read.map((name) => [name, symbol(`${name}_${axis}`)]))
    return axesOf(dimension).map((axis) => substitute(e, along(axis)))
  }
  return read.length ? known.of(e, make, `${dimension} ${read.join()}`) : [e]
}
