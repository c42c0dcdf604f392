/**
 * The shaders of sums in which pairs meet component by component.
 *
 * @module
 */
import { combine } from '../loops/combine.ts'
import { componentTemplate, inTiles } from '../loops/component-loop.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import type { WriteShaders } from './pair-parts.ts'

export const componentShaders: WriteShaders = ({ exclusions }, { fold, run, under }, { shape }, label) => {
  const texts = under(inTiles)
  const loop = pairLoop(label, texts, fold, shape, run, exclusions, undefined, componentTemplate)
  if (!shape.split) return { loop }
  return { loop, combine: combine(`${label}: second reduction`, texts, fold, [...pairFields, ...run]) }
}
