/**
 * Points to try programs on: spread evenly about one unit apart, or half a cutoff, with attributes between 0.5 and 1.5.
 *
 * @module
 */
import type { Particles, Shape } from '@manybody/core'

/** Low-discrepancy steps, one irrational per axis, and one for attributes. */
const steps = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703]
const attributeStep = 0.6180339887498949

/**
 * @param inputs keys of the arrays that a program reads, `points.mass`
 * @param spacing of neighbours, about
 */
export function samplePoints(inputs: readonly string[], shape: Shape, spacing: number): Particles {
  const { dimension } = shape
  const set = (side: string, count: number) => {
    const edge = spacing * count ** (1 / dimension)
    const position = Float32Array.from({ length: count * dimension }, (_, n) => {
      const axis = n % dimension
      return edge * ((((n - axis) / dimension + 1) * (steps[axis] ?? 0)) % 1)
    })
    const names = inputs.flatMap((key) => (key.startsWith(`${side}.`) ? [key.slice(side.length + 1)] : []))
    const attribute = () => Float32Array.from({ length: count }, (_, n) => 0.5 + ((n * attributeStep) % 1))
    const attributes = names.filter((name) => name !== 'position').map((name) => [name, attribute()])
    return { dimension, position, ...Object.fromEntries(attributes) }
  }
  if (shape.sameSet) return set('points', shape.targets)
  return { targets: set('targets', shape.targets), sources: set('sources', shape.sources) }
}
