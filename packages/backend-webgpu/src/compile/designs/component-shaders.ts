/**
 * The shaders of loops in which pairs meet component by component.
 *
 * @module
 */
import { combine } from '../loops/combine.ts'
import { componentTemplate, inTiles } from '../loops/component-loop.ts'
import { numberTemplate } from '../loops/number-loop.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import type { WriteShaders } from './pair-parts.ts'

export const componentShaders: WriteShaders = (
  { exclusions },
  { fold, texts: earlier, run, under },
  { shape },
  label,
) => {
  const inRegisters = shape.staging === 'components'
  const texts = under(inRegisters ? inTiles : { foldValue: inTiles.foldValue })
  const template = inRegisters ? componentTemplate : numberTemplate
  const loop = pairLoop(label, texts, fold, shape, run, exclusions, undefined, { template, earlier })
  if (!shape.split || fold.appends) return { loop }
  return { loop, combine: combine(`${label}: second reduction`, texts, fold, [...pairFields, ...run]) }
}
